import PosterPipeline

/// A request's target as logs show it: ASCII, of limited length, and without signatures.
struct LoggedTarget {
    /// The most that is shown of a target, in bytes.
    static let lengthLimit = 2048
    /// The parameter whose value lets whoever reads it make the request again.
    private static let secret = "s"
    private static let mask = "***"

    let text: String

    /// - Parameter target: Path and query as they came.
    init(_ target: String) {
        let cut = target.utf8.prefix(Self.lengthLimit)
        let parts = cut.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var text = Self.escaped(parts[0])
        if parts.count > 1 {
            let pairs = parts[1].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
                let name = pair.prefix { $0 != UInt8(ascii: "=") }
                return Self.isSecret(name) ? Self.escaped(name) + "=" + Self.mask : Self.escaped(pair)
            }
            text += "?" + pairs.joined(separator: "&")
        }
        self.text = cut.count < target.utf8.count ? text + "..." : text
    }

    private static func isSecret(_ name: Substring.UTF8View) -> Bool {
        PercentEncoding.decode(Substring(name)) == Self.secret
    }

    /// All that is not visible ASCII as percent-encoded bytes, which mean the same in a URL.
    private static func escaped(_ bytes: Substring.UTF8View) -> String {
        guard !bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return String(Substring(bytes)) }
        return bytes.reduce(into: "") { text, byte in
            if (0x21...0x7E).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
