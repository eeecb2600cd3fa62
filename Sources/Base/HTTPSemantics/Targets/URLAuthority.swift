import InternetAddress

/// The host and port of a URL, in lower case and without the scheme's default port. A user is rejected.
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
            guard case .v6? = IPAddress(String(Substring(host.utf8.dropFirst().dropLast()))) else {
                throw RemoteURL.Malformed(reason: "has a malformed host")
            }
        } else {
            host = text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text[..<$0] } ?? text
            let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isName = labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(Self.isOfLabel) }
            guard isName, host.utf8.count <= 253 else {
                throw RemoteURL.Malformed(
                    reason: "has a malformed host; use letters, digits, hyphens and dots, and Punycode for others")
            }
        }
        let rest = text[host.endIndex...]
        guard !rest.isEmpty else { return (host, nil) }
        guard rest.utf8.first == UInt8(ascii: ":") else { throw RemoteURL.Malformed(reason: "has a malformed host") }
        return (host, Substring(rest.utf8.dropFirst()))
    }

    private static func number(_ text: Substring) throws(RemoteURL.Malformed) -> Int {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
            let number = Int(text), (1...65_535).contains(number)
        else { throw RemoteURL.Malformed(reason: "has a malformed port") }
        return number
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

/// The syntax of `Host` and `:authority`: `uri-host [":" port]` (RFC 9110, 7.2; RFC 3986, 3.2.2).
///
/// A user is not part of it, and is rejected in `:authority` too (RFC 9113, 8.3.1).
package enum HostField {
    /// The maximum length of a port, in digits.
    private static let portLimit = 5

    /// Whether `text`, which may be empty, is a host with an optional port. Surrounding blanks are accepted.
    package static func isValid(_ text: String) -> Bool {
        let text = text.trimmingBlanks.utf8
        let end: Substring.UTF8View.Index
        if text.first == UInt8(ascii: "[") {
            guard let close = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
            guard case .v6? = IPAddress(String(Substring(text[text.index(after: text.startIndex)..<close]))) else {
                return false
            }
            end = text.index(after: close)
        } else {
            end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            guard Self.isName(text[..<end]) else { return false }
        }
        guard end < text.endIndex else { return true }
        return text[end] == UInt8(ascii: ":") && Self.isPort(text[text.index(after: end)...])
    }

    /// The host in lower case, without the scheme's default port: equal for equal destinations.
    ///
    /// - Parameter scheme: `http` or `https`.
    package static func normal(_ text: String, scheme: String?) -> String {
        let text = text.trimmingBlanks.lowercased()
        for end in [":", scheme?.lowercased() == "https" ? ":443" : ":80"] where text.hasSuffix(end) {
            return String(text.dropLast(end.count))
        }
        return text
    }

    private static func isName(_ name: Substring.UTF8View) -> Bool {
        var rest = name
        while let byte = rest.popFirst() {
            if byte.isAlphanumeric { continue }
            guard byte == UInt8(ascii: "%") else {
                guard "-._~!$&'()*+,;=".utf8.contains(byte) else { return false }
                continue
            }
            for _ in 0..<2 where rest.popFirst()?.hexadecimalValue == nil { return false }
        }
        return true
    }

    private static func isPort(_ port: Substring.UTF8View) -> Bool {
        guard port.count <= Self.portLimit, port.allSatisfy(\.isDigit) else { return false }
        return port.isEmpty || Int(String(Substring(port))).map { $0 <= 65_535 } == true
    }
}
