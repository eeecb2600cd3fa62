/// The host and port of a URL, in lower case and without the scheme's own port. No user.
package struct URLAuthority {
    /// `host` or `host:port`.
    package let text: String

    package init(_ authority: Substring, isTLS: Bool) throws(RemoteURL.Malformed) {
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw RemoteURL.Malformed(reason: "has a user name")
        }
        let (host, port) = try Self.split(authority)
        let number = try port.map { (text) throws(RemoteURL.Malformed) in try Self.number(text) }
        let own = isTLS ? 443 : 80
        self.text = host.lowercased() + (number == nil || number == own ? "" : ":\(number!)")
    }

    private static func split(_ text: Substring) throws(RemoteURL.Malformed) -> (host: Substring, port: Substring?) {
        let host: Substring
        if text.utf8.first == UInt8(ascii: "[") {
            guard let close = text.utf8.firstIndex(of: UInt8(ascii: "]")) else {
                throw RemoteURL.Malformed(reason: "has a malformed host")
            }
            host = text[...close]
            let isAddress = host.utf8.dropFirst().dropLast().allSatisfy {
                Self.isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
            guard isAddress, host.utf8.count > 2 else { throw RemoteURL.Malformed(reason: "has a malformed host") }
        } else {
            host = text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text[..<$0] } ?? text
            let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isName = labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(Self.isOfLabel) }
            guard isName, host.utf8.count <= 253 else {
                throw RemoteURL.Malformed(
                    reason: "has a malformed host; it is letters, digits, hyphens and dots, others in Punycode")
            }
        }
        let rest = text[host.endIndex...]
        guard !rest.isEmpty else { return (host, nil) }
        guard rest.utf8.first == UInt8(ascii: ":") else { throw RemoteURL.Malformed(reason: "has a malformed host") }
        return (host, Substring(rest.utf8.dropFirst()))
    }

    private static func number(_ text: Substring) throws(RemoteURL.Malformed) -> Int {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(text), (1...65_535).contains(number)
        else { throw RemoteURL.Malformed(reason: "has a malformed port") }
        return number
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: (48...57).contains(byte)
        }
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte > 0x40
        default: (48...57).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
}
