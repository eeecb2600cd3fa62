/// Decides which addresses may be connected to, so that a URL cannot reach into the network that the service runs in.
///
/// It is asked with the address of each socket just before that is connected: a name that resolves differently the second
/// time, a redirect and an odd spelling of an address all come down to this.
struct AddressGuard: Sendable {
    /// Whether only what cannot be one host at all is refused.
    let allowsPrivate: Bool
    /// Addresses that are admitted although they are not public.
    let networks: [IPNetwork]

    init(allowsPrivate: Bool, networks: [IPNetwork] = []) {
        self.allowsPrivate = allowsPrivate
        self.networks = networks
    }

    /// For a URL's host, which may be one that is known to be in a private network.
    init(_ configuration: FetchConfiguration, host: String) {
        self.init(
            allowsPrivate: configuration.allowPrivateAddresses || configuration.allowedPrivateHosts.contains(host),
            networks: configuration.allowedPrivateNetworks)
    }

    /// For the addresses that a hop connects to; a proxy's is the operator's choice.
    init(_ configuration: FetchConfiguration, hop: Hop) {
        if case .proxy = hop.route {
            self.init(allowsPrivate: true)
        } else {
            self.init(configuration, host: hop.url.host)
        }
    }

    /// - Parameter sockaddr: The bytes of a `sockaddr` of any family.
    /// - Returns: nil when it may be connected to; else the address in words.
    func refusal(of sockaddr: UnsafeRawBufferPointer) -> String? {
        guard let address = IPAddress(sockaddr: sockaddr) else { return "not an IP address" }
        return self.admits(address) ? nil : address.description
    }

    func admits(_ address: IPAddress) -> Bool {
        switch address.reach {
        case .global: true
        case .local: self.allowsPrivate || self.isInNetworks(address)
        case .none: false
        }
    }

    /// What a translator makes of an IPv6 address is as good as the address itself.
    private func isInNetworks(_ address: IPAddress) -> Bool {
        let translated = address.translated
        return self.networks.contains { network in
            network.contains(address) || (translated.map { network.contains($0) } ?? false)
        }
    }
}
