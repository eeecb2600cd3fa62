import Flights
import PosterCodec

/// The second level of variants, between memory and a render: what a ``VariantStore`` has is put into memory, and what was
/// expensive is given to it.
struct StoredVariants: Sendable {
    let store: any VariantStore
    let limits: VariantStoreLimits
    let variants: VariantCache
    let library: OriginalLibrary
    let counters: PipelineCounters
    private let reads = SingleFlight<VariantKey, RenderedPoster?>()

    init(
        store: any VariantStore, limits: VariantStoreLimits, variants: VariantCache, library: OriginalLibrary,
        counters: PipelineCounters
    ) {
        self.store = store
        self.limits = limits
        self.variants = variants
        self.library = library
        self.counters = counters
    }

    /// Whether a variant may be stored; synchronous and without I/O.
    func mayContain(_ key: VariantKey) -> Bool { self.store.mayContain(key) }

    /// The stored variant, which is in memory from then on; requests for it at the same time share one read.
    /// - Returns: nil when there is none.
    /// - Throws: `CancellationError`.
    func rendered(
        _ key: VariantKey, of original: Original, level: Urgency.Level
    ) async throws -> (poster: RenderedPoster, isShared: Bool)? {
        guard self.store.isWorthReading(key) else {
            self.counters.count(.storedMiss)
            return nil
        }
        let shared = try await self.reads.value(for: key, level: level) { _ in try await self.read(key, of: original) }
        return shared.value.map { ($0, shared.hasJoined) }
    }

    /// How many requests wait for a read.
    var readerCount: Int { self.reads.waiterCount }

    private func read(_ key: VariantKey, of original: Original) async throws -> RenderedPoster? {
        let epoch = self.library.metadata.epoch(of: key.id)
        guard let stored = await self.store.poster(for: key) else {
            try Task.checkCancellation()
            self.counters.count(.storedMiss)
            return nil
        }
        self.counters.count(.storedHit)
        var rendered = RenderedPoster(poster: stored.poster, timings: .init())
        rendered.wasStored = true
        rendered.isCurrent = self.library.isCurrent(original)
        guard rendered.isCurrent, self.isKept(key, since: epoch) else {
            // A store of several levels may have put it into the first one after the purge.
            if !self.isKept(key, since: epoch) { self.store.removeAll(of: key.id, digest: key.digest) }
            return rendered
        }
        rendered.isStored = self.variants.insert(stored.poster, for: key)
        // Looked at afterwards: a purge from now on finds it in memory.
        if !self.isKept(key, since: epoch) {
            self.variants.remove(key)
            rendered.isStored = false
        }
        return rendered
    }

    /// A variant that was encoded again, as by another node; it is not put into memory.
    func refined(_ key: VariantKey) async -> StoredVariant? {
        guard self.store.isWorthReading(key), let stored = await self.store.poster(for: key),
            stored.encoding == .refined
        else { return nil }
        return stored
    }

    /// Stores a variant that took much CPU time, or that was encoded again and takes the place of a stored one, unless its
    /// original was purged, withdrawn or replaced since `epoch`.
    func keep(
        _ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort,
        of original: Original, since epoch: OriginalMetadataCache.Epoch
    ) {
        guard
            cpuNanoseconds > self.limits.leastCPUNanoseconds || encoding == .refined && self.mayContain(key),
            self.isKept(key, since: epoch), self.library.isCurrent(original)
        else { return }
        self.store.store(poster, for: key, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
        // Looked at afterwards: what makes the original go from now on finds the variant.
        if !self.isKept(key, since: epoch) || !self.library.isCurrent(original) {
            self.store.removeAll(of: key.id, digest: key.digest)
        }
    }

    private func isKept(_ key: VariantKey, since epoch: OriginalMetadataCache.Epoch) -> Bool {
        self.library.metadata.isKept(key.id, since: epoch)
    }
}
