package import HTTPSemantics
package import PosterCodec

/// All properties that determine a variant's bytes, and no others: requests with equal keys share one render and one
/// cache entry.
///
/// Known before rendering, as are the few possible entity tags of the variant.
package struct VariantKey: Hashable, Sendable {
    /// The hash of all other properties, computed once: a hit looks the same key up several times, often for an earlier
    /// request.
    private let hash: Int
    package let id: PosterID
    package let digest: Digest
    package let framing: Framing
    package let format: OutputFormat
    private let originalFormat: ImageFormat
    /// `nil` if the format has none.
    let quality: Quality?
    /// `nil` if it cannot show: the original is opaque, or the format has alpha.
    let background: RenderTarget.Background?
    /// `nil` if it has no effect: the original has no scans to leave out, and the format is not WebP.
    let effort: RenderTarget.Effort?
    /// `nil` without any.
    let badges: Badges?

    package init(id: PosterID, facts: OriginalFacts, target: RenderTarget) throws(PosterError) {
        let header = facts.header
        self.id = id
        self.digest = facts.digest
        do { self.framing = try Framing(of: header.uprightSize, as: target) } catch { throw PosterError(error) }
        self.format = target.format
        self.originalFormat = header.format
        self.quality = target.format == .png ? nil : target.quality
        self.background = header.hasAlpha && !target.format.hasAlpha ? target.background : nil
        let hasScans = header.format == .jpeg && header.isProgressive
        self.effort = hasScans || target.format == .webp ? target.effort : nil
        self.badges = target.badges
        var hasher = Hasher()
        hasher.combine(id)
        hasher.combine(self.digest)
        hasher.combine(self.framing)
        hasher.combine(self.format)
        hasher.combine(self.quality)
        hasher.combine(self.background)
        hasher.combine(self.effort)
        hasher.combine(self.badges)
        self.hash = hasher.finalize()
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.hash)
    }

    /// A text that is equal for equal keys in every process, and differs between keys and codec versions.
    package var name: String { ([self.id.description] + self.parts).joined(separator: "\n") }

    package var codecVersion: String { CodecVersion.version(of: self.format, from: self.originalFormat) }

    /// The properties that determine the bytes, except for the decode recipe.
    private var parts: [String] {
        let crop = self.framing.crop == .none ? "whole" : self.framing.position.rawValue
        let under = self.background.map { "\($0.red),\($0.green),\($0.blue)" } ?? ""
        return [
            "variant", self.digest.description, "\(self.framing.size.width)x\(self.framing.size.height)",
            self.framing.effect.map { "\(crop) \($0)" } ?? crop,
            self.format.rawValue, self.quality?.description ?? "", under, self.effort?.rawValue ?? "",
            self.codecVersion,
        ] + (self.badges.map { ["badges \(BadgeFonts.shared.version)", $0.description] } ?? [])
    }

    /// The entity tag of the variant for a decode recipe and an encoding effort, which together determine the bytes.
    package func entityTag(_ recipe: DecodeRecipe = .own, _ encoding: EncodingEffort = .first) -> EntityTag {
        var parts = self.parts
        if recipe != .own { parts.insert(recipe.description, at: 0) }
        if encoding == .refined { parts.insert("refined", at: 0) }
        return EntityTag(digestOf: parts)
    }

    /// All possible entity tags of the variant, over decode recipes and encoding efforts; the tag of a separate decode
    /// comes first.
    func possibleTags(of target: RenderTarget, header: ImageHeader) -> [EntityTag] {
        let recipes = DecodeRecipe.possible(for: header, target: target)
        return self.efforts.flatMap { effort in recipes.map { self.entityTag($0, effort) } }
    }

    /// The estimated memory of the badges' texts, in bytes.
    var badgeBytes: Int { self.badges?.badges.reduce(0) { $0 + $1.text.utf8.count + Self.textOverhead } ?? 0 }

    /// A badge's element in its array, and the head of a long text.
    private static let textOverhead = 64

    /// The efforts that produce different bytes.
    var efforts: [EncodingEffort] { self.format == .png ? [.first] : [.first, .refined] }

    /// Whether ``EncodingEffort/refined`` has a measured likeness; the first encoding has a predicted one.
    var isMeasured: Bool {
        guard case .likeness = self.quality else { return false }
        return self.framing.size.allowsMeasuring
    }

    /// A number that is equal for equal keys in every process, and nearly always differs otherwise. Excludes the codec
    /// version, and allocates nothing: hits in memory look it up.
    package var fingerprint: UInt64 {
        var hash = StableHash()
        hash.combine(self.id.source)
        hash.combine(self.id.key)
        hash.combine(self.digest.start)
        hash.combine(UInt64(self.framing.size.width) << 32 | UInt64(self.framing.size.height))
        hash.combine(self.framing.crop == .none ? "whole" : self.framing.position.rawValue)
        hash.combine(self.format.rawValue)
        hash.combine(UInt64(bitPattern: Int64(self.quality?.fingerprint ?? -1)))
        let under = self.background.map { UInt64($0.red) << 16 | UInt64($0.green) << 8 | UInt64($0.blue) }
        hash.combine(under ?? .max)
        hash.combine(self.effort?.rawValue ?? "")
        if let effect = self.framing.effect { hash.combine(effect.description) }
        if let badges = self.badges { Self.combine(badges, into: &hash) }
        return hash.value
    }

    private static func combine(_ badges: Badges, into hash: inout StableHash) {
        hash.combine(badges.position.rawValue)
        hash.combine(badges.style.rawValue)
        hash.combine(UInt64(badges.badges.count))
        for badge in badges.badges {
            hash.combine(badge.text)
            hash.combine(badge.colour)
        }
    }
}

extension StableHash {
    fileprivate mutating func combine(_ colour: RenderTarget.Colour) {
        self.combine(UInt64(colour.red) << 16 | UInt64(colour.green) << 8 | UInt64(colour.blue))
    }
}
