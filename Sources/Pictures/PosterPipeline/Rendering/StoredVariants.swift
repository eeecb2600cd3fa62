import Flights
import PosterCodec

/// The second level of the variant cache: reads variants from a ``VariantStore`` into memory, and stores expensive
/// ones.
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

    /// Whether a variant may be stored; synchronous, without I/O.
    func mayContain(_ key: VariantKey) -> Bool { self.store.mayContain(key) }

    /// Reads a stored variant and caches it in memory; concurrent requests share one read.
    /// - Returns: `nil` if it is not stored.
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
            // A store of several levels may have copied it to its first level after the purge.
            if !self.isKept(key, since: epoch) { self.store.removeAll(of: key.id, digest: key.digest) }
            return rendered
        }
        rendered.isCached = self.variants.insert(stored.poster, for: key)
        // Checked after the insertion: a purge from here on finds the variant in memory.
        if !self.isKept(key, since: epoch) {
            self.variants.remove(key)
            rendered.isCached = false
        }
        return rendered
    }

    /// A re-encoded variant, possibly of another node; not cached in memory.
    func refined(_ key: VariantKey) async -> StoredVariant? {
        guard self.store.isWorthReading(key), let stored = await self.store.poster(for: key),
            stored.encoding == .refined
        else { return nil }
        return stored
    }

    /// Stores a variant that took much CPU time, or a re-encoded one that replaces a stored one, unless its original
    /// was purged, withdrawn or replaced since `epoch`.
    func keep(
        _ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort,
        of original: Original, since epoch: OriginalMetadataCache.Epoch
    ) {
        guard
            cpuNanoseconds > self.limits.leastCPUNanoseconds || encoding == .refined && self.mayContain(key),
            self.isKept(key, since: epoch), self.library.isCurrent(original)
        else { return }
        self.store.store(poster, for: key, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
        // Checked after the write: an original removed from here on takes the variant along.
        if !self.isKept(key, since: epoch) || !self.library.isCurrent(original) {
            self.store.removeAll(of: key.id, digest: key.digest)
        }
    }

    private func isKept(_ key: VariantKey, since epoch: OriginalMetadataCache.Epoch) -> Bool {
        self.library.metadata.isKept(key.id, since: epoch)
    }
}
