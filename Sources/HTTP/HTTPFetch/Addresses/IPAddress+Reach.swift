import InternetAddress

extension IPAddress {
    /// How far away a packet to an address may end up.
    enum Reach: Hashable {
        /// A host on the public Internet.
        case global
        /// Anywhere else that one host can be: this machine, this network, a range set aside for other uses.
        case local
        /// No single host: 0.0.0.0/8, which Linux takes for itself, `::`, and multicast.
        case none
    }

    /// From the IANA special-purpose registries.
    ///
    /// An IPv6 address that carries an IPv4 one, and would be translated to it on the way, reaches no further than that
    /// one does.
    var reach: Reach {
        switch self {
        case .v4(let number): Self.v4Blocks.first { $0.contains(number) }?.reach ?? .global
        case .v6(let number): Self.reach(v6: number)
        }
    }

    /// The IPv4 address that a packet to this IPv6 one is sent to in the end, whatever the way: that of a v4-mapped or a
    /// NAT64 address.
    var translated: IPAddress? {
        guard case .v6(let number) = self, Self.v4Mapped.contains(number) || Self.nat64.contains(number) else {
            return nil
        }
        return .v4(UInt32(truncatingIfNeeded: number))
    }

    /// Whether it is only of the link that the machine is on, where clouds keep what they tell their guests; also as what
    /// a translator would make of it.
    var isLinkLocal: Bool {
        switch self {
        case .v4(let number): Self.v4LinkLocal.contains(number)
        case .v6(let number):
            Self.v6LinkLocal.contains(number)
                || (Self.embeddedV4(in: number).map { Self.v4LinkLocal.contains($0) } ?? false)
        }
    }

    private static func reach(v6 number: UInt128) -> Reach {
        if let block = Self.v6Blocks.first(where: { $0.contains(number) }) { return block.reach }
        // Nothing outside 2000::/3 was ever given to a public host: a range unknown to the table is refused too.
        let own: Reach =
            Self.global.contains(number) || Self.nat64.contains(number) || Self.v4Mapped.contains(number)
            ? .global : .local
        guard let embedded = Self.embeddedV4(in: number) else { return own }
        let inner = IPAddress.v4(embedded).reach
        return inner == .global ? own : inner
    }

    /// The IPv4 address inside `number`, if it has one of the known forms.
    private static func embeddedV4(in number: UInt128) -> UInt32? {
        // v4-mapped, v4-translated ::ffff:0:0:0/96, v4-compatible ::/96, and NAT64 end in the address.
        let prefix = number >> 32
        let endsInV4 = Self.v4Mapped.contains(number) || Self.nat64.contains(number)
        if endsInV4 || prefix == 0xffff_0000 || prefix == 0 { return UInt32(truncatingIfNeeded: number) }
        if Self.sixToFour.contains(number) { return UInt32(truncatingIfNeeded: number >> 80) }
        // Teredo inverts the client's address, so that translators on the way leave it alone (RFC 4380).
        if Self.teredo.contains(number) { return ~UInt32(truncatingIfNeeded: number) }
        // ISATAP, under any prefix: an interface identifier of 0000:5efe or 0200:5efe, then the address (RFC 5214).
        let interface = UInt32(truncatingIfNeeded: number >> 32)
        if interface & ~0x0200_0000 == 0x5efe { return UInt32(truncatingIfNeeded: number) }
        return nil
    }
}

extension IPAddress {
    /// The addresses that share the first `length` bits of `prefix`.
    private struct Block<Number: FixedWidthInteger & Sendable>: Sendable {
        let prefix: Number
        let length: Int
        let reach: Reach

        func contains(_ number: Number) -> Bool {
            (number ^ self.prefix) >> (Number.bitWidth - self.length) == 0
        }
    }

    private static let v4Blocks: [Block<UInt32>] = [
        Block(prefix: 0x0000_0000, length: 8, reach: .none),  // 0.0.0.0/8, "this host"
        Block(prefix: 0x0a00_0000, length: 8, reach: .local),  // 10.0.0.0/8, private
        Block(prefix: 0x6440_0000, length: 10, reach: .local),  // 100.64.0.0/10, carrier-grade NAT
        Block(prefix: 0x7f00_0000, length: 8, reach: .local),  // 127.0.0.0/8, loopback
        Block(prefix: 0xa9fe_0000, length: 16, reach: .local),  // 169.254.0.0/16, link-local, cloud metadata
        Block(prefix: 0xa83f_8110, length: 32, reach: .local),  // 168.63.129.16, a cloud's host seen from its guests
        Block(prefix: 0xac10_0000, length: 12, reach: .local),  // 172.16.0.0/12, private
        Block(prefix: 0xc000_0000, length: 24, reach: .local),  // 192.0.0.0/24, protocol assignments
        Block(prefix: 0xc000_0200, length: 24, reach: .local),  // 192.0.2.0/24, TEST-NET-1
        Block(prefix: 0xc058_6300, length: 24, reach: .local),  // 192.88.99.0/24, 6to4 relays, withdrawn
        Block(prefix: 0xc0a8_0000, length: 16, reach: .local),  // 192.168.0.0/16, private
        Block(prefix: 0xc612_0000, length: 15, reach: .local),  // 198.18.0.0/15, benchmarks
        Block(prefix: 0xc633_6400, length: 24, reach: .local),  // 198.51.100.0/24, TEST-NET-2
        Block(prefix: 0xcb00_7100, length: 24, reach: .local),  // 203.0.113.0/24, TEST-NET-3
        Block(prefix: 0xe000_0000, length: 4, reach: .none),  // 224.0.0.0/4, multicast
        Block(prefix: 0xf000_0000, length: 4, reach: .local),  // 240.0.0.0/4, reserved, and broadcast
    ]

    private static let v6Blocks: [Block<UInt128>] = [
        Block(prefix: 0, length: 128, reach: .none),  // ::
        Block(prefix: 1, length: 128, reach: .local),  // ::1, loopback
        Block(prefix: 0x0064_ff9b_0001 << 80, length: 48, reach: .local),  // 64:ff9b:1::/48, local NAT64
        Block(prefix: 0x2001_0002_0000 << 80, length: 48, reach: .local),  // 2001:2::/48, benchmarks
        Block(prefix: 0x2001_0010 << 96, length: 28, reach: .local),  // 2001:10::/28, ORCHID, withdrawn
        Block(prefix: 0x2001_0db8 << 96, length: 32, reach: .local),  // 2001:db8::/32, documentation
        Block(prefix: 0x3fff << 112, length: 20, reach: .local),  // 3fff::/20, documentation
        Block(prefix: 0xff << 120, length: 8, reach: .none),  // ff00::/8, multicast
        // 100::/64, fc00::/7, fe80::/10, fec0::/10 lie outside 2000::/3.
    ]

    private static let v4LinkLocal = Block<UInt32>(prefix: 0xa9fe_0000, length: 16, reach: .local)
    private static let v6LinkLocal = Block<UInt128>(prefix: 0xfe80 << 112, length: 10, reach: .local)
    private static let global = Block<UInt128>(prefix: 0x2000 << 112, length: 3, reach: .global)
    private static let v4Mapped = Block<UInt128>(prefix: 0xffff << 32, length: 96, reach: .global)
    private static let nat64 = Block<UInt128>(prefix: 0x0064_ff9b << 96, length: 96, reach: .global)
    private static let sixToFour = Block<UInt128>(prefix: 0x2002 << 112, length: 16, reach: .global)
    private static let teredo = Block<UInt128>(prefix: 0x2001_0000 << 96, length: 32, reach: .global)
}
