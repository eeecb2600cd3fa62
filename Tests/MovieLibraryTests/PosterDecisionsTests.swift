import Foundation
import GRDB
import Logging
import MovieDomain
import MovieLibrary
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct PosterDecisionsTests {
    private static let now = Instant(secondsSince1970: 1000)
    private static let later = Instant(secondsSince1970: 2000)
    private let folder = TemporaryFolder()
    private var path: String { self.folder.path + "/posters.sqlite" }

    private var logger: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    private func id(_ number: Int = 1) throws -> MovieID { try #require(MovieID("kobis:\(number)")) }

    private func decision() throws -> PosterDecision {
        let size = try #require(PictureSize(width: 600, height: 900))
        let chosen = PosterCandidate(
            source: .kakao, location: .web(url: "https://a.test/1.jpg?b=1"), title: "", year: nil, size: size)
        let other = PosterCandidate(
            source: .tmdb, location: .tmdb(file: "x.jpg"), title: "영화", year: 2020, size: nil)
        return PosterDecision(
            poster: PosterReference(chosen.location, size: size), source: .kakao,
            candidates: [
                .init(other, .rejected(reason: "it belongs to a film of 2020, not of 2022")), .init(chosen, .chosen),
                .init(other, .notNeeded),
            ],
            failures: [
                .off(.kmdb, option: "--kmdb-key"), .keyRefused(.kmdb), .busy(.kmdb, retryAfterSeconds: 7),
                .tooSlow(.kmdb), .unavailable(.kmdb, reason: "a"), .badAnswer(.kmdb, reason: "b"),
            ], decidedAt: Self.now)
    }

    @Test func whatIsKeptIsWhatWasDecided() async throws {
        let decision = try self.decision()
        let first = SQLitePosterDecisions(path: self.path, logger: self.logger)
        try await first.keep(decision, for: self.id(), until: Self.later)
        first.close()
        let second = SQLitePosterDecisions(path: self.path, logger: self.logger)
        #expect(try await second.decision(for: self.id(), at: Self.now) == decision)
        #expect(try await second.decision(for: self.id(), at: Self.later) == nil, "it has expired")
        #expect(try await second.decision(for: self.id(2), at: Self.now) == nil)
        try await second.forget(self.id())
        #expect(try await second.decision(for: self.id(), at: Self.now) == nil)
        second.close()
    }

    @Test func aLaterDecisionTakesThePlaceOfTheOneBefore() async throws {
        let decisions = SQLitePosterDecisions(logger: self.logger)
        try await decisions.keep(self.decision(), for: self.id(), until: Self.later)
        let none = PosterDecision(poster: nil, source: nil, decidedAt: Self.now)
        try await decisions.keep(none, for: self.id(), until: Self.later)
        #expect(try await decisions.decision(for: self.id(), at: Self.now) == none)
    }

    @Test func decisionsThatLinkedNoFilmsAreMadeAgain() async throws {
        let first = SQLitePosterDecisions(path: self.path, logger: self.logger)
        try await first.keep(self.decision(), for: self.id(), until: Self.later)
        first.close()
        let file = try DatabaseQueue(path: self.path)
        try await file.write { try $0.execute(sql: "PRAGMA user_version = 1") }
        try file.close()
        let second = SQLitePosterDecisions(path: self.path, logger: self.logger)
        #expect(try await second.decision(for: self.id(), at: Self.now) == nil)
        second.close()
    }

    @Test func theOldestAreDeletedFirst() async throws {
        let decisions = SQLitePosterDecisions(limit: 10, logger: self.logger)
        let none = PosterDecision(poster: nil, source: nil, decidedAt: Self.now)
        for number in 1...15 { try await decisions.keep(none, for: self.id(number), until: Self.later) }
        // A repeated decision is the newest.
        try await decisions.keep(none, for: self.id(6), until: Self.later)
        for number in 16...20 { try await decisions.keep(none, for: self.id(number), until: Self.later) }
        var kept: [Int] = []
        for number in 1...20 where try await decisions.decision(for: self.id(number), at: Self.now) != nil {
            kept.append(number)
        }
        #expect(kept.count <= 10 && kept.contains(6) && kept.contains(20) && !kept.contains(7), "\(kept)")
    }

    @Test func aDamagedFileIsMadeAnew() async throws {
        try Data("this is no database, and never was".utf8).write(to: URL(filePath: self.path))
        let decisions = SQLitePosterDecisions(path: self.path, logger: self.logger)
        try await decisions.keep(self.decision(), for: self.id(), until: Self.later)
        #expect(try await decisions.decision(for: self.id(), at: Self.now) != nil)
        decisions.close()
    }

    @Test func withoutAPlaceNothingIsRememberedAndNothingFails() async throws {
        let decisions = SQLitePosterDecisions(path: self.folder.path + "/missing/posters.sqlite", logger: self.logger)
        try await decisions.keep(self.decision(), for: self.id(), until: Self.later)
        #expect(try await decisions.decision(for: self.id(), at: Self.now) == nil)
        try await decisions.forget(self.id())
        decisions.close()
    }
}
