package import HTTPSemantics
package import PosterCodec

/// All that decides a variant's bytes, and nothing else: requests of equal keys share one render and one cache entry.
///
/// Known before anything is rendered, and so are the few entity tags that the variant may have.
package struct VariantKey: Hashable, Sendable {
    /// Of all that follows, computed once: a hit looks several times for the same key, and often for one of an earlier request.
    private let hash: Int
    package let id: PosterID
    /// Of the original.
    package let digest: Digest
    package let framing: Framing
    package let format: OutputFormat
    /// nil where the format has none.
    let quality: Int?
    /// nil where nothing could be seen of it.
    let background: RenderTarget.Background?
    /// nil where it changes nothing: neither scans could be left out nor is WebP encoded.
    let effort: RenderTarget.Effort?

    package init(id: PosterID, facts: OriginalFacts, target: RenderTarget) throws(PosterError) {
        let header = facts.header
        self.id = id
        self.digest = facts.digest
        do { self.framing = try Framing(of: header.uprightSize, as: target) } catch { throw PosterError(error) }
        self.format = target.format
        self.quality = target.format == .png ? nil : target.quality
        self.background = header.hasAlpha && !target.format.hasAlpha ? target.background : nil
        let hasScans = header.format == .jpeg && header.isProgressive
        self.effort = hasScans || target.format == .webp ? target.effort : nil
        var hasher = Hasher()
        hasher.combine(id)
        hasher.combine(self.digest)
        hasher.combine(self.framing)
        hasher.combine(self.format)
        hasher.combine(self.quality)
        hasher.combine(self.background)
        hasher.combine(self.effort)
        self.hash = hasher.finalize()
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.hash)
    }

    /// The same text for equal keys in every process, and another one for other keys and other versions of the codec.
    package var name: String { ([self.id.description] + self.parts).joined(separator: "\n") }

    /// What decides the bytes beside the recipe.
    private var parts: [String] {
        let crop = self.framing.crop == .none ? "whole" : self.framing.position.rawValue
        let under = self.background.map { "\($0.red),\($0.green),\($0.blue)" } ?? ""
        return [
            "variant", self.digest.description, "\(self.framing.size.width)x\(self.framing.size.height)",
            self.framing.effect.map { "\(crop) \($0)" } ?? crop,
            self.format.rawValue, self.quality.map(String.init) ?? "", under, self.effort?.rawValue ?? "",
            CodecVersion.current,
        ]
    }

    /// The tag of the bytes that come from such a decode and encoder. The same recipe and effort give the same bytes, so
    /// there is a tag for each.
    package func entityTag(_ recipe: DecodeRecipe = .own, _ encoding: EncodingEffort = .first) -> EntityTag {
        var parts = self.parts
        if recipe != .own { parts.insert(recipe.description, at: 0) }
        if encoding == .refined { parts.insert("refined", at: 0) }
        return EntityTag(digestOf: parts)
    }

    /// The tags that the variant may have, whatever it is rendered with and how often it was encoded; that of a decode of
    /// its own first.
    func possibleTags(of target: RenderTarget, header: ImageHeader) -> [EntityTag] {
        let recipes = DecodeRecipe.possible(for: header, target: target)
        return self.efforts.flatMap { effort in recipes.map { self.entityTag($0, effort) } }
    }

    /// The efforts that give different bytes.
    var efforts: [EncodingEffort] { self.format == .png ? [.first] : [.first, .refined] }

    /// The same number for equal keys in every process, and nearly always another one for other keys. Without the version of
    /// the codec, and without an allocation: hits in memory look it up.
    package var fingerprint: UInt64 {
        var hash = StableHash()
        hash.combine(self.id.source)
        hash.combine(self.id.key)
        hash.combine(self.digest.start)
        hash.combine(UInt64(self.framing.size.width) << 32 | UInt64(self.framing.size.height))
        hash.combine(self.framing.crop == .none ? "whole" : self.framing.position.rawValue)
        hash.combine(self.format.rawValue)
        hash.combine(UInt64(bitPattern: Int64(self.quality ?? -1)))
        let under = self.background.map { UInt64($0.red) << 16 | UInt64($0.green) << 8 | UInt64($0.blue) }
        hash.combine(under ?? .max)
        hash.combine(self.effort?.rawValue ?? "")
        if let effect = self.framing.effect { hash.combine(effect.description) }
        return hash.value
    }
}
