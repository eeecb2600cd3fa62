import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

/// Compares a store of variants with a dictionary, also after restarts and damaged files.
@Suite(.timeLimit(.hang))
struct DiskVariantStoreModelTests {
    private struct Entry {
        let variant: TestVariant
        /// `nil` for either.
        let encoding: EncodingEffort?
    }

    private struct Run {
        let fixture = VariantFixture()
        let variants: [TestVariant]
        /// Whether there is room for all variants.
        let isAmple: Bool
        var random: SeededGenerator
        var entries: [VariantKey: Entry] = [:]
        /// Variants of older originals: a store need not remove them.
        var superseded: [VariantKey: Entry] = [:]

        /// Whether folders may not be listed: a first encoding then hides a re-encoded file.
        var isStarting = true

        mutating func remove(_ isUnwanted: (VariantKey) -> Bool) {
            self.entries = self.entries.filter { !isUnwanted($0.key) }
            self.superseded = self.superseded.filter { !isUnwanted($0.key) }
        }

        mutating func step(_ store: DiskVariantStore) async throws {
            let variant = self.variants.randomElement(using: &self.random)!
            let (key, known) = (variant.key, self.entries[variant.key])
            switch Int.random(in: 0..<40, using: &self.random) {
            case 0..<14:
                let encoding: EncodingEffort = self.random.occurs(30) ? .refined : .first
                store.store(variant, milliseconds: .random(in: 20...200, using: &self.random), encoding: encoding)
                guard known?.encoding != .refined || encoding == .refined else { return }
                let others = self.entries.filter { $0.key.id == key.id && $0.key.digest != key.digest }
                for (other, entry) in others { (self.entries[other], self.superseded[other]) = (nil, entry) }
                // A superseded variant may still be stored, and be the better one.
                let isSure = encoding == .refined || known?.encoding != nil || known ?? self.superseded[key] == nil
                self.superseded[key] = nil
                self.entries[key] = Entry(variant: variant, encoding: isSure ? encoding : nil)
            case 14..<24: try await self.compare(key, in: store)
            case 24..<27:
                store.removeAll(of: key.id, digest: key.digest)
                self.remove { $0.id == key.id && $0.digest == key.digest }
                try await self.compare(key, in: store)
            case 27, 28:
                await store.removeAll(of: key.id)
                self.remove { $0.id == key.id }
                try await self.compare(key, in: store)
            case 29:
                store.removeAll(of: [key.id.source])
                self.remove { $0.id.source == key.id.source }
            case 30:
                await store.removeAllHere()
                self.remove { _ in true }
            case 31: store.prepare()
            case 32: try await self.damage(in: store)
            default:
                try await store.settle()
                self.isStarting = false
                let counters = store.counters
                try #require(counters.bytes == self.fixture.space && counters.count == self.fixture.files.count)
                try #require(counters.bytes <= store.configuration.byteBudget && counters.pending == 0)
                for (key, entry) in self.superseded where store.mayContain(key) { self.entries[key] = entry }
                self.superseded = [:]
                for (key, _) in self.entries where !self.isAmple && !store.mayContain(key) { self.entries[key] = nil }
                try #require(counters.count == self.entries.count)
            }
        }

        mutating func compare(_ key: VariantKey, in store: DiskVariantStore) async throws {
            let (found, known) = (await store.poster(for: key), self.entries[key] ?? self.superseded[key])
            try #require(found == nil || store.mayContain(key))
            guard let found, let known else {
                try #require(found == nil, "nothing that was removed is found")
                try #require(self.entries[key] == nil || !self.isAmple, "nothing is lost")
                self.remove { $0 == key }
                return
            }
            try #require(found.poster.bytes == known.variant.poster.bytes)
            try #require(found.poster.entityTag == known.variant.poster.entityTag)
            // With little room, a re-encoded file may be evicted before a first encoding is stored.
            let isReplaced = !self.isAmple && known.encoding == .refined && found.encoding == .first
            try #require(
                self.isStarting || isReplaced || found.encoding == known.encoding ?? found.encoding,
                "\(found.encoding), not \(String(describing: known.encoding))")
        }

        private mutating func damage(in store: DiskVariantStore) async throws {
            try await store.settle()
            guard let path = self.fixture.files.randomElement(using: &self.random) else { return }
            try self.fixture.disk.edit(path) { file in
                file[Int.random(in: file.indices, using: &self.random)] ^= 0x55
            }
            var found: Set<VariantKey> = []
            for key in self.entries.keys where await store.poster(for: key) != nil { found.insert(key) }
            let lost = self.entries.keys.filter { !found.contains($0) }
            try #require(lost.count <= 1 || !self.isAmple)
            for key in lost { self.remove { $0 == key } }
        }
    }

    private static func variants() throws -> [TestVariant] {
        try ["mine:heat", "mine:ronin", "other:heat"].flatMap { id in
            try (1...2).flatMap { seed in
                try [40, 50].map { try TestVariant(id, width: $0, seed: seed, byteCount: $0 == 40 ? 500 : 9000) }
            }
        }
    }

    @Test("random operations have the results of a plain dictionary", arguments: TestSeeds.first(12))
    func model(seed: UInt64) async throws {
        let isAmple = seed % 3 != 2
        var run = Run(variants: try Self.variants(), isAmple: isAmple, random: SeededGenerator(seed: seed))
        for _ in 0..<4 {
            try await run.fixture.withStore(.init(byteBudget: isAmple ? 1 << 30 : 7 << 12)) { store in
                run.isStarting = true
                for _ in 0..<40 { try await run.step(store) }
                try await store.settle()
            }
        }
    }
}
