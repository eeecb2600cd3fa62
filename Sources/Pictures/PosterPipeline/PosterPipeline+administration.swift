import BoundedCache
import Flights
package import PosterCodec

// MARK: Descriptions

extension PosterPipeline {
    /// The format, size, digest and hashes of a poster's original, which is fetched if it is not stored.
    package func description(of id: PosterID) async throws -> PosterDescription {
        guard let gate else { return try await self.describer.description(of: id) }
        return try await self.onceOpen(gate, for: id) { try await self.describer.description(of: id) }
    }

    /// A picture of at most 32 pixels a side and about a kilobyte, generated from a poster's hash.
    /// - Parameter format: Not JPEG: its tables alone take most of a kilobyte.
    package func placeholder(of description: PosterDescription, format: OutputFormat) async throws -> Poster {
        try await self.describer.placeholder(of: description, format: format)
    }

    /// The cached description of a poster. Synchronous and safe from any thread; does no I/O and starts no work.
    package func knownDescription(of id: PosterID) -> KnownPoster? {
        if let facts = self.library.metadata.entry(for: id)?.facts {
            let (width, height) = facts.header.uprightSize
            return .picture(
                KnownPicture(
                    digest: facts.digest, width: width, height: height,
                    hashes: self.describer.knownHashes(of: facts.digest)))
        }
        if case .unknownPoster = self.library.failures.value(for: id) { return .missing }
        return nil
    }

    /// Queues stored originals for background hashing, so that ``knownDescription(of:)`` has their hashes later.
    /// Fetches nothing; drops ids beyond the queue's limit.
    package func describeInBackground(_ ids: some Sequence<PosterID>) {
        self.describer.describeInBackground(ids)
    }

    package var pendingDescriptionCount: Int { self.describer.pendingCount }

    // MARK: Administration

    package var status: PipelineStatus {
        let usage = self.variants.usage
        let planes = self.planes.usage
        return PipelineStatus(
            hits: self.counters.value(of: .hit), staleHits: self.counters.value(of: .staleHit),
            misses: self.counters.value(of: .missed),
            renders: self.counters.value(of: .rendered), decodes: self.counters.value(of: .decoded),
            coalesced: self.counters.value(of: .coalesced),
            discarded: self.counters.value(of: .discarded), overloaded: self.counters.value(of: .overloaded),
            warmed: self.counters.value(of: .warmed), evicted: self.variants.evictionCount,
            revalidations: self.library.revalidations.count,
            variantCount: usage.count, variantBytes: usage.bytes, variantByteBudget: self.variants.byteBudget,
            planeHits: self.counters.value(of: .planeHit), planeMisses: self.counters.value(of: .planeMiss),
            planesEvicted: self.planes.evictionCount, planesCount: planes.count, planesBytes: planes.bytes,
            planesByteBudget: self.planes.byteBudget, ladderRendered: self.counters.value(of: .ladderRendered),
            ladderUsed: self.counters.value(of: .ladderUsed), reencoding: self.reencoder?.status)
    }

    /// Cancels background work. Requests in progress continue until their clients leave.
    package func close() {
        self.describer.close()
        self.reencoder?.close()
        self.library.revalidations.close()
    }

    package func originalWaiterCount(for id: PosterID) -> Int {
        self.library.retrievals.waiterCount(for: id)
    }

    /// Removes a poster on all nodes: its original, decoded planes, variants in memory and in the variant store, and
    /// its cached failure.
    /// - Returns: Whether an original was stored.
    @discardableResult
    package func purge(_ id: PosterID) async throws -> Bool { try await self.purgeEverywhere(id).wasStored }

    /// As ``purge(_:)``, and reports whether the other nodes were reached.
    package func purgeEverywhere(_ id: PosterID) async throws -> PurgeOutcome {
        // Published first: if publishing fails, or the process ends, the other nodes have removed more than this one,
        // not less. This node applies the event itself after a restart.
        let publication = try await self.library.events?.publish(.purged(id))
        return PurgeOutcome(wasStored: try await self.remove(id, onlyHere: false), publication: publication)
    }

    /// As ``purgeEverywhere(_:)`` for several posters: the failure of one does not prevent the others.
    ///
    /// - Parameter report: Called after each poster, in their order.
    /// - Throws: Errors other than ``PosterError``, and errors of `report`.
    package func purgeEverywhere(
        _ ids: [PosterID], report: (PosterID, Result<PurgeOutcome, PosterError>) async throws -> Void
    ) async throws {
        for id in ids {
            let result: Result<PurgeOutcome, PosterError>
            do {
                result = .success(try await self.purgeEverywhere(id))
            } catch let error as PosterError {
                result = .failure(error)
            }
            try await report(id, result)
        }
    }

    /// - Returns: Whether an original was stored.
    @discardableResult
    func remove(_ id: PosterID, onlyHere: Bool) async throws -> Bool {
        let digest = self.library.metadata.entry(for: id)?.facts.digest
        let wasStored = try await self.library.purge(id, onlyHere: onlyHere)
        if let digest { self.describer.forget(digest) }
        if let stored {
            await stored.store.removeAll(of: id)
            // Again, because a variant read from the store before its removal must not be cached afterwards.
            self.library.metadata.forget(id)
        }
        self.variants.removeAll(of: id)
        self.planes.removeAll(of: id)
        return wasStored
    }

    /// Removes the originals of these sources from memory, and their variants from memory and the variant store;
    /// originals on disk stay.
    /// - Parameter sources: All removed sources; replaces the set of the previous call. Call it after the locator has
    ///   dropped them.
    package func forget(sources: Set<String>) {
        self.library.metadata.withdraw(sources)
        if !sources.isEmpty { self.stored?.store.removeAll(of: sources) }
        self.variants.removeAll(of: sources)
        self.planes.removeAll(of: sources)
    }
}

// MARK: Events

/// Applies events from other nodes.
extension PosterPipeline: OriginalEventSubscriber {
    package func apply(_ event: OriginalEvent, at moment: Int64) async throws {
        // This node already has the new bytes, in most cases because it published the event.
        if case .replaced(let id, _, let new) = event, self.library.metadata.entry(for: id)?.facts.digest == new {
            return
        }
        self.note(event, at: moment)
        try await self.remove(event.id, onlyHere: true)
    }

    package func note(_ event: OriginalEvent, at moment: Int64) {
        self.library.store.refuseShared(before: event, at: moment)
    }

    package func distrust(until moment: Int64) async {
        self.requireValidation(since: moment)
        await self.stored?.store.removeAllHere()
        // Again, because a variant read from the store before its removal must not be cached afterwards.
        self.requireValidation(since: moment)
        self.variants.removeAll()
        self.planes.removeAll()
    }

    package func requireValidation(since moment: Int64) {
        self.library.metadata.requireValidation(since: moment)
    }

    /// Runs `body` once the gate is open, and a second time if meanwhile the original was forgotten or the gate was
    /// moved: a response after a reconnection reflects all missed events. Without a gate, runs `body` once.
    func onceOpen<Value>(_ gate: EventGate?, for id: PosterID, _ body: () async throws -> Value) async throws -> Value {
        guard let gate else { return try await body() }
        try await gate.pass()
        let epoch = self.library.metadata.epoch(of: id)
        let value = try await body()
        guard !gate.isOpen || self.library.metadata.isForgotten(id, since: epoch) else { return value }
        try await gate.pass()
        return self.library.metadata.isForgotten(id, since: epoch) ? try await body() : value
    }
}
