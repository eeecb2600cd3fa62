import HTTPSemantics
import PosterCodec
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@testable import HTTPServer
@testable import PosterAPI

@Suite(.timeLimit(.hang))
struct PictureResolverTests {
    private static let digest = Digest(of: "a")
    private static let open = PictureRequestParser { $0.allowsBadgeTexts = true }

    private static func scores(_ fractions: [BadgeSource: Double], isCurrent: Bool = true) -> BadgeScores {
        var values: [BadgeSource: BadgeScore] = [:]
        for (source, fraction) in fractions { values[source] = BadgeScore(fraction: fraction, at: source) }
        return BadgeScores(values, isCurrent: isCurrent)
    }

    private func parse(_ query: String, accept: String? = nil) throws -> PictureRequest {
        try #require(try Self.open.parse("/poster/film?" + query, accept: accept))
    }

    @Test func scoresAreDrawnInTheOrderNamedWithoutUnknownOnes() throws {
        let scores = ScriptedScores(known: Self.scores([.imdb: 0.87, .rt: 0.3]))
        let known = try PictureResolver(scores: scores).known(
            self.parse("w=92&badges=rt,metacritic,imdb&badge-position=top&badge-style=square&text=4K"))
        let badges = try #require(known?.wanted?.badges)
        #expect(badges.badges.map(\.text) == ["4K", "RT 30 %", "IMDb 8.7"])
        #expect(badges.badges.map(\.colour)[0] == BadgeColours.text)
        #expect(badges.badges.map(\.colour)[1] == BadgeColours.colour(percentage: 30))
        #expect(badges.position == .top && badges.style == .square)
        #expect(known?.badgeFreshness == .current)
    }

    @Test func thePreferredFormatHasTheSameBadges() throws {
        let scores = ScriptedScores(known: Self.scores([.imdb: 0.87]))
        let known = try PictureResolver(scores: scores).known(
            self.parse("w=92&badges=imdb", accept: "image/avif,image/webp"))
        let request = try #require(known?.request)
        #expect(request.preferred?.badges != nil && request.preferred?.badges == known?.wanted?.badges)
    }

    @Test func aPictureWithoutKnownScoresEqualsOneWithoutBadges() throws {
        let scores = ScriptedScores(known: Self.scores([:], isCurrent: false))
        let known = try PictureResolver(scores: scores).known(self.parse("w=92&badges=imdb"))
        #expect(known?.request == (try self.parse("w=92").request) && known?.badgeFreshness == .pending)
    }

    @Test func scoresThatAreNotInMemoryAreAwaited() async throws {
        let resolver = PictureResolver(scores: ScriptedScores(late: Self.scores([.tmdb: 0.5])))
        let picture = try self.parse("w=92&badges=tmdb")
        #expect(resolver.known(picture) == nil)
        #expect(try await resolver.resolved(picture).wanted?.badges?.badges.map(\.text) == ["TMDB 5.0"])
    }

    @Test func onlyFilmsHaveScores() async throws {
        let picture = try #require(try Self.open.parse("/poster/mine:a?w=92&badges=tmdb"))
        for resolver in [PictureResolver(scores: ScriptedScores()), PictureResolver()] {
            #expect(resolver.known(picture) == nil)
            await #expect(throws: Problem.self) { try await resolver.resolved(picture) }
            let text = try #require(try Self.open.parse("/poster/mine:a?w=92&text=4K"))
            let known = try #require(resolver.known(text))
            #expect(known.wanted?.badges?.badges.map(\.text) == ["4K"] && known.badgeFreshness == .fixed)
        }
    }

    /// Knows one title after the first question.
    private final class ScriptedIDs: PosterIDResolver {
        private let isKnown = Atomic(false)

        func knownID(for id: PosterID) -> PosterID? {
            self.isKnown.load(ordering: .relaxed) ? try? PosterID("film") : nil
        }

        func ownID(for id: PosterID) async throws -> PosterID {
            self.isKnown.store(true, ordering: .relaxed)
            return try PosterID("film")
        }
    }

    @Test func aPosterByIMDbTitleIsTheFilmsOwn() async throws {
        let scores = Self.scores([.imdb: 0.87])
        let resolver = PictureResolver(ids: ScriptedIDs(), scores: ScriptedScores(known: scores, late: scores))
        for query in ["w=92", "w=92&badges=imdb"] {
            let picture = try #require(try Self.open.parse("/poster/imdb:tt0111161?" + query))
            let own = try await resolver.resolved(self.parse(query))
            #expect(picture.needsFilm)
            #expect(try await resolver.resolved(picture).request == own.request)
            #expect(resolver.known(picture)?.request == own.request)
        }
        let title = try PosterID("imdb:tt0111161")
        await #expect(throws: Problem.self) { try await PictureResolver().ownID(title) }
        #expect(try await PictureResolver().ownID(PosterID("mine:a")) == PosterID("mine:a"))
    }

