import EmbeddedCatalogue
import Flights
import HTTPFetch
import InternetAddress
import MovieDomain
import MovieLibrary
import MovieTesting
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import OneSheetServer

/// Films without their own poster, from the request to the picture.
@Suite(.timeLimit(.hang))
struct FilmPosterTests {
    private let kobis = ScriptedPictures(.kobis)
    private let target = "/poster/kobis:20228555?w=368"

    private func film() throws -> MovieID {
        let id = try #require(MovieID("kobis:20228555"))
        self.kobis.set(.init(film: PosterSearchTerms(id: id, titles: ["헤어질 결심"], year: 2022)), for: id)
        return id
    }

    private static func candidate(_ source: MovieSource, _ url: String) -> PosterCandidate {
        PosterCandidate(
            source: source, location: .web(url: url), title: source == .kakao ? "" : "헤어질 결심", year: nil, size: nil)
    }

    /// A URL at a public host: candidates elsewhere are not fetched.
    private static func url(_ path: String, _ origin: OriginServer) -> String {
        TestResolver.map("found.films.test", to: TestResolver.publicAddress)
        return "http://found.films.test:\(origin.port)\(path)"
    }

    @Test func aPosterIsFoundLookedAtFetchedAndRemembered() async throws {
        let id = try self.film()
        try await withOrigin { origin in
            origin.on("/wide.jpg", .image(TestPicture.jpeg(width: 900, height: 600)))
            origin.on("/text.jpg", .answer(body: Array("<html>".utf8)))
            origin.on("/poster.jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
            let urls = ["/gone.jpg", "/wide.jpg", "/text.jpg", "/poster.jpg"].map { Self.url($0, origin) }
            let kakao = ScriptedPosterFinder(.kakao, urls.map { Self.candidate(.kakao, $0) })
            let tmdb = ScriptedPosterFinder(.tmdb)
            tmdb.set(.failure(.tooSlow(.tmdb)))
            try await PosterFixture.run(own: [self.kobis], finders: [tmdb, kakao]) { fixture in
                for _ in 0..<3 {
                    let answer = try await fixture.get(self.target)
                    #expect(answer.status == 200)
                    #expect(answer.headers["content-type"] == "image/jpeg")
                }
                #expect(kakao.questionCount == 1)
                let decision = try await fixture.films.decisions.decision(for: id)
                #expect(decision.candidates.map(\.verdict).last == .chosen)
                #expect(decision.poster?.size == PictureSize(width: 600, height: 900))
                #expect(!fixture.films.decisions.isPosterless(id))
            }
        }
    }

    @Test func theGalleryOfAPackagedFilmIsServedByItsNumbers() async throws {
        let resource = try CatalogueResource()
        let films = CatalogueDatabase(try LibraryDatabase())
        try films.importCatalogue(resource)
        let own = [MoviePictureRepository(EmbeddedMovies(films))]
        try await PosterFixture.run(own: own, finders: [], packagedPath: resource.path(of:)) { fixture in
            for (number, width, height) in [(1, 1280, 720), (2, 960, 540), (3, 960, 540)] {
                let answer = try await fixture.get("/poster/nosferatu-1922~\(number)?w=1280")
                #expect(answer.status == 200)
                #expect(JPEGSize(answer.body) == JPEGSize(width: width, height: height), "\(number)")
            }
            #expect(try await fixture.get("/poster/nosferatu-1922~4?w=1280").status == 404)
            #expect(try await fixture.get("/poster/nosferatu-1922~0?w=1280").status == 404)
        }
    }

    @Test func concurrentRequestsLookForAPosterOnce() async throws {
        let id = try self.film()
        let gate = Gate()
        try await withOrigin { origin in
            origin.on("/poster.jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
            let finder = ScriptedPosterFinder(
                .kmdb, [Self.candidate(.kmdb, Self.url("/poster.jpg", origin))], gate: gate)
            try await PosterFixture.run(own: [self.kobis], finders: [finder]) { fixture in
                let explanation = Task { try await fixture.films.decisions.decision(for: id) }
                let answers = (0..<4).map { width in
                    Task { try await fixture.get("/poster/kobis:20228555?w=\(100 + width)").status }
                }
                let poster = try PosterID("kobis:20228555")
                try await eventually { fixture.pipeline.originalWaiterCount(for: poster) >= 4 }
                try await eventually { fixture.films.decisions.waiterCount >= 2 }
                gate.open()
                for answer in answers { #expect(try await answer.value == 200) }
                #expect(try await explanation.value.source == .kmdb)
                #expect(finder.questionCount == 1)
                // One request inspects it, one fetches it.
                #expect(origin.requestCount(to: "/poster.jpg") == 2)
            }
        }
    }

    @Test func aPosterThatIsGoneIsFollowedByTheNextWithinOneRequest() async throws {
        let id = try self.film()
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
            origin.on("/b.jpg", .image(TestPicture.jpeg(width: 620, height: 900)))
            let candidates = ["/a.jpg", "/b.jpg"].map { Self.candidate(.kmdb, Self.url($0, origin)) }
            try await PosterFixture.run(own: [self.kobis], finders: [ScriptedPosterFinder(.kmdb, candidates)]) {
                fixture in
                let before = try await fixture.films.decisions.decision(for: id)
                #expect(before.poster?.location == candidates[0].location)
                origin.on("/a.jpg", .status(404))
                let answer = try await fixture.get(self.target)
                #expect(answer.status == 200)
                let after = try await fixture.films.decisions.decision(for: id)
                #expect(after.poster?.location == candidates[1].location)
            }
        }
    }

    @Test func aMissingPosterIsUnknownAndRememberedAsMissing() async throws {
        let id = try self.film()
        let finder = ScriptedPosterFinder(.kmdb)
        try await PosterFixture.run(own: [self.kobis], finders: [finder]) { fixture in
            for _ in 0..<2 {
                let answer = try await fixture.get(self.target)
                #expect(answer.status == 404 && answer.text.contains("unknown-poster"))
            }
            #expect(finder.questionCount == 1)
            #expect(fixture.films.decisions.isPosterless(id))
            #expect(try await fixture.get("/poster/kobis:1?w=92").status == 404)
        }
    }

    @Test(
        "a film without a poster has none unless another source is searched for it",
        arguments: [
            ([], "tmdb:1", true), ([.tmdb], "tmdb:1", true), ([.tmdb, .kmdb], "tmdb:1", false),
            ([.tmdb], "kobis:1", false), ([.tmdb, .kmdb], "heat-1995", true),
        ] as [([MovieSource], String, Bool)])
    func isPosterless(finders: [MovieSource], film: String, isPosterless: Bool) async throws {
        let id = try #require(MovieID(film))
        try await PosterFixture.run(own: [self.kobis], finders: finders.map { ScriptedPosterFinder($0) }) { fixture in
            #expect(fixture.films.isPosterless(id) == isPosterless)
        }
    }

    @Test(
        "a source's own failure is the response",
        arguments: [
            (SourceFailure.busy(.kmdb, retryAfterSeconds: 9), 503, "source-busy"),
            (.tooSlow(.kmdb), 504, "source-too-slow"),
            (.keyRefused(.kmdb), 502, "source-unavailable"),
            (.badAnswer(.kmdb, reason: "secret"), 502, "source-unavailable"),
        ])
    func failures(_ failure: SourceFailure, _ status: Int, _ kind: String) async throws {
        _ = try self.film()
        let finder = ScriptedPosterFinder(.kmdb)
        finder.set(.failure(failure))
        try await PosterFixture.run(own: [self.kobis], finders: [finder]) { fixture in
            let answer = try await fixture.get(self.target)
            #expect(answer.status == status)
            #expect(answer.text.contains("urn:onesheet:problem:\(kind)") && !answer.text.contains("secret"))
            if case .busy = failure { #expect(answer.headers["retry-after"] == "9") }
        }
    }

    @Test func aVideosThumbnailIsRenderedLikeAPoster() async throws {
        try await withOrigin { origin in
            origin.on("/vi/BdJKm16Co6M.jpg", .image(TestPicture.jpeg(width: 480, height: 360)))
            let template = origin.baseURL + "/vi/{key}.jpg"
            try await PosterFixture.run(own: [self.kobis], finders: [], videoThumbnails: template) { fixture in
                let thumbnail = try await fixture.get("/poster/youtube%3ABdJKm16Co6M?w=480&h=270&fit=cover")
                #expect(thumbnail.status == 200 && thumbnail.headers["content-type"] == "image/jpeg")
                let info = try await fixture.get("/poster/youtube:BdJKm16Co6M/info")
                #expect(info.status == 200 && info.text.contains("480"))
                let header = try inspect(thumbnail.body.span.bytes, limits: CodecLimits())
                #expect((header.width, header.height) == (480, 270))
                let none = try await fixture.get("/poster/youtube%3A..%252f?w=480")
                #expect(none.status == 404 && none.text.contains("urn:onesheet:problem:unknown-poster"))
                #expect(origin.requestCount(to: "/vi/BdJKm16Co6M.jpg") == 1)
            }
        }
    }

    static let openings = [
        PosterFixture.Opening(testDescription: "a host") { $0.allowedPrivateHosts = ["127.0.0.1"] },
        PosterFixture.Opening(testDescription: "all") { $0.allowPrivateAddresses = true },
        PosterFixture.Opening(testDescription: "a network") { $0.allowedPrivateNetworks = [IPNetwork("127.0.0.0/8")!] },
    ]

    @Test("a URL from a finder is never in the private network that others may use", arguments: openings)
    func strangers(_ opening: PosterFixture.Opening) async throws {
        let id = try self.film()
        try await withOrigin { origin in
            origin.on("/secret.jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
            let secret = origin.url("/secret.jpg")
            let kakao = ScriptedPosterFinder(.kakao, [Self.candidate(.kakao, secret)])
            let template = origin.baseURL + "/{key}"
            try await PosterFixture.run(own: [self.kobis], finders: [kakao], tmdbImages: template, opening: opening) {
                fixture in
                #expect(try await fixture.get(self.target).status == 404)
                let decision = try await fixture.films.decisions.decision(for: id)
                #expect(decision.candidates.map(\.verdict) == [.rejected(reason: "it is not at a public address")])
                // Nor is an earlier decision fetched.
                self.kobis.set(.init(poster: PosterReference(.web(url: secret))), for: try #require(MovieID("kobis:2")))
                #expect(try await fixture.get("/poster/kobis:2?w=368").status == 502)
                #expect(origin.requestCount(to: "/secret.jpg") == 0)
                // The operator configures the address of TMDB's pictures.
                self.kobis.set(
                    .init(poster: PosterReference(.tmdb(file: "secret.jpg"))), for: try #require(MovieID("kobis:3")))
                #expect(try await fixture.get("/poster/kobis:3?w=368").status == 200)
            }
        }
    }
}
