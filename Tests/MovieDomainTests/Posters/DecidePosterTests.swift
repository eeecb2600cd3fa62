import Flights
import MovieTesting
import PosterTesting
import Synchronization
import Testing

@testable import MovieDomain

/// Which decisions are stored, and for how long.
@Suite(.timeLimit(.hang))
struct DecidePosterTests {
    /// A KOBIS film without a poster, a finder, and a clock.
    private final class Fixture: Sendable {
        let id: MovieID
        let own = ScriptedPictures(.kobis)
        let finder = ScriptedPosterFinder(.kmdb, [DecidePosterTests.candidate("a"), DecidePosterTests.candidate("b")])
        let inspector = ScriptedInspector()
        let memory = MemoryPosterDecisions()
        let links = MemoryFilmLinks()
        let films: ScriptedFilmFinder
        let background = BackgroundTasks<MovieID, MovieID>(
            limit: 1, overflow: .queues(limit: 8), priority: .medium)
        let seconds = Mutex<Int64>(1_000_000)

        /// - Parameter gate: Delays the search for the film's link.
        init(linking gate: Gate? = nil) throws {
            self.films = ScriptedFilmFinder(
                .tmdb, [FoundFilm(id: MovieID("tmdb:301")!, title: "영화", originalTitle: "", year: 2022)], gate: gate)
            self.id = try #require(MovieID("kobis:20228555"))
            self.own.set(
                .init(film: PosterSearchTerms(id: self.id, titles: ["영화"], year: 2022)), for: self.id)
        }

        var now: @Sendable () -> Instant { { Instant(secondsSince1970: self.seconds.withLock { $0 }) } }
        func pass(_ seconds: Int64) { self.seconds.withLock { $0 += seconds } }

        var decide: DecidePoster { self.decide(with: [self.finder]) }

        func decide(with finders: [any PosterFinder]) -> DecidePoster {
            DecidePoster(
                own: [self.own], off: [.tmdb: "--tmdb-key"],
                choose: ChoosePosterCandidate(finders: finders, inspector: self.inspector, now: self.now),
                decisions: self.memory,
                identities: FilmIdentities(links: self.links, finder: self.films, own: [self.own], now: self.now),
                inBackground: { [background = self.background] in background.start($0, for: $0, $1) },
                now: self.now)
        }

        /// Returns once no background task runs.
        func settle() async throws {
            try await eventually { self.background.count == 0 }
        }

        /// Makes a list report that the film opened in a year.
        func list(in year: Int, film: PosterSearchTerms? = nil) throws {
            let opening = try #require(CalendarDate(year: year, month: 4, day: 24))
            let listed = PosterSearchTerms(listed: self.id, title: "영화", opening: opening)
            self.own.set(.init(film: film, listed: listed), for: self.id)
        }

        var locate: LocatePoster { LocatePoster(decider: self.decide, own: [self.own]) }
    }

    static func candidate(_ name: String, year: Int = 2022) -> PosterCandidate {
        PosterCandidate(
            source: .kmdb, location: .web(url: "http://kmdb.test/\(name).jpg"), title: "영화", year: year, size: nil)
    }

    private static let first = PictureLocation.web(url: "http://kmdb.test/a.jpg")
    private static let second = PictureLocation.web(url: "http://kmdb.test/b.jpg")

    @Test func aPosterIsRememberedForThirtyDays() async throws {
        let fixture = try Fixture()
        for _ in 0..<3 { #expect(try await fixture.locate(fixture.id) == Self.first) }
        fixture.pass(30 * 86_400 - 1)
        _ = try await fixture.locate(fixture.id)
        #expect(fixture.finder.questionCount == 1)
        fixture.pass(1)
        _ = try await fixture.locate(fixture.id)
        #expect(fixture.finder.questionCount == 2)
    }

    @Test func thatThereIsNoneIsRememberedForADay() async throws {
        let fixture = try Fixture()
        fixture.finder.set(.success([]))
        for _ in 0..<3 {
            await #expect(throws: LocatePoster.Failure.noPoster(fixture.id)) { try await fixture.locate(fixture.id) }
        }
        #expect(fixture.finder.questionCount == 1)
        fixture.pass(86_400)
        await #expect(throws: LocatePoster.Failure.noPoster(fixture.id)) { try await fixture.locate(fixture.id) }
        #expect(fixture.finder.questionCount == 2)
    }

    @Test func aFailureIsRecordedForTenMinutesAndReported() async throws {
        let fixture = try Fixture()
        fixture.finder.set(.failure(.busy(.kmdb, retryAfterSeconds: 7)))
        for _ in 0..<3 {
            await #expect(throws: SourceFailure.busy(.kmdb, retryAfterSeconds: 7)) {
                try await fixture.locate(fixture.id)
            }
        }
        #expect(fixture.finder.questionCount == 1)
        fixture.finder.set(.success([Self.candidate("a")]))
        fixture.pass(600)
        #expect(try await fixture.locate(fixture.id) == Self.first)
    }

