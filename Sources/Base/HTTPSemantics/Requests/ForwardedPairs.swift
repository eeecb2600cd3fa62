/// The parameters of one entry of `Forwarded` (RFC 7239, 4.): `for=192.0.2.1;by="[2001:db8::1]";proto=https`.
package enum ForwardedPairs {
    private static let forName: [UInt8] = Array("for".utf8)

    /// Where the value of `for` is, without quotes; nil when there is none or a second one, and when anything in the
    /// entry is not as the RFC has it. Escapes count as that: no address needs any.
    package static func node(in entry: Span<UInt8>) -> Range<Int>? {
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

    /// - Parameter position: Of a parameter's name; becomes that of the next one's.
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
        while position < entry.count, entry[position].isSpace { position += 1 }
    }

    private static func isFor(_ name: Span<UInt8>) -> Bool {
        for index in name.indices where name[index] | 0x20 != Self.forName[index] { return false }
        return true
    }

    /// RFC 9110, 5.6.2, and the colon and the brackets, which some write without the quotes that they need.
    package static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Self.signs.contains(byte)
        }
    }

    private static let signs: [UInt8] = Array("!#$%&'*+-.^_`|~:[]".utf8)
}
