import HTTPFetch
import Logging
import MovieDomain
import MovieTesting
import OneSheetConfiguration
import PosterAPI
import PosterOrigins
import PosterPipeline
import PosterTesting
import Testing

@testable import OneSheetServer

/// Locations of pictures of films and apps.
@Suite(.timeLimit(.hang))
struct RoutingPosterLocatorTests {
    private let tmdb = ScriptedPictures(.tmdb)
    private let embedded = ScriptedPictures(.embedded)

    private func directory(
        tmdbImages: String? = "https://image.test/original/{key}",
        videoThumbnails: String? = "https://video.test/vi/{key}/0.jpg"
    ) throws -> RoutingPosterLocator {
        let films = MoviePosterLookup(
            own: [self.tmdb, self.embedded], off: [.kobis: "--kobis-key"], inspector: ScriptedInspector(),
            memory: MemoryPosterDecisions(), now: { Instant(secondsSince1970: 0) })
        return RoutingPosterLocator(
            films: films, packagedPath: { "/packaged/\($0)" },
            origins: ReloadableValue(["mine": try OriginTemplate("https://mine.test/{key}")]),
            tmdbImages: try tmdbImages.map { try OriginTemplate($0) },
            videoThumbnails: try videoThumbnails.map { try OriginTemplate($0) },
            languages: PosterLanguages(sources: ["tmdb"], own: "en"), logger: Logger(label: "test"))
    }

    private func know(_ id: String, _ poster: PictureLocation?, gallery: [PictureLocation] = []) throws {
        let film = try #require(MovieID(id))
        (film.source == .tmdb ? self.tmdb : self.embedded).set(
            .init(
                poster: poster.map { PosterReference($0) },
                gallery: gallery.map { GalleryPicture(kind: .screenshot, location: $0) }), for: film)
    }

    @Test func everyKindOfPictureHasItsPlace() async throws {
        let directory = try self.directory()
        try self.know(
            "tmdb:603", .tmdb(file: "a.jpg"), gallery: [.web(url: "https://b.test/1?c=d"), .tmdb(file: "e.jpg")])
        try self.know(
            "app-lens", .packaged(file: "lens.jpg", version: "1"), gallery: [.packaged(file: "2.jpg", version: "2")])
        let places: [(String, OriginalLocation)] = [
            ("tmdb:603", .web(url: "https://image.test/original/a.jpg")),
            ("tmdb:603~1", .found(url: "https://b.test/1?c=d")),
            ("tmdb:603~2", .web(url: "https://image.test/original/e.jpg")),
            ("sample:app-lens", .file(path: "/packaged/lens.jpg", version: "1")),
            ("app-lens~1", .file(path: "/packaged/2.jpg", version: "2")),
            ("mine:x", .web(url: "https://mine.test/x")), ("url:https://c.test/", .web(url: "https://c.test/")),
            ("tmdb-image:f.jpg", .web(url: "https://image.test/original/f.jpg")),
        ]
        for (id, place) in places {
            let found = try await directory.locate(try PosterID(id))
            #expect(found == place, "\(id)")
        }
    }

