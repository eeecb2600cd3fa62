import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import PosterAPI

/// The `poster` of a film in lists, with the data that is in memory.
@Suite(.timeLimit(.hang))
struct PipelinePictureURLsTests {
    private func poster(
        _ id: String, language: String? = nil, in fixture: CacheHitFixture, policy: PicturePolicy = PicturePolicy(),
        size: (Int, Int)? = nil, isMissing: Bool = false
    ) throws -> PosterObject? {
        let id = try PosterID(id)
        let policies = ReloadablePicturePolicy(policy, languages: PosterLanguages(sources: ["tmdb"], own: "en"))
        let urls = PipelinePictureURLs(policies: policies, urls: PosterURLBuilder(), pipeline: fixture.pipeline)
        return try urls.poster(
            PictureID(source: id.source, key: id.key, language: language), size: size, isMissing: isMissing)
    }

    /// A poster's size, colours and version describe the picture at its URLs.
    @Test func eachLanguageHasItsURLsAndItsSize() async throws {
        let fixture = try await CacheHitFixture(others: [
            "603": TestPicture.jpeg(width: 200, height: 300), "603~ja": TestPicture.jpeg(width: 100, height: 150),
        ])
        for id in ["tmdb:603", "tmdb:603~ja"] {
            let description = try await fixture.pipeline.description(of: try PosterID(id))
            let language = id.hasSuffix("~ja") ? "ja" : "en"
            let poster = try #require(try self.poster("tmdb:603", language: language, in: fixture, size: (9, 9)))
            let (width, height) = description.header.uprightSize
            #expect((poster.width, poster.height) == (width, height))
            let query = "&language=\(language)&v=\(PosterURLBuilder.version(of: description.digest))"
            let widths = language == "ja" ? [92, 100] : [92, 154, 185, 200]
            #expect(
                poster.srcset.split(separator: ", ").map(String.init)
                    == widths.map { "/poster/tmdb%3A603?w=\($0)\(query) \($0)w" })
            #expect(poster.url == "/poster/tmdb%3A603?w=\(widths.last ?? 0)\(query)")
        }
        let usual = try #require(try self.poster("tmdb:603", in: fixture))
        #expect(usual.width == 200 && !usual.url.contains("language"))
    }

    @Test func postersOfSourcesWithOneLanguageHaveNoneInTheirURLs() async throws {
        let fixture = try await CacheHitFixture()
        for id in ["kobis:1", "film-1", "tmdb:603~2"] {
            let poster = try #require(try self.poster(id, language: "ja", in: fixture))
            #expect(!poster.url.contains("language") && !poster.srcset.contains("language"), "\(id)")
        }
    }

    @Test func signedURLsIncludeTheLanguage() async throws {
        let fixture = try await CacheHitFixture()
        var policy = PicturePolicy()
        (policy.signingKeys, policy.requiresSignatures) = (try SigningKeys("a key that nobody knows"), true)
        let poster = try #require(try self.poster("tmdb:603", language: "ja", in: fixture, policy: policy))
        let languages = PosterLanguages(sources: ["tmdb"], own: "en")
        let parser = ReloadablePicturePolicy(policy, languages: languages).parser
        let urls = [poster.url] + poster.srcset.split(separator: ", ").map { String($0.prefix { $0 != " " }) }
        #expect(urls.count > 1)
        for url in urls {
            #expect(url.contains("language=ja") && url.contains("s="))
            #expect(try parser.parse(url)?.request.id.description == "tmdb:603~ja")
        }
    }

    @Test func knownPostersHaveTheirVersionAndTheirColours() async throws {
        let fixture = try await CacheHitFixture()
        let id = try PosterID(key: "a.jpg")
        let before = try #require(try self.poster("a.jpg", in: fixture))
        #expect((before.width, before.height) == (60, 90))
        #expect(before.color == nil && before.thumbhash == nil)
        try await eventually { fixture.pipeline.pendingDescriptionCount == 0 }
        let poster = try #require(try self.poster("a.jpg", in: fixture))
        let description = try await fixture.pipeline.description(of: id)
        #expect(poster.color == description.hashes.dominantColour)
        #expect(poster.thumbhash == description.hashes.thumbHash)
        let version = PosterURLBuilder.version(of: description.digest)
        // The width descriptor is at most the original's width.
        #expect(poster.srcset == "/poster/a.jpg?w=92&v=\(version) 60w")
    }

    @Test func badgesAreInAllURLsOfAPosterAndSigned() async throws {
        let fixture = try await CacheHitFixture()
        var policy = PicturePolicy()
        policy.ladder = WidthLadder(rungs: [154, 342])
        let id = PictureID(source: "tmdb", key: "603", language: "ja")
        let urls = { (policy: PicturePolicy) in
            PipelinePictureURLs(
                policies: ReloadablePicturePolicy(policy, languages: PosterLanguages(sources: ["tmdb"], own: "en")),
                urls: PosterURLBuilder(), pipeline: fixture.pipeline)
        }
        let choices = urls(policy).badgeChoices
        #expect(choices.widths == [154, 342] && choices.sources == BadgeSource.allCases.map(\.rawValue))
        let badges = try #require(
            choices.badges(["imdb", "rt"], position: "top", style: "pill", colours: "source", text: "4K"))
        #expect(badges.query == "&badges=imdb,rt&badge-position=top&badge-colours=source", "texts need a signature")
        let poster = try #require(
            try urls(policy).poster(id, size: nil, widths: .page, badges: badges, isMissing: false))
        let query = "&language=ja\(badges.query)&card=ja"
        #expect(
            poster.srcset == "/poster/tmdb%3A603?w=154\(query) 154w, /poster/tmdb%3A603?w=342\(query) 342w")
        let own = PictureID(source: "tmdb", key: "603")
        #expect(
            try urls(policy).picture(own, width: 200, badges: badges) == "/poster/tmdb%3A603?w=342\(badges.query)")
        (policy.signingKeys, policy.requiresSignatures) = (try SigningKeys("a key that nobody knows"), true)
        let signed = try urls(policy).picture(own, width: 200, badges: badges)
        let languages = PosterLanguages(sources: ["tmdb"], own: "en")
        let request = try ReloadablePicturePolicy(policy, languages: languages).parser.parse(signed)
        #expect(request?.badges?.sources == [.imdb, .rt])
    }

    @Test func textsOfBadgesAreInURLsOnlyIfAnyoneMayWriteThem() throws {
        var policy = PicturePolicy()
        #expect(!policy.badgeChoices.allowsTexts && !policy.badgeChoices.accepts("4K"))
        policy.allowsBadgeTexts = true
        let choices = policy.badgeChoices
        #expect(choices.accepts("4K") && !choices.accepts("a\u{202E}b"))
        let badges = choices.badges(["imdb", "evil"], position: nil, style: nil, colours: nil, text: "4K & 3D")
        #expect(badges?.query == "&badges=imdb&text=4K%20%26%203D")
        #expect(choices.badges([], position: "top", style: nil, colours: nil, text: "\u{0}") == nil)
    }

    @Test func picturesOfGalleriesAreDescribedAsPosters() async throws {
        let fixture = try await CacheHitFixture(others: ["film~1": TestPicture.jpeg(width: 200, height: 100)])
        let urls = PipelinePictureURLs(
            policies: ReloadablePicturePolicy(), urls: PosterURLBuilder(), pipeline: fixture.pipeline)
        let id = PictureID(source: PosterID.embeddedSource, key: "film~1")
        let unknown = try urls.picture(id, size: (width: 1280, height: 720), width: 780)
        #expect(unknown.url == "/poster/film~1?w=780" && unknown.color == nil)
        #expect(
            (unknown.width, unknown.height) == (1280, 720) && unknown.srcset.hasSuffix("/poster/film~1?w=1280 1280w"))
        #expect(fixture.pipeline.pendingDescriptionCount == 0, "a page has dozens of them")
        let description = try await fixture.pipeline.description(of: try PosterID(source: id.source, key: id.key))
        let known = try urls.picture(id, size: (width: 1280, height: 720), width: 780)
        let version = PosterURLBuilder.version(of: description.digest)
        #expect((known.width, known.height) == (200, 100) && known.url == "/poster/film~1?w=200&v=\(version)")
        #expect(known.color == description.hashes.dominantColour && known.thumbhash == description.hashes.thumbHash)
    }

    @Test func picturesOfTMDBHaveItsPaths() async throws {
        let fixture = try await CacheHitFixture()
        var policy = PicturePolicy()
        let picture = { (policy: PicturePolicy) in
            try PipelinePictureURLs(
                policies: ReloadablePicturePolicy(policy), urls: PosterURLBuilder(), pipeline: fixture.pipeline
            ).tmdbImage("face.jpg", size: nil, width: 185, widest: 500, widths: .standard)
        }
        let portrait = try #require(try picture(policy))
        #expect(portrait.url == "/t/p/w185/face.jpg" && portrait.width == nil)
        #expect(
            portrait.srcset.hasPrefix("/t/p/w92/face.jpg 92w, ") && portrait.srcset.hasSuffix("/t/p/w500/face.jpg 500w")
        )
        policy.ladder = WidthLadder(rungs: [640, 1280])
        #expect(try picture(policy)?.srcset == "/t/p/w640/face.jpg 640w", "one width at least")
        policy.servesTMDBImages = false
        #expect(try picture(policy) == nil)
    }

    @Test func theSrcsetOfAWidePictureEndsAtTheWidestThatIsNamed() async throws {
        let fixture = try await CacheHitFixture()
        let urls = PipelinePictureURLs(
            policies: ReloadablePicturePolicy(PicturePolicy()), urls: PosterURLBuilder(), pipeline: fixture.pipeline)
        let sizes: [((width: Int, height: Int)?, Int)] = [(nil, 1280), ((3840, 2160), 1280), ((1000, 563), 1000)]
        for (size, end) in sizes {
            let picture = try #require(
                try urls.tmdbImage("wide.jpg", size: size, width: 780, widest: 1280, widths: .standard))
            #expect(picture.url == "/t/p/w780/wide.jpg" && picture.width == size?.width)
            #expect(picture.srcset.hasSuffix("/t/p/w780/wide.jpg 780w, /t/p/w\(end)/wide.jpg \(end)w"))
        }
    }

    private func thumbnail(
        in fixture: CacheHitFixture, key: String = "BdJKm16Co6M", policy: PicturePolicy = PicturePolicy()
    ) throws -> PosterObject? {
        try PipelinePictureURLs(
            policies: ReloadablePicturePolicy(policy), urls: PosterURLBuilder(), pipeline: fixture.pipeline
        ).videoThumbnail(key)
    }

    @Test func aThumbnailIsCutToSixteenToNine() async throws {
        let fixture = try await CacheHitFixture()
        var policy = PicturePolicy()
        let path = "/poster/youtube%3ABdJKm16Co6M"
        let thumbnail = try #require(try self.thumbnail(in: fixture))
        #expect(thumbnail.url == path + "?w=480&h=270&fit=cover")
        #expect(
            thumbnail.srcset == "\(path)?w=320&h=180&fit=cover 320w, \(path)?w=480&h=270&fit=cover 480w")
        #expect((thumbnail.width, thumbnail.height) == (480, 270))
        let parsed = try ReloadablePicturePolicy().parser.parse(
            RequestTarget(thumbnail.url), headers: PictureRequestHeaders(), now: 0)
        #expect(parsed?.request.id.description == "youtube:BdJKm16Co6M")
        policy.servesVideoThumbnails = false
        #expect(try self.thumbnail(in: fixture, policy: policy) == nil)
    }

    @Test func aThumbnailThatIsKnownHasItsVersionAndIsNotEnlarged() async throws {
        let fixture = try await CacheHitFixture(others: [
            "BdJKm16Co6M": TestPicture.jpeg(width: 480, height: 360),
            "smallsmall1": TestPicture.jpeg(width: 320, height: 180),
            "tiny-tiny-1": TestPicture.jpeg(width: 120, height: 90),
        ])
        var versions: [String: String] = [:]
        for key in ["BdJKm16Co6M", "smallsmall1", "tiny-tiny-1"] {
            let id = try PosterID(source: PosterID.videoThumbnailSource, key: key)
            versions[key] = PosterURLBuilder.version(of: try await fixture.pipeline.description(of: id).digest)
        }
        let usual = try #require(try self.thumbnail(in: fixture))
        #expect(usual.url.hasSuffix("?w=480&h=270&fit=cover&v=\(try #require(versions["BdJKm16Co6M"]))"))
        #expect(usual.color == nil && usual.thumbhash == nil, "they are of the picture with its bars")
        let small = try #require(try self.thumbnail(in: fixture, key: "smallsmall1"))
        #expect(small.srcset.hasSuffix(" 320w") && (small.width, small.height) == (320, 180))
        let tiny = try #require(try self.thumbnail(in: fixture, key: "tiny-tiny-1"))
        #expect(!tiny.url.contains("fit=cover") && (tiny.width, tiny.height) == (120, 90))
    }

    @Test(
        "a thumbnail is cut only to sizes that the server has",
        arguments: [
            ([320, 480], [180, 270], "w=480&h=270&fit=cover", 270), ([320, 480], [180], "w=320&h=180&fit=cover", 180),
            ([320, 480], [], "w=480", 360), ([300, 500], [180, 270], "w=300", 360),
        ] as [([Int], [Int], String, Int)])
    func thumbnailsOfALadder(widths: [Int], heights: [Int], query: String, height: Int) async throws {
        let fixture = try await CacheHitFixture()
        var policy = PicturePolicy()
        policy.ladder = WidthLadder(rungs: widths, heights: heights)
        let thumbnail = try #require(try self.thumbnail(in: fixture, policy: policy))
        #expect(thumbnail.url == "/poster/youtube%3ABdJKm16Co6M?\(query)" && thumbnail.height == height)
        let policies = ReloadablePicturePolicy(policy)
        for url in thumbnail.srcset.split(separator: ", ").map({ String($0.prefix { $0 != " " }) }) {
            let parsed = try policies.parser.parse(RequestTarget(url), headers: PictureRequestHeaders(), now: 0)
            #expect(parsed != nil, "\(url)")
        }
    }

    @Test func unknownPostersHaveTheSizeOfTheirSource() async throws {
        let fixture = try await CacheHitFixture()
        let poster = try #require(try self.poster("kobis:1", in: fixture, size: (2000, 3000)))
        #expect((poster.width, poster.height) == (2000, 3000))
        #expect(poster.srcset.contains(" 780w") && !poster.srcset.contains("v="))
        let other = try #require(try self.poster("kobis:1", in: fixture))
        #expect(other.width == nil && other.color == nil)
    }

    @Test(
        "the original's own width is listed beside the usual ones, and nothing is enlarged",
        arguments: [
            (nil, [92, 154, 185, 342, 500, 780]), (60, [92]), (92, [92]), (700, [92, 154, 185, 342, 500, 700]),
            (780, [92, 154, 185, 342, 500, 780]), (1000, [92, 154, 185, 342, 500, 780, 1000]),
            (3000, [92, 154, 185, 342, 500, 780, 2000]),
        ] as [(Int?, [Int])])
    func widths(own: Int?, widths: [Int]) {
        #expect(PipelinePictureURLs.widths(of: own, ladder: nil) == widths)
    }

    @Test func pagesHaveWidthsOfTheirOwnUnlessTheServerHas() async throws {
        let fixture = try await CacheHitFixture(others: ["film": TestPicture.jpeg(width: 300, height: 450)])
        let id = PictureID(source: PosterID.embeddedSource, key: "film")
        _ = try await fixture.pipeline.description(of: try PosterID(source: id.source, key: id.key))
        func poster(_ policy: PicturePolicy, _ widths: PictureWidths) throws -> PosterObject {
            let urls = PipelinePictureURLs(
                policies: ReloadablePicturePolicy(policy), urls: PosterURLBuilder(), pipeline: fixture.pipeline)
            return try #require(try urls.poster(id, size: nil, widths: widths, isMissing: false))
        }
        func widths(_ poster: PosterObject) -> [String] {
            poster.srcset.split(separator: ", ").compactMap { $0.split(separator: " ").last.map(String.init) }
        }
        var policy = PicturePolicy()
        let (page, standard) = (try poster(policy, .page), try poster(policy, .standard))
        #expect(
            widths(page) == ["120w", "160w", "240w", "300w"] && widths(standard) == ["92w", "154w", "185w", "300w"])
        #expect(page.gradient?.count == 3 && standard.gradient == nil)
        #expect(
            try EncodedResponse.jsonBytes(of: page).count > 0
                && !String(decoding: EncodedResponse.jsonBytes(of: page), as: UTF8.self).contains("gradient"))
        policy.ladder = WidthLadder(rungs: [100, 200])
        #expect(try widths(poster(policy, .page)) == ["100w", "200w"])
    }

    @Test(
        "of a ladder the next rung gives the original's own width",
        arguments: [
            (nil, [100, 300, 640]), (60, [100]), (100, [100]), (200, [100, 300]), (640, [100, 300, 640]),
            (1000, [100, 300, 640]),
        ] as [(Int?, [Int])])
    func rungs(own: Int?, widths: [Int]) {
        #expect(PipelinePictureURLs.widths(of: own, ladder: WidthLadder(rungs: [100, 300, 640])) == widths)
    }

    @Test func onlyPostersOfPagesHaveCards() throws {
        let urls = PipelinePictureURLs(policies: ReloadablePicturePolicy(), urls: PosterURLBuilder(), pipeline: nil)
        func url(_ language: String?, _ widths: PictureWidths) throws -> String? {
            let id = PictureID(source: "tmdb", key: "603", language: language)
            return try urls.poster(id, size: nil, widths: widths, isMissing: false)?.url
        }
        #expect(try url("ko", .page)?.hasSuffix("&card=ko") == true)
        #expect(try url(nil, .page)?.contains("card=") == false)
        #expect(try url("ko", .standard)?.contains("card=") == false)
    }

    @Test func aPosterKnownToBeMissingIsNull() async throws {
        let fixture = try await CacheHitFixture()
        let id = try PosterID(key: "no-such-film")
        #expect(try self.poster("no-such-film", in: fixture) != nil)
        let read = try ReloadablePicturePolicy().parser.parse(
            RequestTarget("/poster/no-such-film?w=46"), headers: PictureRequestHeaders(), now: 0)
        let query = try #require(read)
        await #expect(throws: PosterError.unknownPoster(id)) {
            try await fixture.pipeline.response(to: PosterQuery(query.request))
        }
        #expect(try self.poster("no-such-film", in: fixture) == nil)
    }

    @Test func aFilmWithoutAPosterIsNull() async throws {
        let fixture = try await CacheHitFixture()
        #expect(try self.poster("kobis:1", in: fixture, isMissing: true) == nil)
        #expect(try self.poster("kobis:2", in: fixture) != nil)
        // A poster known to the pipeline exists, whatever its source reports.
        #expect(try self.poster("a.jpg", in: fixture, isMissing: true) != nil)
    }
}
