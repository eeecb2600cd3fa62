import EmbeddedCatalogue
import Foundation
import HTTPSemantics
import MovieAPI
import MovieDomain
import MovieLibrary
import OneSheetConfiguration
import PosterTesting
import Testing

/// What the resources of accounts answer from: the embedded accounts and store, and films of a test's own.
struct MovieServicesFixture: Sendable {
    static let film = MovieID("heat-1995")!

    /// In seconds since 1970, it begins with the second one.
    let day = ManualClock()
    let movies = ScriptedMovies()
    let catalogue: ScriptedCatalogue
    let favourites = MemoryFavourites()
    let sessions = MemorySessions()
    let accounts: EmbeddedAccounts
    var services: MovieServices

    /// - Parameters:
    ///   - films: How many are known beside ``film``: `film-1`, `film-2` …
    ///   - pageSize: Of the catalogue.
    init(films: Int = 0, pageSize: Int = 20) throws {
        let day = self.day
        let now: @Sendable () -> Instant = { Instant(secondsSince1970: Int64(day.now() / 1_000_000_000)) }
        self.catalogue = ScriptedCatalogue(pageSize: pageSize)
        self.accounts = EmbeddedAccounts(try LibraryDatabase(), publicBase: "", movies: self.movies, now: now)
        self.services = MovieServices(
            sources: MovieRepositories([self.movies], off: [.tmdb: "tmdb-key"]), catalogue: self.catalogue,
            boxOffice: ScriptedBoxOffice(), store: try EmbeddedStore(try CatalogueResource(), now: now),
            accounts: self.accounts, approvals: self.accounts, sessions: self.sessions,
            favourites: self.favourites, now: now)
        self.add(Self.film, title: "히트", original: "Heat")
        for number in 0..<films { self.add(MovieID("film-\(number + 1)")!, title: "Film \(number + 1)") }
    }

    func add(_ id: MovieID, title: String, original: String = "") {
        self.movies.add(Movie(summary: MovieSummary(id: id, title: title, originalTitle: original)!))
    }

    /// Runs the service with it.
    func run(
        _ settings: LiveServer.Settings = LiveServer.Settings(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = settings
        settings.films = self.services
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in try await body(server) }
        }
    }
}

extension LiveServer {
    /// One request with a body on a connection of its own.
    func send(
        _ method: String, _ target: String, _ body: String = "", headers: [String: String] = [:]
    ) async throws -> HTTPConnection.Answer {
        let connection = try self.connect()
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        try connection.send(
            raw: "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n"
                + body)
        return try await connection.answer(hasBody: method != "HEAD")
    }

    /// The headers of whoever signed in just now.
    func signIn() async throws -> [String: String] {
        let wish = try await self.send("POST", "/auth/token").json
        let token = try #require(wish["requestToken"] as? String)
        _ = try await self.send("POST", "/auth/approve/\(token)", "approve=1")
        let session = try await self.send("POST", "/auth/session", "{\"requestToken\":\"\(token)\"}").json
        return ["Authorization": "Bearer \(try #require(session["token"] as? String))"]
    }

    /// The headers of a new device.
    func device() async throws -> [String: String] {
        let session = try await self.send("POST", "/auth/device").json
        return ["Authorization": "Bearer \(try #require(session["token"] as? String))"]
    }
}

extension HTTPConnection.Answer {
    /// Whether it is a problem of a kind.
    func isProblem(_ status: Int, _ kind: String) -> Bool {
        self.status == status && self.text.contains("\"type\":\"urn:onesheet:problem:\(kind)\"")
            && self.headers["content-type"] == "application/problem+json"
    }
}

/// Expects an answer to be a problem of a kind.
func expectProblem(
    _ status: Int, _ kind: String, _ answer: HTTPConnection.Answer, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.isProblem(status, kind), "\(answer.status) \(answer.text)", sourceLocation: sourceLocation)
}
