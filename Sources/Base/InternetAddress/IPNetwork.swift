/// The addresses that share a prefix, such as `10.1.0.0/16` or `fd00:12::/32`.
public struct IPNetwork: Hashable, Sendable, LosslessStringConvertible {
    /// With zeros behind the prefix.
    public let address: IPAddress
    /// Of the prefix, in bits.
    public let length: Int

    /// Reads an address, a slash and the length of the prefix in bits; an address alone is a network of one.
    ///
    /// nil for anything else, an address with bits beyond the prefix included: most likely one of the two is a mistake.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(String(parts[0])) else { return nil }
        let width = address.bitWidth
        guard parts.count == 2 else {
            (self.address, self.length) = (address, width)
            return
        }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        guard let length = Int(parts[1]), length <= width, address.hasOnlyPrefix(length) else { return nil }
        (self.address, self.length) = (address, length)
    }

    /// As read; the address in its shortest form.
    public var description: String { "\(self.address)/\(self.length)" }

    /// Whether an address has the prefix. One of IPv4 has none of IPv6, however it is written.
    public func contains(_ other: IPAddress) -> Bool {
        switch (self.address, other) {
        case (.v4(let own), .v4(let number)): (own ^ number) >> (32 - self.length) == 0
        case (.v6(let own), .v6(let number)): (own ^ number) >> (128 - self.length) == 0
        default: false
        }
    }
}

extension IPAddress {
    fileprivate var bitWidth: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    fileprivate func hasOnlyPrefix(_ length: Int) -> Bool {
        switch self {
        case .v4(let number): number << length == 0
        case .v6(let number): number << length == 0
        }
    }
}
