import Flights
import HTTPSemantics
import PosterCodec

extension PosterPipeline {
    /// The preferred variant from the variant store if it is not in memory, or "not modified" if the client holds it.
    /// - Returns: `nil` if it is not stored, not of the current original, or no smaller than the cached variant.
    func storedPreference(
        for query: PosterQuery, from choice: VariantChoice, of original: Original, _ provenance: Provenance
    ) async throws -> PosterResponse? {
        guard let preferred = choice.preferred, let stored, !self.variants.contains(preferred.key),
            stored.mayContain(preferred.key)
        else { return nil }
        if query.isConditional, let held = self.heldPreference(for: query, from: choice, provenance) { return held }
        guard let (rendered, isShared) = try await stored.rendered(preferred.key, of: original, level: query.level),
            rendered.isCurrent
        else { return nil }
        var present: Poster?
        guard self.isPreferred(rendered.poster, choice, &present) else { return nil }
        self.counters.count(.missed)
        var provenance = provenance
        provenance.add(rendered, isShared: isShared)
        return .variant(rendered.poster, provenance)
    }

    /// Reads a variant from the variant store, or renders it as part of a job; once for all requests with the same key.
    /// Looks up the original if the planes intended for the job have been evicted.
    func render(
        _ original: Original, as target: RenderTarget, key: VariantKey, level: Urgency.Level
    ) async throws -> (poster: RenderedPoster, isShared: Bool) {
        self.counters.count(.missed)
        let result: (poster: RenderedPoster, isShared: Bool)
        // A request that waits for a render has not found the variant in the store.
        if let stored, !self.scheduler.isAwaited(key),
            let found = try await stored.rendered(key, of: original, level: level)
        {
            result = found
        } else {
            self.reencoder?.giveWay()
            result = try await self.rendered(original, as: target, key: key, level: level)
        }
        if result.isShared { self.counters.count(.coalesced) }
        return result
    }

    private func rendered(
        _ original: Original, as target: RenderTarget, key: VariantKey, level: Urgency.Level
    ) async throws -> (poster: RenderedPoster, isShared: Bool) {
        var original = original
        for _ in 0..<Self.openingAttempts {
            do {
                return try await self.scheduler.poster(key, target: target, of: original, level: level)
            } catch let error where error is RenderScheduler.Unopened || error is OriginalBytes.Unreadable {
                if original.isOpened {
                    // The request joined a job of others that had not opened the original.
                    guard error is RenderScheduler.Unopened else { throw error }
                    continue
                }
                let current = try await self.library.original(original.id, level: level).original
                // If the original has other bytes, the request starts again.
                guard current.digest == original.digest else { break }
                original = current
            }
        }
        throw OriginalBytes.Unreadable()
    }

    /// Maximum number of jobs that a request joins because the originals of earlier ones were not opened.
    private static let openingAttempts = 4
}

extension Provenance {
    mutating func add(_ rendered: RenderedPoster, isShared: Bool) {
        if self.reach == .cache { self.reach = .disk }
        self.isShared = self.isShared || isShared
        self.isStored = rendered.isCached
        self.wasStored = rendered.wasStored
        self.timings.decode = rendered.timings.decode + rendered.timings.resample
        self.timings.encode = rendered.timings.encode
    }
}
