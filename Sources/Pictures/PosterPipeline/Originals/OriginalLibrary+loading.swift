import BoundedCache
import Flights
import HTTPSemantics
import Logging
import Tracing

extension OriginalLibrary {
    /// Maximum number of successors tried after a missing or unusable picture.
    static let successorLimit = 3

    /// Loads an original from the store, or else from its origin.
    func load(_ id: PosterID, urgency: Urgency) async throws -> Retrieval {
        let epoch = self.metadata.epoch(of: id)
        var location = try await self.location(of: id)
        for _ in 0..<Self.successorLimit {
            do {
                return try await self.load(id, from: location, since: epoch, urgency: urgency)
            } catch let error as PosterError where Self.isRemembered(error) {
                guard let next = try await self.locator.successor(of: location, for: id), next != location else {
                    throw error
                }
                self.log("Another original is tried", id, error)
                location = next
            }
        }
        return try await self.load(id, from: location, since: epoch, urgency: urgency)
    }

    /// - Throws: ``Unlocated`` if the locator refuses the id.
    private func location(of id: PosterID) async throws -> OriginalLocation {
        do {
            return try await self.locator.locate(id)
        } catch let error as PosterError {
            throw Unlocated(reason: error)
        }
    }

    /// - Parameter awaitsNodes: Whether to wait for another node's fetch of the original.
    private func load(
        _ id: PosterID, from location: OriginalLocation, since epoch: OriginalMetadataCache.Epoch, urgency: Urgency,
        awaitsNodes: Bool = true
    ) async throws -> Retrieval {
        guard let stored = try await self.store.original(id, from: location) else {
            self.counters.count(.originalMissed)
            guard awaitsNodes, let leases, location.isShared else {
                return try await self.fetch(id, from: location, urgency: urgency)
            }
            switch try await leases.turn(for: id, at: location) {
            case .fetch(let lease):
                return try await self.fetch(id, from: location, urgency: urgency, lease: lease)
            case .stored:
                return try await self.load(id, from: location, since: epoch, urgency: urgency, awaitsNodes: false)
            case .failed(let error): throw error
            }
        }
        self.counters.count(.originalHit)
        let seconds = stored.freshness.staleness(at: self.secondsSince1970())
        let needsValidation = self.metadata.needsValidation(stored.freshness)
        guard location.canChange, seconds >= self.freshness.staleIfError || needsValidation else {
            let isNoted = self.metadata.insert(stored, for: id, since: epoch)
            return Retrieval(
                stored: stored, wasFetched: false, fetchNanoseconds: 0,
                staleness: location.canChange && seconds >= 0 && isNoted
                    ? self.revalidateInBackground(id, staleFor: seconds) : nil,
                isForgotten: !isNoted)
        }
        // Too old to be served without revalidation, or stored before this node was cut off from others.
        let start = self.now()
        let (renewed, isNoted) = try await self.renew(stored, at: location, since: epoch, urgency: urgency)
        return Retrieval(
            stored: renewed, wasFetched: true, fetchNanoseconds: self.now() - start,
            validationStatus: renewed.original.digest == stored.original.digest ? 304 : 200, isForgotten: !isNoted)
    }

    private func fetch(
        _ id: PosterID, from location: OriginalLocation, urgency: Urgency, lease: FetchLease?
    ) async throws -> Retrieval {
        do {
            let retrieval = try await self.fetch(id, from: location, urgency: urgency)
            lease?.end(.fetched)
            return retrieval
        } catch {
            lease?.end((error as? PosterError).map { .failed($0) } ?? .abandoned)
            throw error
        }
    }

    func fetch(_ id: PosterID, from location: OriginalLocation, urgency: Urgency) async throws -> Retrieval {
        let epoch = self.metadata.epoch(of: id)
        let before = self.metadata.entry(for: id)?.facts.digest
        let start = self.now()
        let stored = try await self.withDraft(for: id, from: location) { draft in
            let response = try await self.source.fetch(
                location, for: id, validators: Validators(), urgency: urgency, into: draft)
            guard case .sent(let description) = response else {
                throw PosterError.originUnavailable(reason: "the origin answered 304 to an unconditional request")
            }
            return try await self.commit(description, to: draft, of: id, from: location, since: epoch)
        }
        let isNoted = self.metadata.insert(stored, for: id, since: epoch)
        if let before { self.publish(id, replaced: before, by: stored) }
        return Retrieval(
            stored: stored, wasFetched: true, fetchNanoseconds: self.now() - start, isForgotten: !isNoted)
    }

    func publish(_ id: PosterID, replaced old: Digest, by stored: StoredOriginal) {
        guard stored.original.digest != old else { return }
        self.events?.publishLater(.replaced(id, old: old, new: stored.original.digest))
    }

    func commit(
        _ description: OriginDescription, to draft: any OriginalDraft, of id: PosterID,
        from location: OriginalLocation, since epoch: OriginalMetadataCache.Epoch
    ) async throws -> StoredOriginal {
        let now = self.secondsSince1970()
        let freshness =
            location.canChange
            ? self.freshness.freshness(of: description.caching, at: now) : Freshness.unlimited(from: now)
        return try await withSpan("store") { _ in
            try await self.committing(id, since: epoch) {
                try await draft.commit(
                    validators: description.validators, freshness: freshness,
                    declaredLength: description.declaredLength)
            }
        }
    }

    func withDraft<Value>(
        for id: PosterID, from location: OriginalLocation, _ body: (any OriginalDraft) async throws -> Value
    ) async throws -> Value {
        let draft = self.observing(try await self.store.makeDraft(for: id, from: location), id)
        do {
            return try await body(draft)
        } catch {
            await draft.discard()
            throw error
        }
    }
}
