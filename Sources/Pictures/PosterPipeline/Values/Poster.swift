public import HTTPSemantics
public import NIOCore
public import PosterCodec

/// An encoded variant; sending it requires no copy.
public struct Poster: Sendable {
    /// The encoded file.
    public internal(set) var bytes: ByteBuffer
    /// The entity tag of the bytes.
    public let entityTag: EntityTag
    /// The file's format.
    public let format: OutputFormat
    /// The size in pixels.
    public let size: OutputSize
    /// The effort of the encoder.
    public var encoding = EncodingEffort.first

    package init(
        bytes: ByteBuffer, entityTag: EntityTag, format: OutputFormat, size: OutputSize,
        encoding: EncodingEffort = .first
    ) {
        self.bytes = bytes
        self.entityTag = entityTag
        self.format = format
        self.size = size
        self.encoding = encoding
    }
}
