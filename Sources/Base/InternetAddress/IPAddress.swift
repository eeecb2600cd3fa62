import Glibc

/// The address of a host, as a number in host byte order.
public enum IPAddress: Hashable, Sendable {
    /// An IPv4 address.
    case v4(UInt32)
    /// An IPv6 address, including forms that embed an IPv4 address.
    case v6(UInt128)

    /// The maximum length of an address as text, in bytes: six groups of IPv6 and an IPv4 address.
    public static let textLimit = 45

    /// Reads a `sockaddr_in` or `sockaddr_in6`; `nil` for any other family and for too few bytes.
    public init?(sockaddr bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            guard bytes.count >= MemoryLayout<sockaddr_in>.size else { return nil }
            self = .v4(UInt32(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            guard bytes.count >= MemoryLayout<sockaddr_in6>.size else { return nil }
            self.init(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    /// Parses the textual form, such as `10.0.0.1` or `2001:db8::1`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(ascii: bytes.span)
    }

    /// Parses the textual form, such as `10.0.0.1` or `2001:db8::1`, without allocating.
    public init?(ascii text: Span<UInt8>) {
        guard text.count <= Self.textLimit else { return nil }
        let address = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.textLimit + 1) {
            characters -> IPAddress? in
            for index in text.indices {
                // A zero byte would end the text for C.
                guard text[index] != 0 else { return nil }
                characters[index] = CChar(bitPattern: text[index])
            }
            characters[text.count] = 0
            return Self(terminated: characters.baseAddress!)
        }
        guard let address else { return nil }
        self = address
    }

    private init?(terminated text: UnsafePointer<CChar>) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    private init(_ address: in6_addr) {
        self = .v6(withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
    }

    /// The IPv4 address of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2); other addresses unchanged.
    ///
    /// A dual-stack socket reports its IPv4 clients by mapped addresses.
    public var unmapped: IPAddress {
        guard case .v6(let number) = self, number >> 32 == 0xFFFF else { return self }
        return .v4(UInt32(truncatingIfNeeded: number))
    }
}

extension IPAddress: CustomStringConvertible {
    /// The canonical form (RFC 5952): digits, letters from a to f, dots and colons only.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch self {
        case .v4(let number):
            var address = in_addr(s_addr: number.bigEndian)
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        case .v6(let number):
            var address = number.bigEndian
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The addresses that share a prefix, such as `10.1.0.0/16` or `fd00:12::/32`.
public struct IPNetwork: Hashable, Sendable, LosslessStringConvertible {
    /// The network address; bits after the prefix are zero.
    public let address: IPAddress
    /// The length of the prefix, in bits.
    public let length: Int

    /// Parses an address, a slash and the length of the prefix in bits; an address alone is a network of one address.
    ///
    /// `nil` for any other text, including an address with bits after the prefix: most likely one of the two is a
    /// mistake.
    public init?(_ description: String) {
        // Comparing characters takes quadratic time in the number of combining marks.
        guard description.utf8.count <= IPAddress.textLimit + "/128".utf8.count else { return nil }
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

    /// The address in its shortest form, a slash and the length of the prefix.
    public var description: String { "\(self.address)/\(self.length)" }

    /// Whether an address has the prefix. An IPv4 address is never in an IPv6 network, and an IPv6 address, IPv4-mapped
    /// or not, never in an IPv4 network.
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
