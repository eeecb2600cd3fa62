import Flights
import MovieTesting
import PosterTesting
import Testing

@testable import MovieDomain

@Suite(.timeLimit(.hang))
struct ChoosePosterCandidateTests {
    private static let now = Instant(secondsSince1970: 1_000_000)

    private let inspector = ScriptedInspector()

    private static func film(_ id: String = "kobis:20228555", year: Int? = 2022) throws -> PosterSearchTerms {
        let id = try #require(MovieID(id))
        return try #require(
            PosterSearchTerms(id: id, titles: ["헤어질 결심", "Decision to Leave"], year: year))
    }

    static func candidate(
        _ source: MovieSource = .kmdb, _ name: String = "a", title: String = "헤어질 결심", year: Int? = 2022,
        size: (Int, Int)? = nil
    ) -> PosterCandidate {
        let location: PictureLocation =
            source == .tmdb ? .tmdb(file: "\(name).jpg") : .web(url: "https://\(source.rawValue).test/\(name).jpg")
        return PosterCandidate(
            source: source, location: location, title: title, year: year,
            size: size.flatMap { PictureSize(width: $0.0, height: $0.1) })
    }

    private func choose(_ finders: [any PosterFinder]) -> ChoosePosterCandidate {
        ChoosePosterCandidate(finders: finders, inspector: self.inspector, now: { Self.now })
    }

    /// A candidate, its inspected size, and whether it is chosen.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let candidate: PosterCandidate
        var seen: (Int, Int) = (600, 900)
        let isTaken: Bool
        var isInspected = true
    }

    static let cases: [Case] = [
        Case(testDescription: "the same title and year", candidate: candidate(), isTaken: true),
        Case(testDescription: "another spelling", candidate: candidate(title: "헤어질결심"), isTaken: true),
        Case(testDescription: "the English title", candidate: candidate(title: "decision to leave"), isTaken: true),
        Case(testDescription: "a year before", candidate: candidate(year: 2021), isTaken: true),
        Case(testDescription: "a year unknown", candidate: candidate(year: nil), isTaken: true),
        Case(
            testDescription: "two years before", candidate: candidate(year: 2020), isTaken: false, isInspected: false),
        Case(
            testDescription: "another title", candidate: candidate(title: "헤어질 결심 2"), isTaken: false,
            isInspected: false),
        Case(testDescription: "landscape", candidate: candidate(), seen: (900, 600), isTaken: false),
        Case(testDescription: "square", candidate: candidate(), seen: (600, 600), isTaken: false),
        Case(testDescription: "a strip", candidate: candidate(), seen: (100, 900), isTaken: false),
        Case(
            testDescription: "told to be landscape", candidate: candidate(size: (900, 600)), isTaken: false,
            isInspected: false),
        Case(
            testDescription: "told to be a poster and is none", candidate: candidate(size: (600, 900)),
            seen: (900, 600), isTaken: false),
        Case(testDescription: "without titles", candidate: candidate(.kakao, title: "", year: nil), isTaken: true),
        Case(
            testDescription: "a search's, too high", candidate: candidate(.kakao, title: "", year: nil),
            seen: (500, 900), isTaken: false),
        Case(
            testDescription: "a search's, too wide", candidate: candidate(.kakao, title: "", year: nil),
            seen: (800, 1000), isTaken: false),
        Case(testDescription: "TMDB's", candidate: candidate(.tmdb), isTaken: true, isInspected: false),
    ]

    @Test("a candidate is taken or not", arguments: cases)
    func isTakenOrNot(_ given: Case) async throws {
        let location = given.candidate.location
        let seen = try #require(PictureSize(width: given.seen.0, height: given.seen.1))
        self.inspector.set(.size(seen), for: location)
        let finder = ScriptedPosterFinder(given.candidate.source, [given.candidate])
        let decision = try await self.choose([finder])(for: try Self.film())
        #expect((decision.poster?.location == location) == given.isTaken)
        #expect(decision.source == (given.isTaken ? given.candidate.source : nil))
        #expect(self.inspector.looks.isEmpty != given.isInspected)
        #expect(decision.candidates.count == 1)
        if given.isTaken, given.isInspected { #expect(decision.poster?.size == seen) }
        #expect(decision.decidedAt == Self.now)
    }

    @Test func theFirstSourceThatHasOneSettlesIt() async throws {
        let (tmdb, kmdb) = (
            ScriptedPosterFinder(
                .tmdb, [Self.candidate(.tmdb, year: 1999), Self.candidate(.tmdb, "b"), Self.candidate(.tmdb, "c")]),
            ScriptedPosterFinder(.kmdb, [Self.candidate()])
        )
        let decision = try await self.choose([tmdb, kmdb])(for: try Self.film())
        #expect(decision.poster?.location == .tmdb(file: "b.jpg"))
        #expect(decision.candidates.map(\.verdict).dropFirst() == [.chosen, .notNeeded])
        #expect(kmdb.questionCount == 0)
    }

    @Test func aSourceThatFailsLeavesItToTheNext() async throws {
        let (tmdb, kmdb) = (ScriptedPosterFinder(.tmdb), ScriptedPosterFinder(.kmdb, [Self.candidate()]))
        tmdb.set(.failure(.tooSlow(.tmdb)))
        let decision = try await self.choose([tmdb, kmdb])(for: try Self.film())
        #expect(decision.source == .kmdb)
        #expect(decision.failures == [.tooSlow(.tmdb)])
        #expect(decision.isUncertain)
    }

    @Test func theFilmsOwnSourceIsNotAskedForOthers() async throws {
        let kmdb = ScriptedPosterFinder(.kmdb, [Self.candidate()])
        let decision = try await self.choose([kmdb])(for: try Self.film("kmdb:K12345"))
        #expect(decision.poster == nil)
        #expect(kmdb.questionCount == 0)
    }

    @Test func onlySoManyPicturesAreLookedAt() async throws {
        let candidates = (0..<20).map { Self.candidate(.kakao, "\($0)", title: "", year: nil) }
        for candidate in candidates { self.inspector.set(.unusable(reason: "it is text"), for: candidate.location) }
        let decision = try await self.choose([ScriptedPosterFinder(.kakao, candidates)])(for: try Self.film())
        #expect(decision.poster == nil)
        #expect(self.inspector.looks.count == ChoosePosterCandidate.inspectionLimit)
        #expect(decision.candidates.count == 20)
        #expect(!decision.isUncertain)
    }

    @Test func aPictureThatCannotBeLookedAtLeavesADoubt() async throws {
        let candidate = Self.candidate()
        self.inspector.set(.unreachable(reason: "it took too long"), for: candidate.location)
        let decision = try await self.choose([ScriptedPosterFinder(.kmdb, [candidate])])(for: try Self.film())
        #expect(decision.poster == nil)
        #expect(decision.failure == .unavailable(.kmdb, reason: "it took too long"))
    }

    @Test func cancellingStopsIt() async throws {
        let gate = Gate()
        let (tmdb, kmdb) = (
            ScriptedPosterFinder(.tmdb, [Self.candidate(.tmdb)], gate: gate),
            ScriptedPosterFinder(.kmdb, [Self.candidate()])
        )
        let choose = self.choose([tmdb, kmdb])
        let film = try Self.film()
        let task = Task { try await choose(for: film) }
        try await eventually { gate.waiterCount != 0 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(kmdb.questionCount == 0)
    }
}
