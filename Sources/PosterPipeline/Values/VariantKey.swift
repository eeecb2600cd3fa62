import PosterCodec

/// Everything that changes a variant's bytes, and nothing else. Known before anything is rendered.
///
/// The size is the one that comes out, not the one that was asked for, so that all widths beyond the original's share
/// one variant. The codec's version is the same for the whole process and joins in the entity tag.
struct VariantKey: Hashable, Sendable {
    let id: PosterID
    let digest: Digest
    let size: OutputSize
    let format: OutputFormat
    let quality: Int

    /// - Throws: `CodecError.sideTooLong`.
    init(id: PosterID, facts: OriginalFacts, target: RenderTarget) throws(CodecError) {
        self.id = id
        self.digest = facts.digest
        self.size = try OutputSize(fitting: facts.header.uprightSize, width: target.width)
        self.format = target.format
        self.quality = target.quality
    }

    var entityTag: EntityTag {
        EntityTag(
            digestOf: [
                "variant", self.digest.description, "\(self.size.width)x\(self.size.height)", self.format.rawValue,
                String(self.quality), CodecVersion.current,
            ])
    }
}
