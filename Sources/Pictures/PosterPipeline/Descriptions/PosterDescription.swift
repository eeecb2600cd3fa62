public import PosterCodec

/// What is told of a poster beside its pixels.
public struct PosterDescription: Sendable {
    /// Whose original it is.
    public let id: PosterID
    /// Of the original.
    public let header: ImageHeader
    /// The length of the original's file.
    public let byteCount: Int
    /// Of the original's file.
    public let digest: Digest
    /// What a page can show before the poster arrives.
    public let hashes: PictureHashes
    /// How the original was come by.
    public let provenance: Provenance

    /// As JSON has it.
    public var info: PictureInfo {
        PictureInfo(
            id: self.id, header: self.header, bytes: self.byteCount, digest: self.digest, hashes: self.hashes)
    }
}
