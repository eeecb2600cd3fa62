import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility
@testable import OneSheetServer

/// Walls of posters at the URLs that clients of RPDB build; only their base URL is this server's.
@Suite(.timeLimit(.hang))
struct RPDBClientTests {
    /// A Stremio add-on with IMDb's ids, such as AIOMetadata.
    private static func metadataAddOn(_ key: String, imdb: String) -> String {
        "/\(key)/imdb/poster-default/\(imdb).jpg?fallback=true"
    }

    /// A Stremio add-on with TMDB's numbers, such as tmdb-addon: keys above the first two tiers get a language.
    private static func tmdbAddOn(_ key: String, type: String, tmdb: Int, language: String) -> String {
        let url = "/\(key)/tmdb/poster-default/\(type)-\(tmdb).jpg?fallback=true"
        return key.hasPrefix("t0-") || key.hasPrefix("t1-") ? url : "\(url)&lang=\(language.prefix(2))"
    }

    /// The plug-in for Jellyfin: any type of poster, `poster-` replaced by `textless-` by choice.
    private static func jellyfin(_ key: String, site: String, id: String, type: String, isTextless: Bool) -> String {
        let type = isTextless ? type.replacing("poster-", with: "textless-") : type
        return "/\(key)/\(site)/\(type)/\(id).jpg"
    }

    /// A film of the embedded catalogue with the ids that are derived from its key.
    private struct Film {
        let title: String
        let number: Int
    }

    private static func films() async throws -> [Film] {
        let services = try SharedCatalogue.movies.services
        let films = try await services.allFilms(language: LanguagePreference([.english]), pageLimit: 10)
        return try films.map { film in
            Film(
                title: try #require(TMDBNumber.title(of: film.id)), number: try #require(TMDBNumber.number(of: film.id))
            )
        }
    }

    private static func run(
        _ options: [String: [String]] = [:], _ body: @escaping @Sendable (HTTPConnection) async throws -> Void
    ) async throws {
        var settings = LiveServer.Settings()
        settings.options = options
        settings.compatibility = CompatibilityResources.Settings(apis: [.rpdb], keys: try ClientKeys("rpdb t2-key"))
        try await withOrigin { [settings] origin in
            try await LiveServer.run(origin: origin, settings) { server in try await body(server.connect()) }
        }
    }

    @Test("three clients get all posters", arguments: ["", "/compat/rpdb"])
    func wall(base: String) async throws {
        let films = try await Self.films()
        #expect(films.count == 48)
        try await Self.run(["rpdb": ["true"]]) { connection in
            #expect(try await connection.get("\(base)/t2-key/isValid").text == #"{"valid":true}"#)
            for (place, film) in films.enumerated() {
                let target =
                    switch place % 3 {
                    case 0: Self.metadataAddOn("t2-key", imdb: film.title)
                    case 1: Self.tmdbAddOn("t2-key", type: "movie", tmdb: film.number, language: "de-DE")
                    default:
                        Self.jellyfin(
                            "t2-key", site: "imdb", id: film.title, type: "poster-rt", isTextless: place % 2 == 0)
                    }
                let answer = try await connection.get(base + target)
                #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg", "\(target)")
            }
        }
    }

    @Test func aWrongKeyAndUnknownFilmsAreAsClientsExpect() async throws {
        try await Self.run { connection in
            let base = "/compat/rpdb"
            #expect(try await connection.get("\(base)/t0-wrong/isValid").status == 401)
            let unknown = Self.jellyfin("t2-key", site: "tvdb", id: "5", type: "poster-default", isTextless: false)
            #expect(try await connection.get(base + unknown).status == 404)
            let series = Self.tmdbAddOn("t2-key", type: "series", tmdb: 1396, language: "en-US")
            let placeholder = try await connection.get(base + series)
            #expect(placeholder.status == 200 && placeholder.headers["cache-control"] == "public, max-age=60")
        }
    }
}