    @Test func aThumbnailIsOfTheTemplatesHost() async throws {
        let id = try PosterID("youtube:O-b2VfmmbyA")
        let place = OriginalLocation.web(url: "https://video.test/vi/O-b2VfmmbyA/0.jpg")
        let directory = try self.directory()
        #expect(try await directory.locate(id) == place)
        #expect(try await directory.knownLocation(of: id) == place)
        let without = try self.directory(videoThumbnails: nil)
        await #expect(throws: PosterError.unknownSource("youtube", known: ["sample", "tmdb", "mine"])) {
            try await without.locate(id)
        }
    }

    @Test(
        "thumbnails of videos are YouTube's unless another template is given, or none",
        arguments: [
            (nil, "https://i.ytimg.com/vi/BdJKm16Co6M/hqdefault.jpg"),
            ("http://mine.test/{key}.jpg", "http://mine.test/BdJKm16Co6M.jpg"), ("off", nil),
        ] as [(String?, String?)])
    func videoThumbnails(text: String?, url: String?) throws {
        let given = text.map { ["video-thumbnails": [$0]] } ?? [:]
        let configuration = try ConfigurationSource(commandLine: given, environment: [:]).read().configuration
        #expect(try configuration.pictures.videoThumbnails?.url(for: "BdJKm16Co6M") == url)
        #expect(try configuration.policy().servesVideoThumbnails == (url != nil))
    }

    @Test(
        "what is no video's key is no poster",
        arguments: [
            "..%2f", "../../../a", "O-b2VfmmbyAx", "O-b2VfmmbyÄ", "O-b2Vfmmby", "O-b2Vfmmby.", "O-b2Vfm/byA",
            "O-b2Vfmmby%", "O-b2Vfmmby?", "O-b2Vfmmby~1",
        ])
    func noVideo(_ key: String) async throws {
        let id = try PosterID("youtube:" + key)
        let directory = try self.directory()
        await #expect(throws: PosterError.unknownPoster(id)) { try await directory.locate(id) }
        #expect(try await directory.knownLocation(of: id) == nil)
    }

    @Test(
        "what is no picture's name is unknown",
        arguments: [
            "tmdb:603~JA", "tmdb:603~ja~2", "tmdb:603~textlessx", "tmdb:603~textless-", "tmdb:603~textless-JA",
            "tmdb:603~ja-textless", "tmdb:603~ja-JP", "tmdb:604~ja", "tmdb:605~ja", "tmdb:603~0", "tmdb:603~01",
            "tmdb:603~en", "tmdb:603~textless-en", "film-1~ja", "app-lens~textless", "tmdb:603~+1", "tmdb:603~51",
            "tmdb:603~", "tmdb:603~1~1", "tmdb:603~x",
            "tmdb:~1",
            "tmdb:603~3", "tmdb:604", "tmdb:604~1", "tmdb:0603", "tmdb:../x", "app-none", "tmdb:605",
        ])
    func unknown(_ text: String) async throws {
        let directory = try self.directory()
        try self.know("tmdb:603", .tmdb(file: "a.jpg"), gallery: [.tmdb(file: "b.jpg"), .tmdb(file: "c.jpg")])
        try self.know("tmdb:605", nil)
        try self.know("film-1", .packaged(file: "film.jpg", version: "1"))
        try self.know("app-lens", .packaged(file: "lens.jpg", version: "1"))
        let id = try PosterID(text)
        await #expect(throws: PosterError.unknownPoster(id)) { try await directory.locate(id) }
    }

    @Test func aFilmHasAPosterPerLanguageAndOneWithoutText() async throws {
        let directory = try self.directory()
        try self.know("tmdb:603", .tmdb(file: "en.jpg"))
        let film = try #require(MovieID("tmdb:603"))
        let japanese = try #require(Language("ja"))
        self.tmdb.set(PosterReference(.tmdb(file: "ja.jpg")), for: film, as: PosterChoice(language: japanese))
        self.tmdb.set(PosterReference(.tmdb(file: "no.jpg")), for: film, as: PosterChoice(isTextless: true))
        self.tmdb.set(
            PosterReference(.tmdb(file: "ja.jpg")), for: film, as: PosterChoice(language: japanese, isTextless: true))
        for (id, file) in [
            ("tmdb:603", "en"), ("tmdb:603~ja", "ja"), ("tmdb:603~textless", "no"), ("tmdb:603~textless-ja", "ja"),
            ("tmdb:603~ko", "en"),
        ] {
            let place = try await directory.locate(try PosterID(id))
            #expect(place == .web(url: "https://image.test/original/\(file).jpg"), "\(id)")
        }
        // A poster that was removed from its origin is replaced in its language, or else by the default poster.
        let id = try PosterID("tmdb:603~ja")
        let gone = OriginalLocation.web(url: "https://image.test/original/ja.jpg")
        self.tmdb.set(PosterReference(.tmdb(file: "ja2.jpg")), for: film, as: PosterChoice(language: japanese))
        #expect(
            try await directory.successor(of: gone, for: id) == .web(url: "https://image.test/original/ja2.jpg"))
        #expect(try await directory.successor(of: gone, for: PosterID("tmdb:603~1")) == nil)
    }

    @Test func sourcesThatAreOffOrUnknownOrFailSaySo() async throws {
        let directory = try self.directory(tmdbImages: nil)
        let (kobis, kmdb, tmdb) = (try PosterID("kobis:1"), try PosterID("kmdb:K1"), try PosterID("tmdb:603"))
        await #expect(throws: PosterError.sourceFailed(name: "KOBIS", .off(option: "--kobis-key"))) {
            try await directory.locate(kobis)
        }
        await #expect(throws: PosterError.unknownSource("kmdb", known: ["sample", "tmdb", "mine"])) {
            try await directory.locate(kmdb)
        }
        try self.know("tmdb:603", .tmdb(file: "a.jpg"))
        await #expect(throws: PosterError.sourceFailed(name: "TMDB", .off(option: "--tmdb-images"))) {
            try await directory.locate(tmdb)
        }
        let failures: [(SourceFailure, PosterSourceFailure)] = [
            (.busy(.tmdb, retryAfterSeconds: 9), .busy(retryAfter: 9)), (.tooSlow(.tmdb), .tooSlow),
            (.keyRefused(.tmdb), .unavailable), (.unavailable(.tmdb, reason: "a"), .unavailable),
        ]
        for (failure, trouble) in failures {
            self.tmdb.fail(failure)
            await #expect(throws: PosterError.sourceFailed(name: "TMDB", trouble)) { try await directory.locate(tmdb) }
        }
    }

    @Test func aKnownLocationMakesNoRequest() async throws {
        let directory = try self.directory()
        try self.know("tmdb:603", .tmdb(file: "a.jpg"))
        try self.know("app-lens", .packaged(file: "lens.jpg", version: "1"))
        let id = try PosterID("tmdb:603")
        let before = try await directory.knownLocation(of: id)
        #expect(before == nil)
        #expect(self.tmdb.questionCount == 0)
        let place = try await directory.locate(id)
        let after = try await directory.knownLocation(of: id)
        #expect(after == place)
        #expect(self.tmdb.questionCount == 1)
        let packaged = try await directory.knownLocation(of: try PosterID("app-lens"))
        #expect(packaged == .file(path: "/packaged/lens.jpg", version: "1"))
        let mine = try await directory.knownLocation(of: try PosterID("mine:x"))
        #expect(mine == .web(url: "https://mine.test/x"))
        let nobodys = try await directory.knownLocation(of: try PosterID("nobody:x"))
        #expect(nobodys == nil)
    }
}
