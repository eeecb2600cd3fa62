import HTTPSemantics
import PosterCodec
import Synchronization

/// The variants that may answer a request: the one in the format rendered for it, and the preferred one, once it
/// exists. Equal for all requests with the same target while the original has the same bytes.
package final class VariantChoice: Sendable {
    let target: RenderTarget
    /// The key of ``target``.
    let key: VariantKey
    /// `nil` if ``key`` is the only one.
    let preferred: (key: VariantKey, target: RenderTarget)?
    private let header: ImageHeader
    /// Cached entity tags for ``heldTag(_:_:where:)``: up to a dozen per key.
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

    /// The preferred variant, if it is to be encoded once the other one is used often.
    /// - Parameter present: The cached preferred variant, if it is not smaller than the other one.
    func awaited(by reencoder: Reencoder?, inPlaceOf present: Poster? = nil) -> Reencoding? {
        guard let preferred, let reencoder, present?.encoding != .refined else { return nil }
        let reencoding = Reencoding(
            source: self.key, sourceTarget: self.target, key: preferred.key, target: preferred.target)
        return reencoder.awaits(reencoding) ? reencoding : nil
    }

    /// The re-encoding of a variant in its own format; `nil` if it already has the best encoding.
    static func refinement(of poster: Poster, _ key: VariantKey, _ target: RenderTarget) -> Reencoding? {
        guard poster.encoding == .first, key.efforts.contains(.refined) else { return nil }
        return Reencoding(source: key, sourceTarget: target, key: key, target: target)
    }

    /// The tag of the variant that the client holds; `nil` if it holds none.
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
