import HTTPServer
import MovieDomain
import MovieHTTP
import PosterTesting
import ServiceTesting

@testable import MovieWeb

extension MovieServicesFixture {
    /// Runs the service with its website.
    func serveWeb(
        _ settings: LiveServer.Settings = LiveServer.Settings(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = settings
        settings.web = true
        try await self.run(settings, body)
    }

    /// The summaries of films `film-1`, `film-2` …
    static func films(_ count: Int) -> [MovieSummary] {
        (0..<count).map { Self.summary("film-\($0 + 1)", title: "Film \($0 + 1)") }
    }

    static func summary(
        _ id: String, title: String, original: String = "", language: String? = nil, overview: String = "",
        year: Int? = nil, directors: [String] = [], hasScene: Bool = false
    ) -> MovieSummary {
        MovieSummary(
            id: MovieID(id)!, title: title, originalTitle: original,
            originalLanguage: language.flatMap { Language($0) }, overview: overview, year: year, directors: directors,
            backdrop: hasScene
                ? PosterReference(
                    .packaged(file: "scenes/\(id).jpg", version: "1"), size: PictureSize(width: 1280, height: 720))
                : nil
        )!
    }
}

extension LiveServer {
    /// Requests a page as a browser does.
    func page(
        _ target: String, languages: String = "en", headers: [String: String] = [:]
    ) async throws -> HTTPConnection.Answer {
        var headers = headers
        headers["Accept"] = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
        headers["Accept-Language"] = languages
        return try await self.get(target, headers: headers)
    }

    func post(
        _ target: String, _ body: String = "", headers: [String: String] = [:]
    ) async throws -> HTTPConnection.Answer {
        let connection = try self.connect()
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        try connection.send(
            raw: "POST \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n"
                + body)
        return try await connection.answer()
    }
}

extension WebFiles {
    /// The program's web files, parsed once.
    static let ofProgram = Result { try WebFiles() }
}

extension HTTPConnection.Answer {
    var outline: HTMLOutline { HTMLOutline(self.text) }
}
