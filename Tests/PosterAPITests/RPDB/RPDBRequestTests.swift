import HTTPSemantics
import PosterCodec
import PosterPipeline
import Testing

@testable import PosterAPI

struct RPDBRequestTests {
    private func request(_ target: String) throws(Problem) -> RPDBRequest {
        let target = RequestTarget(target)
        return try RPDBRequest(try RPDBPath(target), target)
    }

    @Test(
        "ids of all sites are read",
        arguments: [
            ("imdb/poster-default/tt0111161.jpg", RPDBTitle.imdb("tt0111161")),
            ("tmdb/poster-default/movie-603.jpg", .movie(603)), ("tmdb/poster-default/603.jpg", .movie(603)),
            ("tmdb/poster-default/series-1396.jpg", .series(1396)), ("tmdb/poster-default/tv-1396.jpg", .series(1396)),
            ("tvdb/poster-default/81189.jpg", .tvdb(81189)), ("tvdb/poster-default/series-81189.jpg", .tvdb(81189)),
            ("tvdb/poster-default/movie-5.jpg", .tvdbMovie(5)), ("imdb/logo-default/tt0111161.png", .imdb("tt0111161")),
        ])
    func ids(path: String, title: RPDBTitle) throws {
        for base in ["", RPDBPath.base] {
            #expect(try self.request("\(base)/key/\(path)").title == title)
        }
    }

    @Test(
        "types name the kind of picture, and an order of scores",
        arguments: [
            ("poster-default", .poster, []), ("textless-default", .textless, []), ("backdrop-default", .backdrop, []),
            ("logo-default", .logo, []), ("poster-certs", .poster, []), ("poster-rt", .poster, [.imdb, .rt, .popcorn]),
            ("textless-mc", .textless, [.imdb, .metacritic]),
            ("poster-order-tmdb-Tomatoes-what-imdb-imdb", .poster, [.tmdb, .rt, .imdb]), ("poster-order", .poster, []),
            (
                "poster-order-imdb-rt-popcorn-mc-trakt-lb-mal-tmdb", .poster,
                [.imdb, .rt, .popcorn, .metacritic, .trakt, .letterboxd]
            ),
        ] as [(String, RPDBPictureKind, [BadgeSource])])
    func types(text: String, kind: RPDBPictureKind, sources: [BadgeSource]) throws {
        let type = try #require(RPDBPictureType(text[...]))
        #expect(type.kind == kind && type.sources == sources)
    }

    @Test(
        "each kind of picture has its sizes",
        arguments: [
            ("poster-default", nil, 580, 859), ("poster-default", "medium", 580, 859),
            ("textless-default", "large", 1280, 1896), ("poster-default", "verylarge", 2000, 2962),
            ("poster-default", "very-large", 2000, 2962), ("backdrop-default", nil, 1920, 1080),
            ("backdrop-default", "small", 1280, 720), ("poster-default", "small", 580, 859),
            ("logo-default", nil, 780, 244),
        ] as [(String, String?, Int, Int)])
    func sizes(type: String, size: String?, width: Int, height: Int) throws {
        let query = size.map { "?imageSize=\($0)" } ?? ""
        let box = try self.request("/key/imdb/\(type)/tt0111161.jpg\(query)").box
        #expect(box == (width, height))
    }

    @Test func unknownAndEmptyParametersAreIgnored() throws {
        let plain = try self.request("/key/imdb/poster-default/tt1.jpg?lang=&cache=1&cache=2&imageSize=")
        #expect(plain.language == nil && !plain.hasFallback && plain.badges.isEmpty)
        let all = try self.request("/key/imdb/poster-default/tt1.jpg?fallback=true&lang=pt-BR&badges=rt&s=1")
        #expect(all.language == "pt" && all.hasFallback && all.badges.map(\.value) == ["rt"])
        #expect(try !self.request("/key/imdb/poster-default/tt1.jpg?fallback=false").hasFallback)
    }

    @Test(
        "an order may be in the query",
        arguments: [
            ("rating-order?order=imdb%2C%20tomatoes-critics%2Cmetacritic-critics", .poster, [.imdb, .rt, .metacritic]),
            ("textless-order?order=tomatoes-audience,rogerebert,tmdb", .textless, [.popcorn, .tmdb]),
            ("poster-order-imdb?order=tmdb", .poster, [.imdb]), ("poster-default?order=tmdb", .poster, []),
        ] as [(String, RPDBPictureKind, [BadgeSource])])
    func orders(type: String, kind: RPDBPictureKind, sources: [BadgeSource]) throws {
        let parts = type.split(separator: "?")
        let type = try self.request("/key/imdb/\(parts[0])/tt1.jpg?\(parts[1])").type
        #expect(type.kind == kind && type.sources == sources)
    }

