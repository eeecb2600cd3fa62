import InternetAddress

/// Decides which addresses may be connected to, to prevent server-side request forgery: a URL must not reach into the
/// network that the service runs in.
///
/// It checks the address of each socket just before that is connected, which covers DNS rebinding, redirects and
/// unusual spellings of addresses alike.
struct AddressGuard: Sendable {
    /// Whether all addresses are admitted, except unspecified and multicast ones.
    let allowsPrivate: Bool
    /// Private networks that are admitted.
    let networks: [IPNetwork]
    /// Whether the configuration allows the host, by name or as a literal address, to be private.
    private let isAllowedHost: Bool
    private let isLiteral: Bool

    init(allowsPrivate: Bool, networks: [IPNetwork] = []) {
        self.allowsPrivate = allowsPrivate
        self.networks = networks
        self.isAllowedHost = false
        self.isLiteral = false
    }

    /// A guard for one host.
    /// - Parameters:
    ///   - mayBePrivate: Whether the configuration's allowed hosts and networks apply.
    ///   - isPublicOnly: Whether only public addresses are admitted, even with
    ///     ``FetchConfiguration/allowPrivateAddresses``.
    init(_ configuration: FetchConfiguration, host: String, mayBePrivate: Bool, isPublicOnly: Bool = false) {
        let mayBePrivate = mayBePrivate && !isPublicOnly
        self.allowsPrivate = configuration.allowPrivateAddresses && !isPublicOnly
        self.isAllowedHost = mayBePrivate && configuration.allowedPrivateHosts.contains(host)
        self.isLiteral = FetchURL.literalAddress(host) != nil
        self.networks = mayBePrivate ? configuration.allowedPrivateNetworks : []
    }

    /// - Parameter sockaddr: The bytes of a `sockaddr` of any family.
    /// - Returns: `nil` if the address is admitted; otherwise its text.
    func refusal(of sockaddr: UnsafeRawBufferPointer) -> String? {
        guard let address = IPAddress(sockaddr: sockaddr) else { return "not an IP address" }
        return self.admits(address) ? nil : address.description
    }

    func admits(_ address: IPAddress) -> Bool {
        switch address.reach {
        case .global: true
        // The owner of a name's zone chooses its addresses: a name must not resolve to this machine's own link.
        case .local:
            self.allowsPrivate || self.isInNetworks(address)
                || (self.isAllowedHost && (self.isLiteral || !address.isLinkLocal))
        case .none: false
        }
    }

    /// Whether the configuration allows a host at these addresses to be private: by its name, or because all of them are
    /// in allowed networks.
    func isKnownPrivate(_ addresses: [IPAddress]) -> Bool {
        self.isAllowedHost
            || (!addresses.isEmpty && addresses.allSatisfy { $0.reach == .local && self.isInNetworks($0) })
    }

    private func isInNetworks(_ address: IPAddress) -> Bool {
        let translated = address.translatedIPv4
        return self.networks.contains { network in
            network.contains(address) || (translated.map { network.contains($0) } ?? false)
        }
    }
}
