import HTTPSemantics
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// An app on a device with its own key.
struct AppClient: Sendable {
    /// Two devices with the same app.
    static let keys = ["key-of-one", "key-of-another"]

    let server: LiveServer
    let key: String

    /// The JSON of a response. Parameter values are percent-encoded.
    func json(
        _ api: CompatibleAPI, _ path: String, _ parameters: [(name: String, value: String)] = [],
        headers: [String: String] = [:]
    ) async throws -> OrderedJSON {
        let query = parameters.map { "\($0.name)=\(PercentEncoding.encode($0.value.utf8))" }.joined(separator: "&")
        let target = RecordedResponse.base(of: api) + path + (query.isEmpty ? "" : "?\(query)")
        let answer = try await self.server.get(target, headers: headers)
        try #require(answer.status == 200, "\(target): \(answer.text)")
        return try OrderedJSON(parsing: answer.body)
    }

    /// Runs an app on two devices in turn.
    static func run(on server: LiveServer, _ app: (AppClient) async throws -> Void) async throws {
        for key in Self.keys { try await app(AppClient(server: server, key: key)) }
    }
}
