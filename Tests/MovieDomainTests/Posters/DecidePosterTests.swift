import PosterTesting
import Synchronization
import Testing

@testable import MovieDomain

/// What is remembered of decisions, and for how long.
@Suite(.timeLimit(.minutes(1)))
struct DecidePosterTests {
    /// A KOBIS film without a poster, a finder, and a clock.
    private final class Desk: Sendable {
        let id: MovieID
        let own = ScriptedPictures(.kobis)
        let finder = ScriptedPosterFinder(.kmdb, [DecidePosterTests.candidate("a"), DecidePosterTests.candidate("b")])
        let inspector = ScriptedInspector()
        let memory = MemoryPosterDecisions()
        let seconds = Mutex<Int64>(1_000_000)

        init() throws {
            self.id = try #require(MovieID("kobis:20228555"))
            self.own.set(
                .init(film: PosterSearchTerms(id: self.id, titles: ["영화"], year: 2022, directors: [])), for: self.id)
        }

        var now: @Sendable () -> Instant { { Instant(secondsSince1970: self.seconds.withLock { $0 }) } }
        func pass(_ seconds: Int64) { self.seconds.withLock { $0 += seconds } }

        var decide: DecidePoster {
            DecidePoster(
                own: [self.own], off: [.tmdb: "--tmdb-key"],
                choose: ChoosePosterCandidate(finders: [self.finder], inspector: self.inspector, now: self.now),
                decisions: self.memory, now: self.now)
        }

        var locate: LocatePoster { LocatePoster(decider: self.decide, own: [self.own]) }
    }

    static func candidate(_ name: String) -> PosterCandidate {
        PosterCandidate(
            source: .kmdb, location: .web(url: "http://kmdb.test/\(name).jpg"), title: "영화", year: 2022, size: nil)
    }

    private static let first = PictureLocation.web(url: "http://kmdb.test/a.jpg")
    private static let second = PictureLocation.web(url: "http://kmdb.test/b.jpg")

    @Test func aPosterIsRememberedForThirtyDays() async throws {
        let desk = try Desk()
        for _ in 0..<3 { #expect(try await desk.locate(desk.id) == Self.first) }
        desk.pass(30 * 86_400 - 1)
        _ = try await desk.locate(desk.id)
        #expect(desk.finder.questionCount == 1)
        desk.pass(1)
        _ = try await desk.locate(desk.id)
        #expect(desk.finder.questionCount == 2)
    }

    @Test func thatThereIsNoneIsRememberedForADay() async throws {
        let desk = try Desk()
        desk.finder.set(.success([]))
        for _ in 0..<3 {
            await #expect(throws: LocatePoster.Failure.noPoster(desk.id)) { try await desk.locate(desk.id) }
        }
        #expect(desk.finder.questionCount == 1)
        desk.pass(86_400)
        await #expect(throws: LocatePoster.Failure.noPoster(desk.id)) { try await desk.locate(desk.id) }
        #expect(desk.finder.questionCount == 2)
    }

    @Test func aFailureIsRememberedForTenMinutesAndIsTold() async throws {
        let desk = try Desk()
        desk.finder.set(.failure(.busy(.kmdb, retryAfterSeconds: 7)))
        for _ in 0..<3 {
            await #expect(throws: SourceFailure.busy(.kmdb, retryAfterSeconds: 7)) { try await desk.locate(desk.id) }
        }
        #expect(desk.finder.questionCount == 1)
        desk.finder.set(.success([Self.candidate("a")]))
        desk.pass(600)
        #expect(try await desk.locate(desk.id) == Self.first)
    }

    @Test func whatASourceHasItselfIsNotDecidedAbout() async throws {
        let desk = try Desk()
        let poster = PosterReference(.web(url: "http://kobis.test/own.jpg"))
        desk.own.set(.init(poster: poster), for: desk.id)
        #expect(try await desk.locate(desk.id) == poster.location)
        #expect(desk.memory.count == 0 && desk.finder.questionCount == 0)
    }

    @Test func whatNobodyKnowsAndWhatIsOffAreTold() async throws {
        let desk = try Desk()
        let unknown = try #require(MovieID("kobis:1"))
        let off = try #require(MovieID("tmdb:603"))
        await #expect(throws: DecidePoster.Failure.unknownFilm(unknown)) { try await desk.locate(unknown) }
        await #expect(throws: SourceFailure.off(.tmdb, option: "--tmdb-key")) { try await desk.locate(off) }
        await #expect(throws: SourceFailure.off(.tmdb, option: "--tmdb-key")) {
            try await desk.locate.picture(1, of: off)
        }
        #expect(desk.decide.sources == [.kobis, .tmdb])
    }

    @Test func aPosterThatIsGoneMakesRoomForTheNextAndIsNotTriedAgain() async throws {
        let desk = try Desk()
        #expect(try await desk.locate(desk.id) == Self.first)
        #expect(try await desk.locate.replacement(for: desk.id) { $0 == Self.first } == Self.second)
        #expect(try await desk.locate(desk.id) == Self.second)
        let decision = try await desk.decide.decision(for: desk.id)
        #expect(decision.candidates.map(\.verdict) == [.gone, .chosen])
        // Both are gone: that is remembered, as that there is none.
        #expect(try await desk.locate.replacement(for: desk.id) { $0 == Self.second } == nil)
        await #expect(throws: LocatePoster.Failure.noPoster(desk.id)) { try await desk.locate(desk.id) }
        desk.pass(86_400)
        #expect(try await desk.locate(desk.id) == Self.first, "it may be back after a day")
    }

    @Test func aSourcesOwnPosterIsReplacedOnlyByAnother() async throws {
        let desk = try Desk()
        let own = PosterReference(.web(url: "http://kobis.test/own.jpg"))
        let film = PosterSearchTerms(id: desk.id, titles: ["영화"], year: 2022, directors: [])
        desk.own.set(.init(poster: own, film: film), for: desk.id)
        desk.finder.set(.success([]))
        #expect(try await desk.locate.replacement(for: desk.id) { $0 == own.location } == nil)
        #expect(desk.memory.count == 0)
        desk.finder.set(.success([Self.candidate("a")]))
        #expect(try await desk.locate.replacement(for: desk.id) { $0 == own.location } == Self.first)
        #expect(try await desk.locate(desk.id) == Self.first)
    }

    @Test func whatASourceHasNowCountsBeforeWhatOthersHave() async throws {
        let desk = try Desk()
        let film = PosterSearchTerms(id: desk.id, titles: ["영화"], year: 2022, directors: [])
        #expect(try await desk.locate(desk.id) == Self.first, "it has none of its own at first")
        let own = PosterReference(.web(url: "http://kobis.test/new.jpg"))
        desk.own.set(.init(poster: own, film: film), for: desk.id)
        #expect(try await desk.locate.replacement(for: desk.id) { $0 == Self.first } == own.location)
        #expect(desk.finder.questionCount == 1)
        #expect(try await desk.locate(desk.id) == own.location, "the others' is forgotten")
    }

    @Test func picturesBesideThePosterHaveNumbers() async throws {
        let desk = try Desk()
        let pictures = [Self.first, Self.second].map { GalleryPicture(kind: .still, location: $0) }
        desk.own.set(.init(gallery: pictures), for: desk.id)
        #expect(try await desk.locate.picture(2, of: desk.id) == Self.second)
        await #expect(throws: LocatePoster.Failure.noPicture(desk.id, number: 3)) {
            try await desk.locate.picture(3, of: desk.id)
        }
    }
}
