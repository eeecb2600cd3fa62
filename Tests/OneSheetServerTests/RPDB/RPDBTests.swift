import HTTPServer
import MovieDomain
import MovieHTTP
import PictureTesting
import PosterAPI
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility
@testable import OneSheetServer

/// RPDB's paths over HTTP: the embedded catalogue's films by their derived ids, and scripted series.
@Suite(.timeLimit(.hang))
struct RPDBTests {
    /// Two series: one with all pictures at the origin, one without.
    private struct ScriptedSeries: SeriesRepository {
        func title(_ id: String, at registry: TitleRegistry) async throws -> FoundTitle? {
            switch (registry, id) {
            case (.imdb, "tt0903747"), (.tvdb, "81189"): .series(1396)
            case (.imdb, "tt0000009"): throw SourceFailure.tooSlow(.tmdb)
            default: nil
            }
        }

        func series(_ number: Int, language: Language?) async throws -> Series? {
            guard [1396, 1397].contains(number) else { return nil }
            let poster = number == 1396 ? (language?.code == "de" ? "german.jpg" : "poster.jpg") : "missing.jpg"
            return Series(
                number: number, poster: .tmdb(file: poster), logo: .tmdb(file: "logo.png"),
                score: AudienceScore(average: 8.9, count: 10))
        }
    }

    private static let base = "/compat/rpdb"
    private static let route = "/compat/rpdb/{key}/{registry}/{type}/{file}"

    private static func title(_ film: String) throws -> String {
        let id = try #require(MovieID(film))
        return try #require(TMDBNumber.title(of: id))
    }