    @Test func whatASourceHasItselfIsNotDecidedAbout() async throws {
        let fixture = try Fixture()
        let poster = PosterReference(.web(url: "http://kobis.test/own.jpg"))
        fixture.own.set(.init(poster: poster), for: fixture.id)
        #expect(try await fixture.locate(fixture.id) == poster.location)
        #expect(fixture.memory.count == 0 && fixture.finder.questionCount == 0)
    }

    @Test func missingPostersAndSourcesThatAreOffAreReported() async throws {
        let fixture = try Fixture()
        let unknown = try #require(MovieID("kobis:1"))
        let off = try #require(MovieID("tmdb:603"))
        await #expect(throws: DecidePoster.Failure.unknownFilm(unknown)) { try await fixture.locate(unknown) }
        await #expect(throws: SourceFailure.off(.tmdb, option: "--tmdb-key")) { try await fixture.locate(off) }
        await #expect(throws: SourceFailure.off(.tmdb, option: "--tmdb-key")) {
            try await fixture.locate.picture(1, of: off)
        }
        #expect(fixture.decide.sources == [.kobis, .tmdb])
    }

    @Test func aPosterThatIsGoneIsFollowedByTheNextAndNotTriedAgain() async throws {
        let fixture = try Fixture()
        #expect(try await fixture.locate(fixture.id) == Self.first)
        #expect(try await fixture.locate.replacement(for: fixture.id) { $0 == Self.first } == Self.second)
        #expect(try await fixture.locate(fixture.id) == Self.second)
        let decision = try await fixture.decide.decision(for: fixture.id)
        #expect(decision.candidates.map(\.verdict) == [.gone, .chosen])
        // Both candidates are gone; the absence of a poster is stored too.
        #expect(try await fixture.locate.replacement(for: fixture.id) { $0 == Self.second } == nil)
        await #expect(throws: LocatePoster.Failure.noPoster(fixture.id)) { try await fixture.locate(fixture.id) }
        fixture.pass(86_400)
        #expect(try await fixture.locate(fixture.id) == Self.first, "it may be back after a day")
    }

    @Test func aSourcesOwnPosterIsReplacedOnlyByAnother() async throws {
        let fixture = try Fixture()
        let own = PosterReference(.web(url: "http://kobis.test/own.jpg"))
        let film = PosterSearchTerms(id: fixture.id, titles: ["영화"], year: 2022)
        fixture.own.set(.init(poster: own, film: film), for: fixture.id)
        fixture.finder.set(.success([]))
        #expect(try await fixture.locate.replacement(for: fixture.id) { $0 == own.location } == nil)
        #expect(fixture.memory.count == 0)
        fixture.finder.set(.success([Self.candidate("a")]))
        #expect(try await fixture.locate.replacement(for: fixture.id) { $0 == own.location } == Self.first)
        #expect(try await fixture.locate(fixture.id) == Self.first)
    }

    @Test func whatASourceHasNowCountsBeforeWhatOthersHave() async throws {
        let fixture = try Fixture()
        let film = PosterSearchTerms(id: fixture.id, titles: ["영화"], year: 2022)
        #expect(try await fixture.locate(fixture.id) == Self.first, "it has none of its own at first")
        let own = PosterReference(.web(url: "http://kobis.test/new.jpg"))
        fixture.own.set(.init(poster: own, film: film), for: fixture.id)
        #expect(try await fixture.locate.replacement(for: fixture.id) { $0 == Self.first } == own.location)
        #expect(fixture.finder.questionCount == 1)
        #expect(try await fixture.locate(fixture.id) == own.location, "the others' is forgotten")
    }

    @Test func theSearchForAPosterLinksTheFilm() async throws {
        let fixture = try Fixture()
        for _ in 0..<2 { #expect(try await fixture.locate(fixture.id) == Self.first) }
        try await fixture.settle()
        let link = try #require(try await fixture.links.link(of: fixture.id))
        #expect(link.counterpart == MovieID("tmdb:301") && link.reason == "same title, 2022 in both")
        #expect(fixture.films.questionCount == 1, "a stored decision searches for nothing")
    }

    @Test func aFilmThatCannotBeLinkedHasItsPoster() async throws {
        let fixture = try Fixture()
        fixture.films.set(.failure(.tooSlow(.tmdb)))
        #expect(try await fixture.locate(fixture.id) == Self.first)
        try await fixture.settle()
        fixture.films.set(.success([]))
        fixture.pass(30 * 86_400)
        #expect(try await fixture.locate(fixture.id) == Self.first)
        try await fixture.settle()
        #expect(try await fixture.links.link(of: fixture.id) == nil)
        fixture.finder.set(.failure(.tooSlow(.kmdb)))
        fixture.pass(30 * 86_400)
        await #expect(throws: SourceFailure.tooSlow(.kmdb)) { try await fixture.locate(fixture.id) }
        try await fixture.settle()
        #expect(fixture.films.questionCount == 3)
    }

    @Test func aSourceThatFailedToFindAPosterIsNotAskedForTheFilm() async throws {
        let fixture = try Fixture()
        let finder = ScriptedPosterFinder(.tmdb)
        finder.set(.failure(.tooSlow(.tmdb)))
        let decide = fixture.decide(with: [finder, fixture.finder])
        #expect(try await decide.decision(for: fixture.id).poster?.location == Self.first)
        try await fixture.settle()
        #expect(fixture.films.questionCount == 0)
    }

    @Test func aDecisionDoesNotWaitForTheLink() async throws {
        let gate = Gate()
        let fixture = try Fixture(linking: gate)
        #expect(try await fixture.locate(fixture.id) == Self.first)
        try await eventually { fixture.films.questionCount == 1 }
        #expect(try await fixture.links.link(of: fixture.id) == nil)
        #expect(try await fixture.locate(fixture.id) == Self.first, "it is stored already")
        gate.open()
        try await fixture.settle()
        #expect(try await fixture.links.link(of: fixture.id) != nil)
    }

    @Test func listedTermsNeedNoDetails() async throws {
        let fixture = try Fixture()
        try fixture.list(in: 2023)
        for _ in 0..<2 { #expect(try await fixture.locate(fixture.id) == Self.first) }
        #expect(fixture.own.questionCount == 0 && fixture.finder.questionCount == 1)
        try await fixture.settle()
        let link = try await fixture.links.link(of: fixture.id)
        #expect(link?.counterpart == MovieID("tmdb:301") && link?.reason == "same title, 2023 and 2022")
    }

    @Test(
        "without a certain match the details are asked for",
        arguments: [
            // A rerelease: the list's year differs from the film's.
            [DecidePosterTests.candidate("a", year: 1998)],
            // A remake has the list's year.
            [DecidePosterTests.candidate("b", year: 2024), DecidePosterTests.candidate("a", year: 1998)],
        ])
    func uncertain(candidates: [PosterCandidate]) async throws {
        let fixture = try Fixture()
        fixture.finder.set(.success(candidates))
        try fixture.list(
            in: 2024, film: PosterSearchTerms(id: fixture.id, titles: ["영화"], year: 1998))
        #expect(try await fixture.locate(fixture.id) == Self.first)
        #expect(fixture.own.questionCount == 1 && fixture.finder.questionCount == 2)
    }

    @Test func aFinderThatFailedForTheListIsNotAskedAgainWithTheDetails() async throws {
        let fixture = try Fixture()
        let failing = ScriptedPosterFinder(.tmdb)
        failing.set(.failure(.tooSlow(.tmdb)))
        try fixture.list(
            in: 2022, film: PosterSearchTerms(id: fixture.id, titles: ["영화"], year: 2022))
        let decision = try await fixture.decide(with: [failing, fixture.finder]).decision(for: fixture.id)
        #expect(decision.poster?.location == Self.first && decision.failures == [.tooSlow(.tmdb)])
        #expect(failing.questionCount == 1)
        try await fixture.settle()
        #expect(fixture.films.questionCount == 0)
    }

    @Test func picturesBesideThePosterHaveNumbers() async throws {
        let fixture = try Fixture()
        let pictures = [Self.first, Self.second].map { GalleryPicture(kind: .still, location: $0) }
        fixture.own.set(.init(gallery: pictures), for: fixture.id)
        #expect(try await fixture.locate.picture(2, of: fixture.id) == Self.second)
        await #expect(throws: LocatePoster.Failure.noPicture(fixture.id, number: 3)) {
            try await fixture.locate.picture(3, of: fixture.id)
        }
    }
}
