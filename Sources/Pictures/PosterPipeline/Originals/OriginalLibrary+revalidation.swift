import BoundedCache
import Flights
import Logging

extension OriginalLibrary {
    /// Has an original revalidated behind, unless that failed lately.
    func stale(_ id: PosterID, since seconds: Int64) -> Staleness {
        guard self.lapses.value(for: id) == nil else { return Staleness(seconds: seconds, reason: .originFailed) }
        self.revalidations.start(id) { await self.revalidate(id) }
        return Staleness(seconds: seconds, reason: .revalidating)
    }

    private func revalidate(_ id: PosterID) async {
        do {
            let moment = self.directory.moment(of: id)
            let location = try await self.locator.locate(id)
            guard let stored = try await self.store.original(id, from: location) else {
                // Evicted, not storable, or the origin was moved: what is known is all there is until it is fetched anew.
                _ = try await self.arrivals.value(for: id, level: .revalidation) { urgency in
                    try await self.arrive(id, urgency: urgency) {
                        try await self.fetch(id, from: location, urgency: urgency)
                    }
                }
                return
            }
            guard !stored.freshness.isFresh(at: self.secondsSince1970()) else {
                self.directory.insert(stored, for: id, since: moment)
                return
            }
            let (renewed, isNoted) = try await self.renew(
                stored, at: location, since: moment, urgency: Urgency.current ?? Urgency(.revalidation))
            if !isNoted { await self.store.remove(id, digest: renewed.original.digest) }
        } catch is CancellationError {
            // The service stops; the next start asks again.
        } catch {
            self.lapses.insert(error as? PosterError ?? .originUnavailable(reason: "\(error)"), for: id)
            self.log("Original not revalidated", id, error)
        }
    }

    /// Asks the origin whether a stored original is still its current one.
    ///
    /// - Parameter moment: Before the original was read from the store.
    /// - Returns: The current one, and whether it was not to be forgotten meanwhile.
    /// - Throws: ``PosterError``; what the origin does not give any more is gone then.
    func renew(
        _ stored: StoredOriginal, at location: OriginalLocation, since moment: OriginalDirectory.Moment,
        urgency: Urgency
    ) async throws -> (StoredOriginal, isNoted: Bool) {
        let id = stored.original.id
        let renewed: StoredOriginal
        do {
            renewed = try await self.withDraft(for: id, from: location) { draft in
                let answer = try await self.source.fetch(
                    location, for: id, validators: stored.validators, urgency: urgency, into: draft)
                switch answer {
                case .notModified(let description):
                    await draft.discard()
                    return await self.keep(stored, described: description)
                case .sent(let description): return try await self.commit(description, to: draft, from: location)
                }
            }
        } catch let error as PosterError where Self.isWithdrawal(error) {
            self.failures.insert(error, for: id)
            self.directory.forget(id)
            await self.store.remove(id, digest: stored.original.digest)
            // Who read it in between does not bring it back.
            self.directory.forget(id)
            throw error
        }
        let isNoted = self.directory.insert(renewed, for: id, since: moment)
        return (renewed, isNoted)
    }

    /// A 304 moves freshness, and brings validators up to date; what it does not say stays as it was (RFC 9111, 4.3.4).
    private func keep(_ stored: StoredOriginal, described description: OriginDescription) async -> StoredOriginal {
        let original = stored.original
        let validators = Validators(
            etag: description.validators.etag ?? stored.validators.etag,
            lastModified: description.validators.lastModified ?? stored.validators.lastModified)
        let now = self.secondsSince1970()
        var freshness = self.freshness.freshness(of: description.caching, at: now)
        // A file of before there was an index does not know for how long it was fresh.
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
