import Flights
import Logging
import Tracing

extension OriginalLibrary {
    /// The most successors that are tried in place of a missing or unusable picture.
    static let successorLimit = 3

    /// From disk, or else from its origin.
    func load(_ id: PosterID, urgency: Urgency) async throws -> Retrieval {
        let epoch = self.metadata.epoch(of: id)
        var location = try await self.locator.locate(id)
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

    private func load(
        _ id: PosterID, from location: OriginalLocation, since epoch: OriginalMetadataCache.Epoch, urgency: Urgency
    ) async throws -> Retrieval {
        guard let stored = try await self.store.original(id, from: location) else {
            self.counters.count(.originalMissed)
            return try await self.fetch(id, from: location, urgency: urgency)
        }
        self.counters.count(.originalHit)
        let seconds = stored.freshness.staleness(at: self.secondsSince1970())
        guard location.canChange, seconds >= self.freshness.staleIfError else {
            let isNoted = self.metadata.insert(stored, for: id, since: epoch)
            return Retrieval(
                stored: stored, wasFetched: false, fetchNanoseconds: 0,
                staleness: location.canChange && seconds >= 0 && isNoted
                    ? self.revalidateInBackground(id, staleFor: seconds) : nil,
                isForgotten: !isNoted)
        }
        // Too old to be served without revalidation.
        let start = self.now()
        let (renewed, isNoted) = try await self.renew(stored, at: location, since: epoch, urgency: urgency)
        return Retrieval(
            stored: renewed, wasFetched: true, fetchNanoseconds: self.now() - start,
            validationStatus: renewed.original.digest == stored.original.digest ? 304 : 200, isForgotten: !isNoted)
    }

    func fetch(_ id: PosterID, from location: OriginalLocation, urgency: Urgency) async throws -> Retrieval {
        let epoch = self.metadata.epoch(of: id)
        let start = self.now()
        let stored = try await self.withDraft(for: id, from: location) { draft in
            let answer = try await self.source.fetch(
                location, for: id, validators: Validators(), urgency: urgency, into: draft)
            guard case .sent(let description) = answer else {
                throw PosterError.originUnavailable(reason: "the origin answered 304 to a request without a condition")
            }
            return try await self.commit(description, to: draft, from: location)
        }
        let isNoted = self.metadata.insert(stored, for: id, since: epoch)
        return Retrieval(
            stored: stored, wasFetched: true, fetchNanoseconds: self.now() - start, isForgotten: !isNoted)
    }

    func commit(
        _ description: OriginDescription, to draft: any OriginalDraft, from location: OriginalLocation
    ) async throws -> StoredOriginal {
        let now = self.secondsSince1970()
        let freshness =
            location.canChange
            ? self.freshness.freshness(of: description.caching, at: now) : Freshness.unlimited(from: now)
        return try await withSpan("store") { _ in
            try await draft.commit(
                validators: description.validators, freshness: freshness, declaredLength: description.declaredLength)
        }
    }

    func withDraft<Value>(
        for id: PosterID, from location: OriginalLocation, _ body: (any OriginalDraft) async throws -> Value
    ) async throws -> Value {
        let draft = try await self.store.makeDraft(for: id, from: location)
        do {
            return try await body(draft)
        } catch {
            await draft.discard()
            throw error
        }
    }
}
