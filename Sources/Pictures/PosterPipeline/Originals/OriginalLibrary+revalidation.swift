import BoundedCache
import Flights
import HTTPSemantics
import Logging
import Tracing

extension OriginalLibrary {
    /// Starts the background revalidation of a stale original, unless one failed recently.
    func revalidateInBackground(_ id: PosterID, staleFor seconds: Int64) -> Staleness {
        guard self.failedRevalidations.value(for: id) == nil else {
            return Staleness(seconds: seconds, reason: .originFailed)
        }
        self.revalidations.start(id, for: id) {
            await Urgency.$current.withValue(Urgency(.revalidation)) { await self.revalidate(id) }
        }
        return Staleness(seconds: seconds, reason: .revalidating)
    }

    private func revalidate(_ id: PosterID) async {
        do {
            let epoch = self.metadata.epoch(of: id)
            let location = try await self.locator.locate(id)
            guard let stored = try await self.store.original(id, from: location) else {
                // Evicted, not storable, or its location has changed: only the metadata is left, so it is fetched
                // again.
                _ = try await self.retrievals.value(for: id, level: .revalidation) { urgency in
                    try await self.retrieve(id, urgency: urgency) {
                        try await self.fetch(id, from: location, urgency: urgency)
                    }
                }
                return
            }
            guard !stored.freshness.isFresh(at: self.secondsSince1970()) else {
                self.metadata.insert(stored, for: id, since: epoch)
                return
            }
            let (renewed, isNoted) = try await self.renew(
                stored, at: location, since: epoch, urgency: Urgency.current ?? Urgency(.revalidation))
            if !isNoted { await self.store.remove(id, digest: renewed.original.digest) }
        } catch is Forgotten {
            // The next request fetches it.
        } catch is CancellationError {
            // The service stops; the next start revalidates again.
        } catch {
            self.failedRevalidations.insert(error as? PosterError ?? .originUnavailable(reason: "\(error)"), for: id)
            self.log("Original not revalidated", id, error)
        }
    }

    /// Revalidates a stored original at its origin.
    /// - Parameter epoch: From before the original was read from the store.
    /// - Returns: The current original, and whether its metadata was accepted: it was not forgotten meanwhile.
    /// - Throws: ``PosterError``, ``Forgotten``; an original that the origin has withdrawn is removed.
    func renew(
        _ stored: StoredOriginal, at location: OriginalLocation, since epoch: OriginalMetadataCache.Epoch,
        urgency: Urgency
    ) async throws -> (StoredOriginal, isNoted: Bool) {
        let id = stored.original.id
        let renewed: StoredOriginal
        do {
            renewed = try await self.withDraft(for: id, from: location) { draft in
                let response = try await self.source.fetch(
                    location, for: id, validators: stored.validators, urgency: urgency, into: draft)
                switch response {
                case .notModified(let description):
                    await draft.discard()
                    return await self.keep(stored, described: description)
                case .sent(let description):
                    return try await self.commit(description, to: draft, of: id, from: location, since: epoch)
                }
            }
        } catch let error as PosterError where Self.isWithdrawal(error) {
            self.failures.insert(error, for: id)
            self.metadata.forget(id)
            await self.store.remove(id, digest: stored.original.digest)
            // Again, so that a concurrent read does not restore it.
            self.metadata.forget(id)
            self.events?.publishLater(.withdrawn(id, stored.original.digest))
            throw error
        }
        let isNoted = self.metadata.insert(renewed, for: id, since: epoch)
        self.publish(id, replaced: stored.original.digest, by: renewed)
        return (renewed, isNoted)
    }

    /// Updates freshness and validators from a 304; absent fields keep their values (RFC 9111, 4.3.4).
    private func keep(_ stored: StoredOriginal, described description: OriginDescription) async -> StoredOriginal {
        let original = stored.original
        let validators = Validators(
            etag: description.validators.etag ?? stored.validators.etag,
            lastModified: description.validators.lastModified ?? stored.validators.lastModified)
        let now = self.secondsSince1970()
        var freshness = self.freshness.freshness(of: description.caching, at: now)
        // Files older than the index have no lifetime.
        if !description.caching.saysLifetime, stored.freshness.lifetime > 0 {
            freshness = Freshness(
                validatedAt: now, lifetime: self.freshness.bounded(stored.freshness.lifetime))
        }
        await self.store.refresh(
            original.id, digest: original.digest, validators: validators, freshness: freshness)
        return StoredOriginal(
            original: original, validators: validators, freshness: freshness, storedAt: stored.storedAt)
    }
}
