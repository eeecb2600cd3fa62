import PictureTesting
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

/// Compares a store on disk with a dictionary, also after restarts, failing calls, evictions and damaged files.
@Suite(.timeLimit(.hang))
struct DiskOriginalStoreModelTests {
    private struct State: Hashable {
        let validators: Validators
        let freshness: Freshness
    }

    private struct Entry: Hashable {
        let digest: Digest
        let location: OriginalLocation
        var state: State
        /// The state in the file, which counts again if the index loses its row.
        let first: State
    }

    private struct Run {
        static let pictures = (1...4).map { TestPicture.jpeg(width: 20 + 30 * $0, height: 60, seed: UInt64($0)) }
        static let locations = [OriginalLocation.web(url: "http://a.test/1"), .web(url: "http://a.test/2")]

        let fixture: DiskFixture
        let budget: Int
        var random: SeededGenerator
        var entries: [String: Entry] = [:]

        private mutating func state() -> State {
            let number = Int64.random(in: 0...1000, using: &self.random)
            return State(
                validators: Validators(etag: self.random.occurs(80) ? "\"\(number)\"" : nil),
                freshness: Freshness(validatedAt: 1_600_000_000 + number, lifetime: number))
        }

        mutating func step(_ store: DiskOriginalStore) async throws {
            let key = ["heat", "ronin", "alien", "tenet"].randomElement(using: &self.random)!
            let (id, known) = (try DiskFixture.id(key), self.entries[key])
            let digest = self.random.occurs(70) ? known?.digest ?? Digest(of: "another") : Digest(of: "another")
            switch Int.random(in: 0..<40, using: &self.random) {
            case 0..<10: self.entries[key] = try await self.commit(id, to: store)
            case 10..<12: try await self.commitToFailingDisk(key, id, to: store)
            case 12..<22:
                let location = Self.locations.randomElement(using: &self.random)!
                let found = try await self.entry(of: id, from: location, in: store)
                try #require(found?.state == (known?.location == location ? known?.state : nil))
                try #require(found == nil || found?.digest == known?.digest)
            case 22..<26:
                let state = self.state()
                await store.refresh(id, digest: digest, validators: state.validators, freshness: state.freshness)
                if digest == known?.digest { self.entries[key]?.state = state }
            case 26..<28:
                await store.remove(id, digest: digest)
                if digest == known?.digest { self.entries[key] = nil }
            case 28..<30:
                try #require(try await store.purge(id) == (known != nil))
                self.entries[key] = nil
            case 30..<33: try await store.settle()
            case 33: try await self.damage(key, id, in: store)
            case 34: try await store.sweep()
            default: try await self.evict(in: store)
            }
        }

        private mutating func commit(
            _ id: PosterID, to store: DiskOriginalStore, isFailing: Bool = false
        ) async throws -> Entry {
            let (picture, state) = (Self.pictures.randomElement(using: &self.random)!, self.state())
            let location = Self.locations.randomElement(using: &self.random)!
            let draft = try await store.makeDraft(for: id, from: location)
            if self.random.occurs(30) {
                _ = picture.dropLast(9).withUnsafeBytes { draft.append($0) }
                if self.random.occurs(50) {
                    await draft.discard()
                    return try await self.commit(id, to: store, isFailing: isFailing)
                }
                try #require(draft.restart())
            }
            _ = picture.withUnsafeBytes { draft.append($0) }
            let stored = try await draft.commit(
                validators: state.validators, freshness: state.freshness, declaredLength: picture.count)
            // A file that has failed to become durable cannot be read.
            if let bytes = try? stored.array { try #require(bytes == picture) } else { try #require(isFailing) }
            return Entry(digest: stored.original.digest, location: location, state: state, first: state)
        }

        private mutating func commitToFailingDisk(
            _ key: String, _ id: PosterID, to store: DiskOriginalStore
        ) async throws {
            try await store.settle()
            let known = self.entries[key]
            self.fixture.refuse(with: 28, to: ["create", "write", "synchronise"].randomElement(using: &self.random)!)
            let new = try await self.commit(id, to: store, isFailing: true)
            try await store.settle()
            self.fixture.refuse(with: nil)
            var found: [Entry] = []
            for location in Self.locations {
                if let entry = try await self.entry(of: id, from: location, in: store) { found.append(entry) }
            }
            try #require(found.count <= 1)
            // The previous original may be lost or have its first state again; the new one is not stored.
            self.entries[key] = found.first.flatMap { entry in
                known.map { Entry(digest: $0.digest, location: $0.location, state: entry.state, first: $0.first) }
            }
            if let entry = found.first {
                try #require(entry.digest == known?.digest && entry.location == known?.location, "not \(new)")
                try #require(entry.state == known?.state || entry.state == known?.first)
            }
        }

        private func entry(
            of id: PosterID, from location: OriginalLocation, in store: DiskOriginalStore
        ) async throws -> Entry? {
            guard let stored = try await store.original(id, from: location) else { return nil }
            let digest = try stored.original.bytes.withUnsafeBytes { Digest(of: $0) }
            try #require(digest == stored.original.digest)
            let state = State(validators: stored.validators, freshness: stored.freshness)
            return Entry(digest: stored.original.digest, location: location, state: state, first: state)
        }

        private mutating func damage(_ key: String, _ id: PosterID, in store: DiskOriginalStore) async throws {
            try await store.settle()
            guard let known = self.entries.removeValue(forKey: key) else { return }
            try self.fixture.edit("\(self.fixture.originals)/\(try DiskFixture.path(of: key))") { file in
                file[Int.random(in: 4096..<file.count, using: &self.random)] ^= 0x55
            }
            try #require(try await store.original(id, from: known.location) == nil)
        }

        private mutating func evict(in store: DiskOriginalStore) async throws {
            try await store.settle()
            let before = store.counters
            try await store.evict()
            try #require(store.counters.bytes <= self.budget || self.budget == 0)
            try #require(store.counters.evicted == before.evicted || before.bytes > self.budget, "there was room")
            for (key, known) in self.entries where store.counters.evicted > before.evicted {
                let found = try await store.original(try DiskFixture.id(key), from: known.location)
                if found == nil { self.entries[key] = nil }
            }
            try #require(store.counters.count == self.entries.count)
        }
    }

    @Test("random operations have the results of a plain dictionary", arguments: TestSeeds.first(8))
    func model(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var configuration = DiskOriginalStore.Configuration()
        // In half of the runs there is room for some of the files only.
        if seed % 2 == 1 { configuration.byteBudget = 16_000 }
        configuration.openLimit = Int.random(in: 4...12, using: &random)
        configuration.pendingLimit = Int.random(in: 0...3, using: &random)
        var run = Run(fixture: DiskFixture(), budget: configuration.byteBudget, random: random)
        for _ in 0..<3 {
            try await run.fixture.withStore(configuration) { store in
                for _ in 0..<40 { try await run.step(store) }
                try await store.settle()
                #expect(store.counters.count == run.entries.count)
            }
            #expect(run.fixture.files.count == run.entries.count && run.fixture.incoming.isEmpty)
        }
    }
}
