import FoundationEssentials
import GRDB
import MovieDomain
import PosterTesting
import Synchronization
import Testing

@testable import UpstreamClient

@Suite("The file of answers")
struct ResponseStoreTests {
    private func answer(_ body: [UInt8], at seconds: Int64 = 0) -> StoredResponse {
        StoredResponse(
            status: 200, etag: nil, storedAt: Instant(secondsSince1970: seconds),
            freshUntil: Instant(secondsSince1970: seconds + 100), body: body)
    }

    private let now = Instant(secondsSince1970: 50)

    @Test func keepsByUpstreamAndKey() async throws {
        let store = try ResponseStore()
        try await store.store(self.answer([1]), of: .tmdb, for: "k")
        try await store.store(self.answer([2]), of: .kobis, for: "k")
        try await store.store(self.answer([3]), of: .tmdb, for: "k")
        #expect(try await store.response(of: .tmdb, for: "k", at: self.now)?.body == [3])
        #expect(try await store.response(of: .kobis, for: "k", at: self.now)?.body == [2])
        #expect(try await store.response(of: .omdb, for: "k", at: self.now) == nil)
    }

    @Test func aStoredTagThatCannotBeSentBackIsNone() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/answers.sqlite"
        let store = try ResponseStore(path: path)
        try await store.store(self.answer([1]), of: .tmdb, for: "k")
        try await DatabaseQueue(path: path).write { db in
            try db.execute(sql: "UPDATE answer SET etag = ?", arguments: ["\"a\u{1}b\""])
        }
        let stored = try await store.response(of: .tmdb, for: "k", at: self.now)
        #expect(stored?.etag == nil && stored?.body == [1])
        try store.close()
    }

    @Test func doesNotKeepWhatIsTooLarge() async throws {
        var limits = ResponseStore.Limits()
        limits.responseBytes = 10
        let store = try ResponseStore(limits: limits)
        try await store.store(self.answer([1]), of: .tmdb, for: "k")
        try await store.store(self.answer([UInt8](repeating: 2, count: 11)), of: .tmdb, for: "k")
        #expect(try await store.response(of: .tmdb, for: "k", at: self.now) == nil)
    }

    @Test func theLeastRecentlyUsedResponseIsDeleted() async throws {
        var limits = ResponseStore.Limits()
        limits.bytes = 100_000
        let store = try ResponseStore(limits: limits)
        let body = [UInt8](repeating: 7, count: 1000)
        for number in 0..<300 {
            try await store.store(self.answer(body, at: Int64(number)), of: .tmdb, for: "\(number)")
            // The first response is used repeatedly, an hour apart.
            let hours = Instant(secondsSince1970: Int64(number) * 3601)
            #expect(try await store.response(of: .tmdb, for: "0", at: hours)?.body == body)
        }
        var kept = 0
        for number in 0..<300 {
            let answer = try await store.response(of: .tmdb, for: "\(number)", at: self.now)
            if answer != nil { kept += 1 }
        }
        #expect((60...83).contains(kept))
        #expect(try await store.response(of: .tmdb, for: "299", at: self.now) != nil)
        #expect(try await store.response(of: .tmdb, for: "1", at: self.now) == nil)
    }

    @Test(arguments: [Array("no database, whatever it is called".utf8), [UInt8](repeating: 0, count: 5000)])
    func aDamagedFileIsMadeAnew(content: [UInt8]) async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/answers.sqlite"
        try Data(content).write(to: URL(filePath: path))
        let store = try ResponseStore(path: path)
        try await store.store(self.answer([1]), of: .tmdb, for: "k")
        #expect(try await store.response(of: .tmdb, for: "k", at: self.now)?.body == [1])
        try store.close()
    }

    @Test func aFileOfAnotherVersionIsMadeAnew() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/answers.sqlite"
        let store = try ResponseStore(path: path)
        try await store.store(self.answer([1]), of: .tmdb, for: "k")
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 99") }
        try store.close()
        let next = try ResponseStore(path: path)
        #expect(try await next.response(of: .tmdb, for: "k", at: self.now) == nil)
        try next.close()
    }

    @Test func aFileThatIsDamagedWhileItIsUsedIsMadeAnew() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/answers.sqlite"
        let store = try ResponseStore(path: path)
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "DROP TABLE answer") }
        #expect(try await store.response(of: .tmdb, for: "k", at: self.now) == nil)
        try await store.store(self.answer([1]), of: .tmdb, for: "k")
        #expect(try await store.response(of: .tmdb, for: "k", at: self.now)?.body == [1])
        try store.close()
    }

    @Test func countsRequestsByDay() async throws {
        let store = try ResponseStore()
        let day = try #require(CalendarDate("2026-01-31"))
        #expect(try await store.charge(on: day, of: .kobis) == 1)
        #expect(try await store.charge(on: day, of: .kobis) == 2)
        #expect(try await store.charge(on: day, of: .omdb) == 1)
        #expect(try await store.charge(on: day.adding(days: 1), of: .kobis) == 1)
    }
}

@Suite("Decoded values in memory")
struct DecodedValuesTests {
    @Test func holdsSoManyAndSoMuchAtMost() {
        let values = DecodedValues(maxCount: 80, maxBytes: 8000)
        let (now, later) = (Instant(secondsSince1970: 0), Instant(secondsSince1970: 10))
        let key = { (number: Int) in DecodedValues.Key(text: "\(number)", type: ObjectIdentifier(Int.self)) }
        let entry = { (byteCount: Int) in
            DecodedValues.Entry(value: 1, storedAt: now, freshUntil: later, staleUntil: later, byteCount: byteCount)
        }
        for number in 0..<200 {
            values.keep(entry(200), for: key(number))
            _ = values.entry(for: key(0))
        }
        let held = (0..<200).filter { values.entry(for: key($0)) != nil }
        #expect(held.count <= 40)
        #expect(held.contains(0) && held.contains(199))
        values.keep(entry(1001), for: key(0))
        #expect(values.entry(for: key(0)) == nil, "what is too large does not leave an older one in place")
    }

    @Test(arguments: [(Int64(0), 86_400), (86_399, 1), (-32_400, 32_400)])
    func aDayEndsAtMidnight(seconds: Int64, left: Int) {
        #expect(DailyBudget.universal(1).secondsLeft(at: Instant(secondsSince1970: seconds)) == left)
        #expect(DailyBudget.korean(1).secondsLeft(at: Instant(secondsSince1970: seconds - 32_400)) == left)
    }
}
