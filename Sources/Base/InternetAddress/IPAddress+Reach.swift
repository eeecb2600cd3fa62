extension IPAddress {
    /// How far a packet to an address can travel.
    public enum Reach: Hashable, Sendable {
        /// To a host on the public Internet: "globally reachable" in the IANA registries.
        case global
        /// To one host outside the public Internet: on this machine, in this network, or in a range reserved for other
        /// uses.
        case local
        /// To no single host: multicast, `::`, and 0.0.0.0/8, which Linux treats as this machine.
        case none
    }

    /// The address's reach according to the IANA special-purpose address registries.
    ///
    /// An IPv6 address that embeds an IPv4 address, and is translated to it in transit, reaches no further than that
    /// address.
    public var reach: Reach {
        guard case .v6(let number) = self else { return Self.reach(of: self, in: Self.v4Blocks) ?? .global }
        if let reach = Self.reach(of: self, in: Self.v6Blocks) { return reach }
        // IANA assigns public addresses from 2000::/3 only: ranges outside of it that the table lacks are not public.
        let isGlobal = Self.global.contains(self) || self.translatedIPv4 != nil
        guard let embedded = Self.embeddedIPv4(in: number) else { return isGlobal ? .global : .local }
        let inner = embedded.reach
        return inner == .global && !isGlobal ? .local : inner
    }

    /// The IPv4 destination of an IPv4-mapped or NAT64 address; `nil` for other addresses.
    public var translatedIPv4: IPAddress? {
        guard case .v6(let number) = self, Self.v4Mapped.contains(self) || Self.nat64.contains(self) else { return nil }
        return .v4(UInt32(truncatingIfNeeded: number))
    }

    /// Whether the address, or the IPv4 address embedded in it, is link-local like cloud metadata services.
    public var isLinkLocal: Bool {
        switch self {
        case .v4: Self.v4LinkLocal.contains(self)
        case .v6(let number):
            Self.v6LinkLocal.contains(self)
                || (Self.embeddedIPv4(in: number).map { Self.v4LinkLocal.contains($0) } ?? false)
        }
    }

    /// The IPv4 address embedded in `number`; `nil` unless it has one of the known forms.
    private static func embeddedIPv4(in number: UInt128) -> IPAddress? {
        let address = IPAddress.v6(number)
        let last = IPAddress.v4(UInt32(truncatingIfNeeded: number))
        if address.translatedIPv4 != nil || Self.v4InLastBytes.contains(where: { $0.contains(address) }) { return last }
        if Self.sixToFour.contains(address) { return .v4(UInt32(truncatingIfNeeded: number >> 80)) }
        // Teredo inverts the client's address, so that translators in transit do not rewrite it (RFC 4380).
        if Self.teredo.contains(address) { return .v4(~UInt32(truncatingIfNeeded: number)) }
        // ISATAP, with any prefix: an interface identifier of 0000:5efe or 0200:5efe, followed by the address (RFC
        // 5214).
        let interface = UInt32(truncatingIfNeeded: number >> 32)
        return interface & ~0x0200_0000 == 0x5efe ? last : nil
    }

    private static func reach(of address: IPAddress, in blocks: [(network: IPNetwork, reach: Reach)]) -> Reach? {
        blocks.first { $0.network.contains(address) }?.reach
    }

    // MARK: The registries

    private static let v4Blocks = Self.blocks([
        ("0.0.0.0/8", .none),  // "this host"
        ("10.0.0.0/8", .local),  // private
        ("100.64.0.0/10", .local),  // carrier-grade NAT
        ("127.0.0.0/8", .local),  // loopback
        ("169.254.0.0/16", .local),  // link-local, cloud metadata
        ("168.63.129.16/32", .local),  // Azure's host, as seen by its guests
        ("172.16.0.0/12", .local),  // private
        ("192.0.0.0/24", .local),  // protocol assignments
        ("192.0.2.0/24", .local),  // TEST-NET-1
        ("192.88.99.0/24", .local),  // 6to4 relays, withdrawn
        ("192.168.0.0/16", .local),  // private
        ("198.18.0.0/15", .local),  // benchmarks
        ("198.51.100.0/24", .local),  // TEST-NET-2
        ("203.0.113.0/24", .local),  // TEST-NET-3
        ("224.0.0.0/4", .none),  // multicast
        ("240.0.0.0/4", .local),  // reserved, and broadcast
    ])

    private static let v6Blocks = Self.blocks([
        ("::/128", .none),
        ("::1/128", .local),  // loopback
        ("64:ff9b:1::/48", .local),  // local NAT64
        ("2001:2::/48", .local),  // benchmarks
        ("2001:10::/28", .local),  // ORCHID, withdrawn
        ("2001:db8::/32", .local),  // documentation
        ("3fff::/20", .local),  // documentation
        ("ff00::/8", .none),  // multicast
        // 100::/64, fc00::/7, fe80::/10, fec0::/10 lie outside 2000::/3.
    ])

    private static let v4LinkLocal = IPNetwork("169.254.0.0/16")!
    private static let v6LinkLocal = IPNetwork("fe80::/10")!
    private static let global = IPNetwork("2000::/3")!
    private static let v4Mapped = IPNetwork("::ffff:0:0/96")!
    private static let nat64 = IPNetwork("64:ff9b::/96")!
    /// IPv4-compatible (RFC 4291) and IPv4-translated (RFC 2765).
    private static let v4InLastBytes = [IPNetwork("::/96")!, IPNetwork("::ffff:0:0:0/96")!]
    private static let sixToFour = IPNetwork("2002::/16")!
    private static let teredo = IPNetwork("2001::/32")!

    private static func blocks(_ table: [(String, Reach)]) -> [(network: IPNetwork, reach: Reach)] {
        table.map { (IPNetwork($0)!, $1) }
    }
}
