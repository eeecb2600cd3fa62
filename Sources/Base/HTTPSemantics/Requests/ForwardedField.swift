package import InternetAddress

/// A header field to which each proxy appends the address of its client.
///
/// The value is parsed from its end, which the nearest proxy wrote: the text before it may be forged, and must not
/// change how the end is parsed.
package enum ForwardedField {
    /// `Forwarded` (RFC 7239): `for=192.0.2.1;proto=https, for="[2001:db8::1]:4711"`.
    case forwarded
    /// `X-Forwarded-For`, which is not standardised: `192.0.2.1, 2001:db8::1`; some proxies add ports.
    case xForwardedFor

    package enum Entry: Equatable {
        case address(IPAddress)
        /// An identifier that hides the address (RFC 7239, 6.2 and 6.3), or malformed text.
        case noAddress
        /// An empty list element, to be ignored (RFC 9110, 5.6.1.2).
        case empty
    }

    /// Returns the last entry before a position in a header's value.
    ///
    /// - Parameter end: The position, at first the value's length. Becomes the position of the comma before the entry,
    ///   or -1 at the start of the value.
    /// - Returns: `nil` if there are no more entries.
    package func lastEntry(of value: Span<UInt8>, before end: inout Int) -> Entry? {
        guard end >= 0 else { return nil }
        var start = end
        var isQuoted = false
        // A proxy's own entry has paired quotation marks, so counting them from the end gives the same result.
        while start > 0, isQuoted || value[start - 1] != UInt8(ascii: ",") {
            start -= 1
            if self == .forwarded, value[start] == UInt8(ascii: "\"") { isQuoted.toggle() }
        }
        let entry = value.extracting(value.withoutSpaces(start..<end))
        end = start - 1
        if entry.isEmpty { return .empty }
        let address =
            switch self {
            case .forwarded: isQuoted ? nil : ForwardedPairs.node(in: entry).flatMap { Self.address(of: entry, $0) }
            case .xForwardedFor: Self.address(of: entry, 0..<entry.count)
            }
        return address.map { .address($0.unmapped) } ?? .noAddress
    }

    /// Parses an address with optional brackets and port; the port's value is ignored.
    private static func address(of text: Span<UInt8>, _ node: Range<Int>) -> IPAddress? {
        let text = text.extracting(node)
        guard !text.isEmpty else { return nil }
        if text[0] == UInt8(ascii: "[") {
            guard let bracket = text.first(UInt8(ascii: "]")) else { return nil }
            guard Self.isPort(text.extracting((bracket + 1)..<text.count)) else { return nil }
            return Self.v6(text.extracting(1..<bracket))
        }
        guard let colon = text.first(UInt8(ascii: ":")) else { return IPAddress(ascii: text) }
        // A second colon means IPv6 without brackets, and therefore without a port.
        guard text.extracting((colon + 1)..<text.count).first(UInt8(ascii: ":")) == nil else { return Self.v6(text) }
        return Self.isPort(text.extracting(colon..<text.count)) ? IPAddress(ascii: text.extracting(0..<colon)) : nil
    }

    /// Parses an IPv6 address; ignores its zone, which is meaningful on the proxy's machine only.
    private static func v6(_ text: Span<UInt8>) -> IPAddress? {
        let address = IPAddress(ascii: text.extracting(0..<(text.first(UInt8(ascii: "%")) ?? text.count)))
        guard case .v6? = address else { return nil }
        return address
    }

    /// Whether the text is empty or a colon and a port (RFC 7239, 6): up to five digits, or an obfuscated name.
    private static func isPort(_ text: Span<UInt8>) -> Bool {
        if text.isEmpty { return true }
        guard text.count > 1, text[0] == UInt8(ascii: ":") else { return false }
        if text[1] == UInt8(ascii: "_") {
            for index in 2..<text.count where !ForwardedPairs.isOfToken(text[index]) { return false }
            return text.count > 2
        }
        for index in 1..<text.count where !text[index].isDigit { return false }
        return text.count <= 6
    }
}

extension Span<UInt8> {
    fileprivate func first(_ byte: UInt8) -> Int? {
        for index in self.indices where self[index] == byte { return index }
        return nil
    }

    fileprivate func withoutSpaces(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}

/// The parameters of one entry of `Forwarded` (RFC 7239, 4.): `for=192.0.2.1;by="[2001:db8::1]";proto=https`.
private enum ForwardedPairs {
    private static let forName: [UInt8] = Array("for".utf8)

    /// The range of the value of `for`, without quotation marks; `nil` if the entry has no `for` or two, or is
    /// malformed. Escapes count as malformed: no address needs any.
    static func node(in entry: Span<UInt8>) -> Range<Int>? {
        var node: Range<Int>?
        var position = 0
        while position < entry.count {
            guard let (name, value) = Self.pair(in: entry, from: &position) else { return nil }
            guard name.count == Self.forName.count, Self.isFor(entry.extracting(name)) else { continue }
            guard node == nil else { return nil }
            node = value
        }
        return node
    }

    /// - Parameter position: The start of a parameter's name; becomes the start of the next one's.
    private static func pair(
        in entry: Span<UInt8>, from position: inout Int
    ) -> (name: Range<Int>, value: Range<Int>)? {
        let name = Self.token(in: entry, from: &position)
        guard !name.isEmpty, position < entry.count, entry[position] == UInt8(ascii: "=") else { return nil }
        position += 1
        let value: Range<Int>
        if position < entry.count, entry[position] == UInt8(ascii: "\"") {
            let start = position + 1
            position = start
            while position < entry.count, entry[position] != UInt8(ascii: "\"") {
                guard entry[position] != UInt8(ascii: "\\") else { return nil }
                position += 1
            }
            guard position < entry.count else { return nil }
            value = start..<position
            position += 1
        } else {
            value = Self.token(in: entry, from: &position)
        }
        Self.skipSpaces(in: entry, from: &position)
        guard position == entry.count || entry[position] == UInt8(ascii: ";") else { return nil }
        position += 1
        Self.skipSpaces(in: entry, from: &position)
        return (name, value)
    }

    private static func token(in entry: Span<UInt8>, from position: inout Int) -> Range<Int> {
        let start = position
        while position < entry.count, Self.isOfToken(entry[position]) { position += 1 }
        return start..<position
    }

    private static func skipSpaces(in entry: Span<UInt8>, from position: inout Int) {
        while position < entry.count, entry[position].isBlank { position += 1 }
    }

    private static func isFor(_ name: Span<UInt8>) -> Bool {
        for index in name.indices where name[index] | 0x20 != Self.forName[index] { return false }
        return true
    }

    /// Token characters (RFC 9110, 5.6.2), and the colon and the brackets, which some proxies write without the
    /// required quotation marks.
    static func isOfToken(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || Self.signs.contains(byte)
    }

    private static let signs: [UInt8] = Array("!#$%&'*+-.^_`|~:[]".utf8)
}
