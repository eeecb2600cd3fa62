import HTTPTesting
import MovieAPI
import MovieDomain
import MovieHTTP
import PosterTesting
import ServiceTesting
import Testing

@testable import OpenAPI

/// Every request may specify its language; over real sockets.
@Suite(.timeLimit(.hang))
struct ResponseLanguageTests {
    private struct NoPosters: PosterDecider {
        func decision(for id: MovieID) async throws -> PosterDecision {
            PosterDecision(poster: nil, source: nil, decidedAt: Instant(secondsSince1970: 0))
        }

        func replacement(
            for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool
        ) async throws -> PosterReference? { nil }
    }

    private static let operations =
        APIOperation.films + APIOperation.people + APIOperation.signingIn + APIOperation.accounts + APIOperation.apps
        + [APIOperation.posterCandidates]

    /// A target of the operation with its required parameters, without a language.
    private static func target(_ operation: APIOperation) -> String {
        var path = operation.path
        for (name, value) in [
            ("{list}", "popular"), ("{period}", "week"), ("{code}", "1"), ("{requestToken}", "x"),
            ("{id}", path.hasPrefix("/apps") ? "app-nickelodeon" : "heat-1995"),
        ] { path.replace(name, with: value) }
        let required = operation.parameters.filter { $0.place == .query && $0.isRequired }
        return path + "?" + required.map { "\($0.name)=a&" }.joined()
    }

    @Test func aLanguageIsTakenByEveryResource() async throws {
        let fixture = try MovieServicesFixture()
        var services = fixture.services
        services.posters = NoPosters()
        services.now = { FilmFixture.sunday }
        let all = services
        var settings = LiveServer.Settings()
        settings.films = all
        let chosen = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, chosen) { server in
                for operation in Self.operations {
                    #expect(operation.parameters.contains { $0.name == "language" }, "\(operation.name)")
                    let method = operation.method.rawValue.uppercased()
                    let target = Self.target(operation)
                    let answer = try await server.send(method, target + "language=ja")
                    #expect(answer.problem != "invalid-parameter", "\(method) \(target): \(answer.text)")
                    let none = try await server.send(method, target + "language=1")
                    #expect(none.status == 400 && none.problem == "invalid-parameter", "\(method) \(target)")
                }
            }
        }
    }
}
