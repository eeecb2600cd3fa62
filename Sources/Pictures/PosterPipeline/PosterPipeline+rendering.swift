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

    /// Renders a variant, in one flight for all requests with the same key, and one decode for all flights of one
    /// original.
    func render(
        _ original: Original, as target: RenderTarget, key: VariantKey, level: Urgency.Level
    ) async throws -> SingleFlight<VariantKey, RenderedPoster>.SharedValue {
        self.counters.count(.missed)
        let shared = try await self.renders.value(for: key, level: level) { urgency in
            // Another flight or job may have ended between the miss and joining.
            if let poster = self.variants.poster(for: key) {
                return RenderedPoster(
                    poster: poster, timings: .init(), isStored: true, isCurrent: self.library.isCurrent(original))
            }
            do {
                if let (rendered, _) = try await self.stored?.rendered(key, of: original, level: urgency.level) {
                    return rendered
                }
                return try await self.made(key, target, of: original, urgency)
            } catch let error as CancellationError {
                self.counters.count(.cancelled)
                throw error
            } catch let error as CodecError {
                await self.library.reject(original, because: error)
                throw PosterError(error)
            }
        }
        if shared.hasJoined { self.counters.count(.coalesced) }
        return shared
    }

    /// Renders a variant as part of a job. Looks up the original if the planes intended for the job have been evicted.
    private func made(
        _ key: VariantKey, _ target: RenderTarget, of original: Original, _ urgency: Urgency
    ) async throws -> RenderedPoster {
        self.reencoder?.giveWay()
        do {
            return try await self.jobs.poster(key, target: target, of: original, urgency: urgency)
        } catch is OriginalBytes.Unreadable where !original.isOpened {
            let current = try await self.library.original(original.id, level: urgency.level).original
            // If the original has other bytes, the request starts again.
            guard current.digest == original.digest else { throw OriginalBytes.Unreadable() }
            return try await self.made(key, target, of: current, urgency)
        }
    }
}

extension Provenance {
    mutating func add(_ rendered: RenderedPoster, isShared: Bool) {
        if self.reach == .cache { self.reach = .disk }
        self.isShared = self.isShared || isShared
        self.isStored = rendered.isStored
        self.wasStored = rendered.wasStored
        self.timings.decode = rendered.timings.decode + rendered.timings.resample
        self.timings.encode = rendered.timings.encode
    }
}
