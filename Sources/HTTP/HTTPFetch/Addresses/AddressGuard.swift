import InternetAddress

/// Decides which addresses may be connected to, so that a URL cannot reach into the network that the service runs in.
///
/// It is asked with the address of each socket just before that is connected: a name that resolves differently the second
/// time, a redirect and an odd spelling of an address all come down to this.
struct AddressGuard: Sendable {
    /// Whether only what cannot be one host at all is refused.
    let allowsPrivate: Bool
    /// Addresses that are admitted although they are not public.
    let networks: [IPNetwork]
    /// Whether the host is allowed to be private by its name, or as the address that it is.
    private let isNamed: Bool
    private let isLiteral: Bool

    init(allowsPrivate: Bool, networks: [IPNetwork] = []) {
        self.allowsPrivate = allowsPrivate
        self.networks = networks
        self.isNamed = false
        self.isLiteral = false
    }

    /// For a URL's host, which may be one that is known to be in a private network.
    ///
    /// - Parameters:
    ///   - mayBePrivate: Whether what the configuration says of private hosts and networks counts.
    ///   - isPublicOnly: Whether nothing that it says counts, not even that everything may be private.
    init(_ configuration: FetchConfiguration, host: String, mayBePrivate: Bool, isPublicOnly: Bool = false) {
        let mayBePrivate = mayBePrivate && !isPublicOnly
        self.allowsPrivate = configuration.allowPrivateAddresses && !isPublicOnly
        self.isNamed = mayBePrivate && configuration.allowedPrivateHosts.contains(host)
        self.isLiteral = FetchURL.literalAddress(host) != nil
        self.networks = mayBePrivate ? configuration.allowedPrivateNetworks : []
    }

    /// For the addresses that a hop connects to; a proxy's is the operator's choice.
    init(_ configuration: FetchConfiguration, hop: Hop) {
        if case .proxy = hop.route {
            self.init(allowsPrivate: true)
        } else {
            self.init(
                configuration, host: hop.url.host, mayBePrivate: hop.mayBePrivate, isPublicOnly: hop.isPublicOnly)
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
        case .local: self.allowsPrivate || self.isInNetworks(address) || self.isNamed(at: address)
        case .none: false
        }
    }

    /// Whether a hop's host is one that the configuration allows to be private: by its name, or by where it is. With
    /// addresses of both kinds it is not.
    func knowsAsPrivate(_ hop: Hop) -> Bool {
        let addresses = hop.addresses
        return self.isNamed
            || (!addresses.isEmpty && addresses.allSatisfy { $0.reach == .local && self.isInNetworks($0) })
    }

    /// Whether a connection that is kept may have been opened for a hop that was allowed more than this one.
    static func distrustsKeptConnections(_ configuration: FetchConfiguration, hop: Hop) -> Bool {
        if case .proxy = hop.route { return false }
        let hasExceptions = !configuration.allowedPrivateHosts.isEmpty || !configuration.allowedPrivateNetworks.isEmpty
        if hop.isPublicOnly { return hasExceptions || configuration.allowPrivateAddresses }
        return !hop.mayBePrivate && !configuration.allowPrivateAddresses && hasExceptions
    }

    /// A name is whoever's who answers for it: it is not to stand for this machine's own link.
    private func isNamed(at address: IPAddress) -> Bool {
        self.isNamed && (self.isLiteral || !address.isLinkLocal)
    }

    /// What a translator makes of an IPv6 address is as good as the address itself.
    private func isInNetworks(_ address: IPAddress) -> Bool {
        let translated = address.translated
        return self.networks.contains { network in
            network.contains(address) || (translated.map { network.contains($0) } ?? false)
        }
    }
}
