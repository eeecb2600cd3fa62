import GRDB
import MovieDomain
import PosterTesting
import RebuildableDatabase
import Testing

@testable import UpstreamClient

/// Compares a file of responses with dictionaries, also after it is closed and opened again.
@Suite(.timeLimit(.hang))
struct ResponseStoreModelTests {
    private struct Key: Hashable {
        let source: MovieSource
        let text: String
    }

    private struct Entry {
        var response: StoredResponse
        /// The last use in seconds, which reads update once an hour.
        var usedAt: Int64
        let byteCount: Int
    }

    private struct Run {
        let limits: ResponseStore.Limits
        let folder = TemporaryFolder()
        var random: SeededGenerator
        var store: ResponseStore
        var entries: [Key: Entry] = [:]
        var spent: [MovieSource: (day: CalendarDate, count: Int)] = [:]
        var now: Int64 = 1_700_000_000

        init(seed: UInt64) throws {
            self.random = SeededGenerator(seed: seed)
            var limits = ResponseStore.Limits()
            limits.bytes = Int.random(in: 4000...30_000, using: &self.random)
            limits.responseBytes = 1500
            self.limits = limits
            self.store = try ResponseStore(path: self.folder.path + "/answers", limits: limits)
        }

        private var byteCount: Int { self.entries.values.reduce(0) { $0 + $1.byteCount } }

        private mutating func response() -> StoredResponse {
            let byte = UInt8.random(in: 0...9, using: &self.random)
            let body = [UInt8](repeating: byte, count: .random(in: 0...1600, using: &self.random))
            return StoredResponse(
                status: self.random.occurs(80) ? 200 : 404, etag: self.random.occurs(50) ? "\"\(body.count)\"" : nil,
                storedAt: Instant(secondsSince1970: self.now),
                freshUntil: Instant(secondsSince1970: self.now + .random(in: 0...90, using: &self.random)), body: body)
        }

        mutating func step() async throws {
            let key = Key(
                source: [.tmdb, .kobis].randomElement(using: &self.random)!,
                text: "/\(Int.random(in: 0..<12, using: &self.random))")
            let (source, moment) = (key.source, Instant(secondsSince1970: self.now))
            switch Int.random(in: 0..<30, using: &self.random) {
            case 0..<9: try await self.put(self.response(), for: key)
            case 9..<16:
                let found = try await self.store.response(of: source, for: key.text, at: moment)
                try #require(found == self.entries[key]?.response)
                let used = self.entries[key]?.usedAt ?? self.now
                if used <= self.now - 3600 { self.entries[key]?.usedAt = self.now }
            case 16..<18:
                let until = Instant(secondsSince1970: self.now + 50)
                try await self.store.refresh(of: source, for: key.text, storedAt: moment, freshUntil: until)
                self.entries[key]?.response.storedAt = moment
                self.entries[key]?.response.freshUntil = until
                self.entries[key]?.usedAt = self.now
            case 18:
                try await self.store.remove(of: source, for: key.text)
                self.entries[key] = nil
            case 19:
                let bound = Instant(secondsSince1970: self.now - .random(in: 0...20_000, using: &self.random))
                try await self.store.remove(of: source, before: bound)
                self.entries = self.entries.filter { $0.key.source != source || $0.value.response.storedAt >= bound }
            case 20..<25: try await self.count(source)
            case 25:
                try self.store.close()
                self.store = try ResponseStore(path: self.folder.path + "/answers", limits: self.limits)
            default: self.now += .random(in: 0...5000, using: &self.random)
            }
        }

        private mutating func put(_ response: StoredResponse, for key: Key) async throws {
            try await self.store.store(response, of: key.source, for: key.text)
            self.entries[key] = nil
            guard response.body.count <= self.limits.responseBytes else { return }
            // Rows count as their body, their key and 200 bytes.
            let byteCount = response.body.count + key.text.utf8.count + 200
            self.entries[key] = Entry(response: response, usedAt: self.now, byteCount: byteCount)
            let (before, stored) = (self.byteCount, try await self.storedKeys())
            let evicted = self.entries.filter { !stored.contains($0.key) }
            for key in evicted.keys { self.entries[key] = nil }
            try #require(Set(self.entries.keys) == stored, "nothing appears by itself")
            try #require(self.byteCount <= self.limits.bytes)
            try #require(evicted.isEmpty || before > self.limits.bytes / 16 * 15, "there was room")
            let oldest = self.entries.values.map(\.usedAt).min() ?? .max
            try #require(evicted.values.allSatisfy { $0.usedAt <= oldest }, "the least recently used are evicted")
        }

        private mutating func count(_ source: MovieSource) async throws {
            let day = CalendarDate(dayNumber: 20_000 + .random(in: 0...1, using: &self.random))
            let known = self.spent[source].flatMap { $0.day == day ? $0.count : nil }
            switch Int.random(in: 0..<3, using: &self.random) {
            case 0: try #require(try await self.store.requestCount(on: day, of: source) == known ?? 0)
            case 1:
                try #require(try await self.store.charge(on: day, of: source) == (known ?? 0) + 1)
                self.spent[source] = (day, (known ?? 0) + 1)
            default:
                try await self.store.refund(on: day, of: source)
                if let known { self.spent[source] = (day, max(0, known - 1)) }
            }
        }

        private func storedKeys() async throws -> Set<Key> {
            try await self.store.database.perform { database in
                try await database.read { db in
                    let rows = try Row.fetchAll(db, sql: "SELECT source, key FROM answer")
                    return Set(rows.map { Key(source: MovieSource(rawValue: $0["source"])!, text: $0["key"]) })
                }
            }
        }
    }

    @Test("random operations have the results of plain dictionaries", arguments: TestSeeds.first(6))
    func model(seed: UInt64) async throws {
        var run = try Run(seed: seed)
        for _ in 0..<150 { try await run.step() }
        try run.store.close()
    }
}