    @Test func badgesThatMayChangeSoonAreRevalidatedSoon() {
        let cacheControl = CacheControl(ClientCaching())
        let provenance = Provenance(reach: .cache, original: OriginalState(digest: Self.digest, age: 7200))
        func value(_ badges: BadgeFreshness, version: String? = nil, expires: Int64? = nil) -> String {
            cacheControl.value(
                cacheControl.lifetime(of: provenance, version: version, badges: badges, expires: expires, now: 1000))
        }
        let version = String(Self.digest.description.prefix(16))
        #expect(value(.pending) == "public, max-age=60" && value(.pending, version: version) == "public, max-age=60")
        #expect(value(.pending, expires: 1030) == "public, max-age=30")
        #expect(value(.current) == value(.fixed))
        #expect(!value(.current, version: version).contains("immutable"), "a score changes without the original")
        #expect(value(.fixed, version: version).contains("immutable"))
    }

    @Test func newScoresReplaceThoseOfTheLastResponse() async throws {
        let fixture = try await CacheHitFixture()
        let scores = ScriptedScores(known: Self.scores([:]))
        let connection = try CacheHitConnection(fixture.hits(resolver: PictureResolver(scores: scores)))
        let target = CacheHitFixture.hit + "&badges=imdb"
        for _ in 0..<2 {
            try connection.send(CacheHitFixture.request(target))
            #expect(try !connection.received().isEmpty && connection.routed.isEmpty)
        }
        // Its picture with this badge is not in memory.
        scores.set(known: Self.scores([.imdb: 0.87]))
        try connection.send(CacheHitFixture.request(target))
        #expect(connection.routed == [target])
        connection.answer()
        _ = try connection.received()
        scores.set(known: Self.scores([:]))
        try connection.send(CacheHitFixture.request(target))
        #expect(try !connection.received().isEmpty && connection.routed == [target])
    }

    @Test func scoresAreReadOncePerVersion() async throws {
        let fixture = try await CacheHitFixture()
        let scores = ScriptedScores(known: Self.scores([:]))
        let connection = try CacheHitConnection(fixture.hits(resolver: PictureResolver(scores: scores)))
        for readings in [1, 1, 1, 2, 2] {
            if readings > scores.readingCount, readings > 1 { scores.renew() }
            try connection.send(CacheHitFixture.request(CacheHitFixture.hit + "&badges=imdb"))
            #expect(try !connection.received().isEmpty && connection.routed.isEmpty)
            #expect(scores.readingCount == readings)
        }
    }

    @Test("scores that do not change the response are read once per version, too")
    func otherScores() async throws {
        let fixture = try await CacheHitFixture()
        let scores = ScriptedScores(known: Self.scores([:]))
        let connection = try CacheHitConnection(fixture.hits(resolver: PictureResolver(scores: scores)))
        for readings in [1, 1, 2, 2, 2] {
            // Of a site that is not drawn.
            if readings == 2, scores.readingCount == 1 { scores.set(known: Self.scores([.trakt: 0.5])) }
            try connection.send(CacheHitFixture.request(CacheHitFixture.hit + "&badges=imdb"))
            #expect(try !connection.received().isEmpty && connection.routed.isEmpty)
            #expect(scores.readingCount == readings)
        }
    }

    @Test func theFastPathAnswersOnceScoresAreInMemory() async throws {
        let fixture = try await CacheHitFixture()
        let scores = ScriptedScores()
        let connection = try CacheHitConnection(fixture.hits(resolver: PictureResolver(scores: scores)))
        let target = CacheHitFixture.hit + "&badges=imdb"
        try connection.send(CacheHitFixture.request(target))
        #expect(connection.routed == [target], "the slow path waits for them")
        connection.answer()
        _ = try connection.received()
        // Without any score the picture is the one in memory.
        scores.set(known: Self.scores([:], isCurrent: false))
        try connection.send(CacheHitFixture.request(target))
        #expect(connection.routed == [target])
        let answer = String(decoding: try connection.received(), as: UTF8.self)
        #expect(answer.contains("Cache-Control: public, max-age=60\r\n") && !answer.contains("Last-Modified"))
        scores.set(known: Self.scores([:]))
        try connection.send(CacheHitFixture.request(target))
        #expect(String(decoding: try connection.received(), as: UTF8.self).contains("max-age=86400"))
    }
}
