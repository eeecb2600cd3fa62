import HTTPSemantics
import NIOCore
import PosterCodec

extension PosterPipeline {
    /// The response from memory: a cached variant, or "not modified" if the client holds one. Synchronous; a few
    /// look-ups in the cache, and one in the variant store's index.
    /// - Parameters:
    ///   - awaitsStored: Whether a preferred variant that is not in memory, but may be in the variant store, takes
    ///     precedence over the other one.
    ///   - comparesPossibleTags: Whether the query's condition is also evaluated for variants that are not in memory.
    /// - Returns: `nil` if no variant is in memory, or such a preferred variant takes precedence.
    func cachedResponse(
        to query: PosterQuery, from choice: VariantChoice, _ provenance: Provenance, awaitsStored: Bool,
        comparesPossibleTags: Bool
    ) -> PosterResponse? {
        let comparesPossibleTags = comparesPossibleTags && query.isConditional
        var present: Poster?
        if let preferred = choice.preferred, let (poster, uses) = self.variants.countedPoster(for: preferred.key),
            self.isPreferred(poster, choice, &present)
        {
            self.countHit(provenance)
            self.reencoder?.note(
                hits: uses, VariantChoice.refinement(of: poster, preferred.key, preferred.target))
            if query.isCurrent(poster.entityTag) { return .notModified(poster.entityTag, provenance) }
            if comparesPossibleTags, let tag = choice.heldTag(preferred.key, preferred.target, where: query.isCurrent) {
                return .notModified(tag, provenance)
            }
            return .variant(poster, provenance)
        }
        if awaitsStored, present == nil, self.stored != nil, self.mayBeStored(choice.preferred?.key) {
            return comparesPossibleTags ? self.heldPreference(for: query, from: choice, provenance) : nil
        }
        let awaited = choice.awaited(by: self.reencoder, inPlaceOf: present)
        var ownProvenance = provenance
        ownProvenance.isProvisional = awaited != nil
        let cached = self.variants.countedPoster(for: choice.key)
        if let (poster, uses) = cached {
            self.countHit(provenance)
            self.reencoder?.note(
                hits: uses, awaited ?? VariantChoice.refinement(of: poster, choice.key, choice.target))
            if query.isCurrent(poster.entityTag) { return .notModified(poster.entityTag, ownProvenance) }
        } else {
            ownProvenance.isStored = false
        }
        if comparesPossibleTags {
            // The tag may name other bytes of the same quality.
            if let tag = choice.heldTag(choice.key, choice.target, where: query.isCurrent) {
                // Otherwise a variant that clients only revalidate would never be in memory, and never count as used.
                if cached == nil, let awaited { self.reencoder?.noteRevalidation(awaited) }
                return .notModified(tag, ownProvenance)
            }
            if let held = self.heldPreference(for: query, from: choice, provenance) { return held }
        }
        return cached.map { .variant($0.poster, ownProvenance) }
    }

    /// Whether the preferred variant is sent. It is not if the other one is known to be no larger, which is possible if
    /// a request named the preferred format: such a variant is compared with no other.
    /// - Parameter present: Set to the preferred variant if it is not sent.
    func isPreferred(_ poster: Poster, _ choice: VariantChoice, _ present: inout Poster?) -> Bool {
        let isSmaller =
            if let other = self.variants.unusedPoster(for: choice.key) {
                poster.bytes.readableBytes < other.bytes.readableBytes
            } else {
                // Without it: whether the best encoding is known to be no smaller.
                self.reencoder == nil || choice.awaited(by: self.reencoder) != nil
            }
        if !isSmaller { present = poster }
        return isSmaller
    }

    /// Whether a variant may be in the variant store; false for `nil`. Without I/O.
    func mayBeStored(_ key: VariantKey?) -> Bool {
        guard let stored, let key else { return false }
        return stored.mayContain(key)
    }

    /// The response to a client that already holds the preferred variant, although it is not in memory.
    func heldPreference(
        for query: PosterQuery, from choice: VariantChoice, _ provenance: Provenance
    ) -> PosterResponse? {
        guard let preferred = choice.preferred,
            let tag = choice.heldTag(preferred.key, preferred.target, where: query.isCurrent)
        else { return nil }
        var provenance = provenance
        provenance.isStored = false
        return .notModified(tag, provenance)
    }

    private func countHit(_ provenance: Provenance) {
        self.counters.count(provenance.staleness == nil ? .hit : .staleHit)
    }

    /// The fallback under overload: a cached variant of an original that is otherwise too stale, or of the previous
    /// bytes.
    func staleResponse(to query: PosterQuery) -> PosterResponse? {
        let request = query.request
        guard case .variant(let target) = request.rendition, let known = self.library.lastKnown(request.id) else {
            return nil
        }
        // The modification date of the previous bytes is not recorded.
        let before = known.previous.map { OriginalState(digest: $0.digest, age: known.state.age) }
        for (facts, state, seconds) in [
            (known.facts, known.state, known.staleSeconds), (known.previous, before, 0),
        ] {
            guard let facts, let choice = try? VariantChoice(target, request, facts) else { continue }
            let provenance = Provenance(
                reach: .cache, staleness: Staleness(seconds: seconds, reason: .overloaded), original: state)
            if let cached = self.cachedResponse(
                to: query, from: choice, provenance, awaitsStored: false, comparesPossibleTags: false)
            {
                return cached
            }
        }
        return nil
    }
}
