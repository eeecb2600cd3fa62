/// A request as an ``OriginServer`` read it.
public struct OriginRequest: Sendable, Hashable {
    /// `GET`, in all likelihood.
    public let method: String
    /// Path and query, as sent.
    public let target: String
    /// Names in lower case; the last of several lines.
    public let headers: [String: String]
    /// Which connection it came on; the first one accepted is 1.
    public let connection: Int

    /// The target without its query.
    public var path: String { String(self.target.prefix { $0 != "?" }) }

    /// Reads a request's head; nil when it is none.
    init?(head: String, connection: Int) {
        let lines = head.split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        self.method = String(words[0])
        self.target = String(words[1])
        self.connection = connection
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        self.headers = headers
    }
}