    @Test func marksAndLanguagesOfOthersAreIgnored() throws {
        for badges in ["4k,hdrcolor", "commonsensegold%2C4k", "country.kr"] {
            #expect(try self.request("/key/imdb/poster-default/tt1.jpg?badges=\(badges)&badgePos=right").badges.isEmpty)
        }
        for (text, language) in [("none", nil), ("undefined", nil), ("de_DE", "de"), ("deutsch", nil)] {
            #expect(try self.request("/key/imdb/poster-default/tt1.jpg?lang=\(text)").language == language)
        }
    }

    @Test(
        "malformed requests are refused",
        arguments: [
            ("/key/imdb/poster-default", .notFound), ("/key/kitsu/poster-default/1.jpg", .notFound),
            ("/key/imdb/poster/tt1.jpg", .malformedRequest), ("/key/imdb/cover-default/tt1.jpg", .malformedRequest),
            ("/key/imdb/poster-/tt1.jpg", .malformedRequest), ("/key/imdb/poster-default/tt1", .malformedRequest),
            ("/key/imdb/poster-default/tt1.gif", .malformedRequest), ("/key/imdb/poster-default/603.jpg", .invalidID),
            ("/key/imdb/poster-default/tt.jpg", .invalidID), ("/key/imdb/poster-default/tt1x.jpg", .invalidID),
            ("/key/imdb/poster-default/tt1234567890123.jpg", .invalidID),
            ("/key/tmdb/poster-default/movie-.jpg", .invalidID), ("/key/tmdb/poster-default/movie-0.jpg", .invalidID),
            ("/key/tmdb/poster-default/show-5.jpg", .invalidID), ("/key/tmdb/poster-default/movie--5.jpg", .invalidID),
            ("/key/tmdb/poster-default/99999999999.jpg", .invalidID), ("/key/tvdb/poster-default/x.jpg", .invalidID),
            ("/key/imdb/poster-default/tt1.jpg?imageSize=huge", .invalidParameter),
            ("/key/imdb/poster-default/tt1.jpg?lang=de&lang=en", .invalidParameter),
            ("/key/imdb/poster-default/tt1.jpg?lang=%GG", .invalidParameter),
        ] as [(String, Problem.Kind)])
    func refusals(target: String, kind: Problem.Kind) {
        let problem = #expect(throws: Problem.self) { try self.request(target) }
        #expect(problem?.kind == kind)
    }

    @Test func aKeyIsDecodedOnce() throws {
        #expect(try RPDBPath(RequestTarget("/compat/rpdb/a%20b/isValid")).key == "a b")
        for target in ["/%GG/isValid", "/compat/rpdb", "/\(String(repeating: "a", count: 1025))/isValid"] {
            #expect(throws: Problem.self) { try RPDBPath(RequestTarget(target)) }
        }
    }

    @Test func picturesHaveExactBoxesAndIgnoreAccept() throws {
        let parser = PictureRequestParser()
        let id = try PosterID("tmdb:603")
        let badges = try BadgeDefaults([], otherwise: [.tmdb]).badges([], sources: [])
        func target(_ type: String, _ negotiated: FormatChoice? = nil) throws -> (RenderTarget, PictureRequest) {
            let asked = try self.request("/key/imdb/\(type)/tt1.jpg")
            let picture = parser.rpdb(asked, RPDBPicture(id), badges: badges, negotiated: negotiated)
            return (try #require(picture.wanted), picture)
        }
        let (poster, request) = try target("poster-default")
        #expect(poster.width == 580 && poster.height == 859 && poster.fit == .cover && poster.format == .jpeg)
        #expect(request.badges?.sources == [.tmdb] && request.needsFilm && request.vary == [])
        let (backdrop, plain) = try target("backdrop-default")
        #expect(backdrop.width == 1920 && plain.badges == nil && !plain.needsFilm)
        #expect(try target("logo-default").0.format == .png)
        let (negotiated, varied) = try target("poster-default", FormatChoice(.webp))
        #expect(negotiated.format == .webp && varied.vary == .accept)
        #expect(try target("logo-default", FormatChoice(.jpeg)).0.format == .png, "logos have alpha")
        #expect(try target("logo-default", FormatChoice(.webp)).0.format == .webp)
    }

    @Test func aSeriesHasItsOwnScores() throws {
        let asked = try self.request("/key/tmdb/poster-default/series-1396.jpg")
        let score = try #require(BadgeScore(fraction: 0.89, at: .tmdb))
        let picture = RPDBPicture(
            try PosterID(source: PosterID.tmdbImageSource, key: "a.jpg"),
            scores: BadgeScores([.tmdb: score], isCurrent: true, lifetime: 86_400))
        let badges = try BadgeDefaults([], otherwise: [.imdb, .tmdb]).badges([], sources: [])
        let request = PictureRequestParser().rpdb(asked, picture, badges: badges, negotiated: nil)
        #expect(request.wanted?.badges?.badges.map(\.text) == ["TMDB 8.9"] && !request.needsFilm)
        #expect(request.badgeSeconds == 86_400)
    }
}
