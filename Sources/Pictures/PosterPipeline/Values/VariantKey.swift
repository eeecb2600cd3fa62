import HTTPSemantics
import PosterCodec

/// All that decides a variant's bytes, and nothing else: requests of equal keys share one render and one cache entry.
///
/// Known before anything is rendered, and so is the entity tag.
struct VariantKey: Hashable, Sendable {
    let id: PosterID
    let digest: Digest
    let framing: Framing
    let format: OutputFormat
    /// nil where the format has none.
    let quality: Int?
    /// nil where nothing could be seen of it.
    let background: RenderTarget.Background?
    /// nil where it changes nothing: neither scans could be left out nor is WebP encoded.
    let effort: RenderTarget.Effort?

    /// - Throws: ``PosterError/tooLarge(reason:)``.
    init(id: PosterID, facts: OriginalFacts, target: RenderTarget) throws(PosterError) {
        let header = facts.header
        self.id = id
        self.digest = facts.digest
        do { self.framing = try Framing(of: header.uprightSize, as: target) } catch { throw PosterError(error) }
        self.format = target.format
        self.quality = target.format == .png ? nil : target.quality
        self.background = header.hasAlpha && !target.format.hasAlpha ? target.background : nil
        let hasScans = header.format == .jpeg && header.isProgressive
        self.effort = hasScans || target.format == .webp ? target.effort : nil
    }

    var entityTag: EntityTag {
        let crop = self.framing.crop == .none ? "whole" : self.framing.position.rawValue
        let under = self.background.map { "\($0.red),\($0.green),\($0.blue)" } ?? ""
        return EntityTag(
            digestOf: [
                "variant", self.digest.description, "\(self.framing.size.width)x\(self.framing.size.height)", crop,
                self.format.rawValue, self.quality.map(String.init) ?? "", under, self.effort?.rawValue ?? "",
                CodecVersion.current,
            ])
    }
}
