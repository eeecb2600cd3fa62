/// A request received by an ``OriginServer``.
public struct OriginRequest: Sendable, Hashable {
    /// The method, such as `GET`.
    public let method: String
    /// The path and the query, as sent.
    public let target: String
    /// The fields by lower-case name; the last one if a name occurs several times.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]
    /// The number of the connection; the first one accepted is 1.
    public let connection: Int

    /// The target without its query.
    public var path: String { String(self.target.prefix { $0 != "?" }) }

    /// Parses a request's head; `nil` if it is malformed.
    init?(head: String, connection: Int) {
        let lines = head.split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        self.method = String(words[0])
        self.target = String(words[1])
        self.body = []
        self.connection = connection
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        self.headers = headers
    }

    func with(body: [UInt8]) -> OriginRequest {
        OriginRequest(
            method: self.method, target: self.target, headers: self.headers, body: body, connection: self.connection)
    }

    private init(method: String, target: String, headers: [String: String], body: [UInt8], connection: Int) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.connection = connection
    }

    /// The body's length in bytes; chunked bodies are not supported.
    var bodyByteCount: Int { self.headers["content-length"].flatMap { Int($0) } ?? 0 }
}
