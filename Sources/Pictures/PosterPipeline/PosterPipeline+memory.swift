import HTTPSemantics
import NIOCore
import PosterCodec
import Synchronization

/// The variants that may answer a request: in the format that is rendered for it, and in the one that is preferred once it
/// is there. The same for all requests of an equal target, as long as the original has the same bytes.
package final class VariantChoice: Sendable {
    let target: RenderTarget
    /// Of ``target``.
    let key: VariantKey
    /// nil when ``key`` is the only one.
    let preferred: (key: VariantKey, target: RenderTarget)?
    private let header: ImageHeader
    /// What ``heldTag(_:_:where:)`` has digested: up to a dozen texts for each key.
    private let possibleTags = Mutex<[VariantKey: [EntityTag]]>([:])

    init(_ target: RenderTarget, _ request: PosterRequest, _ facts: OriginalFacts) throws(PosterError) {
        self.target = target
        self.header = facts.header
        self.key = try VariantKey(id: request.id, facts: facts, target: target)
        if let preferred = request.preferred, self.key.framing.size.allowsAutomaticAVIF {
            self.preferred = (try VariantKey(id: request.id, facts: facts, target: preferred), preferred)
        } else {
            self.preferred = nil
        }
    }

    /// The preferred variant, if it is made once the other one is used often.
    /// - Parameter present: The one that is there, but has no fewer bytes than the other.
    func awaited(by reencoder: Reencoder?, inPlaceOf present: Poster? = nil) -> Reencoding? {
        guard let preferred, let reencoder, present?.encoding != .refined else { return nil }
        let reencoding = Reencoding(
            source: self.key, sourceTarget: self.target, key: preferred.key, target: preferred.target)
        return reencoder.awaits(reencoding) ? reencoding : nil
    }

    /// What can be made of a variant in its own format; nil when it is as good as it gets.
    static func refinement(of poster: Poster, _ key: VariantKey, _ target: RenderTarget) -> Reencoding? {
        guard poster.encoding == .first, key.efforts.contains(.refined) else { return nil }
        return Reencoding(source: key, sourceTarget: target, key: key, target: target)
    }

    /// The tag of the one that the client has; nil for none.
    func heldTag(_ key: VariantKey, _ target: RenderTarget, where isCurrent: (EntityTag) -> Bool) -> EntityTag? {
        let tags = self.possibleTags.withLock { known in
            if let tags = known[key] { return tags }
            let tags = key.possibleTags(of: target, header: self.header)
            known[key] = tags
            return tags
        }
        return tags.first(where: isCurrent)
    }
}

extension PosterPipeline {
    /// What memory has of the variants that may answer a request: one of them, or the knowledge that the client has the bytes
    /// of one. Synchronous; a few looks into the cache, and one into the variant store's index.
    /// - Parameter awaitsStored: Whether a preferred variant that is not in memory, and may be in the variant store, comes
    ///   before the other one.
    /// - Returns: Also nil when it does.
    func remembered(
        _ choice: VariantChoice, _ provenance: Provenance, isConditional: Bool, awaitsStored: Bool = false,
        isCurrent: (EntityTag) -> Bool
    ) -> PosterResponse? {
        var present: Poster?
        if let preferred = choice.preferred, let (poster, uses) = self.variants.countedPoster(for: preferred.key),
            self.isPreferred(poster, choice, &present)
        {
            self.countHit(provenance)
            self.reencoder?.note(
                hits: uses, VariantChoice.refinement(of: poster, preferred.key, preferred.target))
            if isCurrent(poster.entityTag) { return .notModified(poster.entityTag, provenance) }
            if isConditional, let tag = choice.heldTag(preferred.key, preferred.target, where: isCurrent) {
                return .notModified(tag, provenance)
            }
            return .variant(poster, provenance)
        }
        if awaitsStored, present == nil, self.stored != nil, self.mayBeStored(choice.preferred?.key) {
            return isConditional ? self.heldPreference(choice, provenance, isCurrent) : nil
        }
        let awaited = choice.awaited(by: self.reencoder, inPlaceOf: present)
        var ownProvenance = provenance
        ownProvenance.isProvisional = awaited != nil
        let cached = self.variants.countedPoster(for: choice.key)
        if let (poster, uses) = cached {
            self.countHit(provenance)
            self.reencoder?.note(
                hits: uses, awaited ?? VariantChoice.refinement(of: poster, choice.key, choice.target))
            if isCurrent(poster.entityTag) { return .notModified(poster.entityTag, ownProvenance) }
        } else {
            ownProvenance.isStored = false
        }
        if isConditional {
            // Other bytes of the same quality.
            if let tag = choice.heldTag(choice.key, choice.target, where: isCurrent) {
                // Else clients that revalidate a variant would keep it from ever being in memory, and used.
                if cached == nil, let awaited { self.reencoder?.noteRevalidation(awaited) }
                return .notModified(tag, ownProvenance)
            }
            if let held = self.heldPreference(choice, provenance, isCurrent) { return held }
        }
        return cached.map { .variant($0.poster, ownProvenance) }
    }

    /// Whether the preferred variant is sent: not if the other one is known to have no more bytes, as it may be where a request
    /// named the preferred format, which nothing was compared with then.
    /// - Parameter present: The preferred variant if it is not sent.
    func isPreferred(_ poster: Poster, _ choice: VariantChoice, _ present: inout Poster?) -> Bool {
        let isSmaller =
            if let other = self.variants.unusedPoster(for: choice.key) {
                poster.bytes.readableBytes < other.bytes.readableBytes
            } else {
                // Without it, what is known is whether the best encoding was no smaller.
                self.reencoder == nil || choice.awaited(by: self.reencoder) != nil
            }
        if !isSmaller { present = poster }
        return isSmaller
    }

    /// Whether there may be a variant in the variant store; false for no key. Without I/O.
    func mayBeStored(_ key: VariantKey?) -> Bool {
        guard let stored, let key else { return false }
        return stored.mayContain(key)
    }

    /// The answer to a client that has the preferred format already, though memory has not.
    func heldPreference(
        _ choice: VariantChoice, _ provenance: Provenance, _ isCurrent: (EntityTag) -> Bool
    ) -> PosterResponse? {
        guard let preferred = choice.preferred,
            let tag = choice.heldTag(preferred.key, preferred.target, where: isCurrent)
        else { return nil }
        var provenance = provenance
        provenance.isStored = false
        return .notModified(tag, provenance)
    }

    private func countHit(_ provenance: Provenance) {
        self.counters.count(provenance.staleness == nil ? .hit : .staleHit)
    }

    /// The fallback under overload: a cached variant of an original that is too stale otherwise, or of the previous
    /// bytes.
    func staleVariant(for request: PosterRequest, isCurrent: (EntityTag) -> Bool) -> PosterResponse? {
        guard case .variant(let target) = request.rendition, let known = self.library.lastKnown(request.id) else {
            return nil
        }
        // When the previous bytes were changed is not recorded any more.
        let before = known.previous.map { OriginalState(digest: $0.digest, age: known.state.age) }
        for (facts, state, seconds) in [
            (known.facts, known.state, known.staleSeconds), (known.previous, before, 0),
        ] {
            guard let facts, let choice = try? VariantChoice(target, request, facts) else { continue }
            let provenance = Provenance(
                reach: .cache, staleness: Staleness(seconds: seconds, reason: .overloaded), original: state)
            if let cached = self.remembered(choice, provenance, isConditional: false, isCurrent: isCurrent) {
                return cached
            }
        }
        return nil
    }
}
