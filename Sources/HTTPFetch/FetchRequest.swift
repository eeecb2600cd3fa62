/// A GET.
public struct FetchRequest: Sendable {
    /// An absolute `http` or `https` URL, without a user name.
    ///
    /// Spaces and non-ASCII characters are percent-encoded.
    public var url: String
    /// Headers to send beside `Host`, `User-Agent`, `Accept` and `Accept-Encoding`.
    ///
    /// A redirect to another scheme, host or port drops all of them, since one may be a credential.
    public var headers: [(name: String, value: String)]

    /// A request; no headers by default.
    public init(url: String, headers: [(name: String, value: String)] = []) {
        self.url = url
        self.headers = headers
    }
}

extension FetchRequest {
    /// The headers as libcurl takes them.
    ///
    /// - Throws: ``FetchError/invalidHeader(_:)`` when one would break out of its line.
    func headerLines() throws(FetchError) -> [String] {
        var lines: [String] = []
        for (name, value) in self.headers {
            guard Self.isToken(name), Self.isFieldValue(value) else { throw .invalidHeader(name) }
            // To libcurl "Name:" means "do not send it", and "Name;" an empty value.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }

    /// RFC 9110, 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// No control characters but the tab (RFC 9110, 5.5).
    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }
}
