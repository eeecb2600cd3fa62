/// URLs of upstreams, encoded as strictly as RFC 3986 (2.3) allows.
package enum UpstreamURL {
    /// - Parameter base: Without a slash at its end.
    package static func text(base: String, path: String, query: [(name: String, value: String)]) -> String {
        let place = base + Self.encoded(path, sparing: UInt8(ascii: "/"))
        return query.isEmpty ? place : "\(place)?\(Self.query(query))"
    }

    static func query(_ items: [(name: String, value: String)]) -> String {
        items.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    /// - Parameter spared: A byte that stays as it is beside the unreserved ones.
    static func encoded(_ text: String, sparing spared: UInt8? = nil) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == spared || Self.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
