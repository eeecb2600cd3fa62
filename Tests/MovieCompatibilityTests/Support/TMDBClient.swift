import MovieDomain
import MovieHTTP
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// A client of The Movie Database's API on a running server.
struct TMDBClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]

        var json: OrderedJSON { get throws { try OrderedJSON(parsing: self.body) } }
        var code: Int? { get throws { try self.json["status_code"]?.integer } }
    }

    private static let base = "/compat/tmdb/3"

    let server: LiveServer

    static func run(
        _ services: MovieServices, upstream: (any TMDBUpstream)?, keys: ClientKeys = .any,
        _ body: @escaping @Sendable (TMDBClient) async throws -> Void
    ) async throws {
        var settings = LiveServer.Settings()
        settings.films = services
        settings.compatibility = CompatibilityResources.Settings(apis: [.tmdb], keys: keys)
        settings.documents = CompatibleUpstreams(tmdb: upstream)
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in try await body(TMDBClient(server: server)) }
        }
    }

    /// - Parameter target: The target relative to the API's version.
    func get(_ target: String, headers: [String: String] = [:]) async throws -> Answer {
        try await self.send("GET", target, headers: headers)
    }

    func send(
        _ method: String, _ target: String, _ body: String = "", headers: [String: String] = [:]
    ) async throws -> Answer {
        let connection = try self.server.connect()
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        try connection.send(
            raw: "\(method) \(Self.base)/\(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let answer = try await connection.answer(hasBody: method != "HEAD")
        return Answer(status: answer.status, headers: answer.headers, body: answer.body)
    }

    /// Signs in with a user's approval and returns the session's id.
    func signIn() async throws -> String {
        let wish = try await self.get("authentication/token/new")
        let token = try #require(try wish.json["request_token"]?.string)
        let connection = try self.server.connect()
        try connection.send(
            raw: "POST /auth/approve/\(token) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\napprove=1")
        _ = try await connection.answer(hasBody: true)
        let session = try await self.send(
            "POST", "authentication/session/new", #"{"request_token":"\#(token)"}"#)
        return try #require(try session.json["session_id"]?.string)
    }
}
