import Flights

/// What a pipeline holds and has done. Counts of events are since the start.
public struct PipelineStatus: Hashable, Sendable {
    /// Variants answered from memory, those of stale originals apart.
    public var hits: Int
    /// Variants of stale originals, or of originals that have a successor, answered from memory.
    public var staleHits: Int
    /// Variants made.
    public var renders: Int
    /// Requests that waited for a render that another had begun.
    public var coalesced: Int
    /// Renders whose original was replaced meanwhile.
    public var discarded: Int
    /// Requests rejected for overload.
    public var overloaded: Int
    /// Variants rendered ahead of requests.
    public var warmed: Int
    /// Variants evicted.
    public var evicted: Int
    /// Originals that are being revalidated.
    public var revalidations: Int
    /// Variants in memory.
    public var variantCount: Int
    /// What they cost, in bytes.
    public var variantBytes: Int
    /// The budget of the cache, in bytes.
    public var variantByteBudget: Int
}

extension PosterPipeline {
    /// As of now.
    public var status: PipelineStatus {
        let usage = self.variants.usage
        return PipelineStatus(
            hits: self.counters.value(of: .hit), staleHits: self.counters.value(of: .staleHit),
            renders: self.counters.value(of: .rendered), coalesced: self.counters.value(of: .coalesced),
            discarded: self.counters.value(of: .discarded), overloaded: self.counters.value(of: .overloaded),
            warmed: self.counters.value(of: .warmed), evicted: self.variants.evictionCount,
            revalidations: self.library.revalidationCount,
            variantCount: usage.count, variantBytes: usage.bytes, variantByteBudget: self.variants.byteBudget)
    }

    /// Cancels background work. Answers that are under way end with their clients.
    public func close() {
        self.hasher.close()
        self.library.close()
    }

    /// How many requests wait for an original.
    public func originalWaiterCount(for id: PosterID) -> Int {
        self.library.waiterCount(for: id)
    }

    /// How many requests wait for a render.
    public var renderWaiterCount: Int { self.renders.waiterCount }

    /// How many renders have been finished since the start.
    public var renderCount: Int { self.counters.value(of: .rendered) }

    /// Removes a poster: its original, its variants, and its cached failure.
    ///
    /// - Returns: Whether an original was stored.
    /// - Throws: ``PosterError/storageFailed(reason:)``, `CancellationError`.
    @discardableResult
    public func purge(_ id: PosterID) async throws -> Bool {
        let digest = self.library.lastKnown(id)?.facts.digest
        let wasStored = try await self.library.purge(id)
        if let digest { self.describer.forget(digest) }
        self.variants.removeAll(of: id)
        return wasStored
    }

    /// Drops these sources from memory; what is on disk stays there.
    ///
    /// - Parameter sources: All removed sources, replacing those of the last call. To be called when the locator has
    ///   dropped them.
    public func forget(sources: Set<String>) {
        self.library.metadata.withdraw(sources)
        self.variants.removeAll(of: sources)
    }
}