    private func withServer(
        keys: String? = nil, options: [String: [String]] = [:], pictures: ReloadablePicturePolicy? = nil,
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = LiveServer.Settings()
        settings.options = options
        settings.compatibility = CompatibilityResources.Settings(
            apis: [.rpdb], keys: try keys.map { try ClientKeys($0) } ?? .any)
        if let pictures { settings.pictures = pictures }
        var films = try SharedCatalogue.movies.services
        films.series = ScriptedSeries()
        settings.films = films
        try await withOrigin { [settings] origin in
            origin.on("/poster.jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
            origin.on("/german.jpg", .image(TestPicture.jpeg(width: 600, height: 900, seed: 2)))
            try await LiveServer.run(origin: origin, settings) { server in try await body(server) }
        }
    }

    /// The response once the film's scores are known.
    private static func settled(_ target: String, _ server: LiveServer) async throws -> HTTPConnection.Answer {
        try await eventually { try await server.get(target).headers["cache-control"] != "public, max-age=60" }
        return try await server.get(target)
    }

    @Test func aFilmHasItsPosterWithScoresAsJPEG() async throws {
        let title = try Self.title("nosferatu-1922")
        let film = try #require(MovieID("nosferatu-1922"))
        let number = try #require(TMDBNumber.number(of: film))
        try await self.withServer { server in
            let target = "\(Self.base)/any/imdb/poster-default/\(title).jpg"
            let answer = try await Self.settled(target, server)
            #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
            #expect(answer.headers["vary"] == nil)
            #expect(answer.headers["cache-control"]?.contains("max-age=2592000") == true)
            let tag = try #require(answer.headers["etag"])
            let webp = try await server.get(target, headers: ["Accept": "image/webp"])
            #expect(webp.headers["etag"] == tag && webp.headers["content-type"] == "image/jpeg")
            #expect(try await server.get(target, headers: ["If-None-Match": tag]).status == 304)
            let head = try await server.get(target, method: "HEAD")
            #expect(head.status == 200 && head.headers["etag"] == tag)
            let byNumber = try await Self.settled("\(Self.base)/any/tmdb/poster-default/movie-\(number).jpg", server)
            #expect(byNumber.headers["etag"] == tag)
            let plain = try await server.get("/poster/nosferatu-1922?w=580&h=859&fit=cover&format=jpeg")
            #expect(plain.headers["etag"] != tag, "scores are drawn")
            #expect(server.requests.first?.route == Self.route)
        }
    }

    @Test func aSeriesHasItsPosterAndScore() async throws {
        try await self.withServer { server in
            var tags: Set<String> = []
            for path in [
                "imdb/poster-default/tt0903747", "tvdb/poster-default/81189", "tmdb/poster-default/series-1396",
            ] {
                let answer = try await server.get("\(Self.base)/any/\(path).jpg?badges=tmdb")
                #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
                #expect(answer.headers["cache-control"]?.contains("max-age=604800") == true)
                tags.insert(try #require(answer.headers["etag"]))
            }
            #expect(tags.count == 1)
            let german = try await server.get("\(Self.base)/any/imdb/poster-default/tt0903747.jpg?lang=de&badges=tmdb")
            #expect(german.status == 200 && !tags.contains(german.headers["etag"] ?? ""))
            let textless = try await server.get("\(Self.base)/any/imdb/textless-default/tt0903747.jpg?badges=tmdb")
            #expect(tags.contains(textless.headers["etag"] ?? ""), "without a textless poster it is the usual one")
        }
    }

    @Test func keysAreChecked() async throws {
        let title = try Self.title("nosferatu-1922")
        try await self.withServer(keys: "rpdb right badges=sample badge-position=top\nrpdb plain") { server in
            let valid = try await server.get("\(Self.base)/right/isValid")
            #expect(valid.status == 200 && valid.text == #"{"valid":true}"#)
            let poster = "imdb/poster-default/\(title).jpg"
            for path in ["isValid", poster, poster + "?fallback=true"] {
                let refused = try await server.get("\(Self.base)/wrong/\(path)")
                #expect(refused.status == 401 && refused.headers["content-type"] == "application/problem+json")
                #expect(!refused.text.contains("wrong"))
            }
            let path = "imdb/poster-default/\(title).jpg"
            let own = try await Self.settled("\(Self.base)/right/\(path)", server)
            let usual = try await Self.settled("\(Self.base)/plain/\(path)", server)
            #expect(own.status == 200 && usual.status == 200 && own.headers["etag"] != usual.headers["etag"])
        }
    }

    @Test func errorsHaveTheirStatusesOrAPlaceholder() async throws {
        try await self.withServer { server in
            for (path, status) in [
                ("imdb/poster-default/tt0000001", 404), ("tmdb/poster-default/movie-5", 404),
                ("tmdb/poster-default/series-5", 404), ("tvdb/poster-default/5", 404),
                ("imdb/backdrop-default/tt0903747", 404), ("imdb/poster-default/tt0000009", 504),
                ("tmdb/poster-default/series-1397", 404),
            ] {
                let answer = try await server.get("\(Self.base)/any/\(path).jpg")
                #expect(answer.status == status, "\(path)")
                let fallback = try await server.get("\(Self.base)/any/\(path).jpg?fallback=true")
                #expect(fallback.status == 200 && fallback.headers["content-type"] == "image/jpeg", "\(path)")
                #expect(fallback.headers["cache-control"] == "public, max-age=60")
                let tag = try #require(fallback.headers["etag"])
                let known = try await server.get(
                    "\(Self.base)/any/\(path).jpg?fallback=true", headers: ["If-None-Match": tag])
                #expect(known.status == 304)
            }
            for path in [
                "imdb/poster-default/603.jpg", "imdb/poster/tt1.jpg", "imdb/poster-default/tt1.jpg?imageSize=x",
            ] {
                #expect(try await server.get("\(Self.base)/any/\(path)").status == 400, "\(path)")
                let separator = path.contains("?") ? "&" : "?"
                let fallback = try await server.get("\(Self.base)/any/\(path)\(separator)fallback=true")
                #expect(fallback.status == 200 && fallback.headers["content-type"] == "image/jpeg", "\(path)")
            }
            for id in ["tt0000001", "undefined"] {
                let logo = try await server.get("\(Self.base)/any/imdb/logo-default/\(id).png?fallback=true")
                #expect(logo.status == 200 && logo.headers["content-type"] == "image/png", "it covers nothing")
            }
            #expect(try await server.get("\(Self.base)/any/kitsu/poster-default/1.jpg").status == 404)
        }
    }

    @Test func theRootNeedsTheOptionAndHidesNothing() async throws {
        let path = "/any/imdb/poster-default/\(try Self.title("nosferatu-1922")).jpg"
        try await self.withServer { server in
            let picture = try await server.get(path)
            #expect(picture.status == 404)
            #expect(try await server.get("/any/isValid").status == 404)
        }
        try await self.withServer(options: ["rpdb": ["true"]]) { server in
            let picture = try await server.get(path)
            #expect(picture.status == 200)
            #expect(try await server.get("/any/isValid").status == 200)
            #expect(try await server.get("/poster/nosferatu-1922?w=92").status == 200)
            #expect(try await server.get("/movies/nosferatu-1922").status == 200)
            for own in ["/movies/isValid", "/poster/tmdb/poster-default/1.jpg", "/any/other", "/any"] {
                // 400 for a film's id that cannot be.
                #expect([400, 404].contains(try await server.get(own).status), "\(own)")
            }
        }
    }

    @Test func keysWithEqualSettingsAreRedirectedToOneURL() async throws {
        let path = "imdb/poster-default/\(try Self.title("nosferatu-1922")).jpg"
        let keys = "rpdb a\nrpdb b\nrpdb c badges=sample badge-style=bar"
        try await self.withServer(keys: keys, options: ["canonical-redirects": ["true"]]) { server in
            var locations: [String?] = []
            for key in ["a", "b", "c"] {
                let answer = try await server.get("\(Self.base)/\(key)/\(path)")
                #expect(answer.status == 302)
                locations.append(answer.headers["location"])
            }
            let common = "/poster/nosferatu-1922?w=580&h=859&fit=cover&format=jpeg&badges=sample"
            #expect(locations == [common, common, common + "&badge-style=bar"])
            #expect(try await server.get(common).status == 200)
            #expect(try await server.get("\(Self.base)/wrong/\(path)").status == 401)
            #expect(try await server.get("\(Self.base)/a/imdb/poster-default/tt0000001.jpg").status == 404)
            let series = try await server.get("\(Self.base)/a/imdb/poster-default/tt0903747.jpg")
            #expect(series.status == 200, "only films are at /poster")
            let replaced = try await server.get("\(Self.base)/a/\(path)?fallback=true")
            #expect(replaced.status == 200, "/poster has no placeholder")
        }
    }

    @Test func acceptDecidesByTheOptionOnly() async throws {
        try await self.withServer(options: ["rpdb-negotiate": ["true"]]) { server in
            let answer = try await server.get(
                "\(Self.base)/any/imdb/poster-default/tt0903747.jpg", headers: ["Accept": "image/webp"])
            #expect(answer.headers["content-type"] == "image/webp" && answer.headers["vary"] == "Accept")
        }
    }

    @Test func onlyListedKeysReplaceASignature() async throws {
        var policy = PicturePolicy()
        policy.requiresSignatures = true
        policy.signingKeys = try SigningKeys("a key that nobody knows")
        let path = "imdb/poster-default/tt0903747.jpg"
        try await self.withServer(pictures: ReloadablePicturePolicy(policy)) { server in
            let refused = try await server.get("\(Self.base)/any/\(path)")
            #expect(refused.status == 403)
        }
        try await self.withServer(keys: "rpdb right", pictures: ReloadablePicturePolicy(policy)) { server in
            let answer = try await server.get("\(Self.base)/right/\(path)")
            #expect(answer.status == 200)
        }
    }
}
