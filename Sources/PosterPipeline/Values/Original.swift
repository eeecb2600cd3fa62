public import PosterCodec

/// Where an original comes from.
public enum OriginalLocation: Hashable, Sendable {
    /// A file of this machine. `version` changes whenever its bytes do.
    case file(path: String, version: String)
    /// An absolute URL, `http` or `https`.
    case web(url: String)

    /// What is kept beside the stored bytes: when it differs, they are not this location's.
    public var identity: String {
        switch self {
        case .file(_, let version): "file:\(version)"
        case .web(let url): url
        }
    }
}

/// A verified original: it is a picture, and all of it is there.
public struct Original: Sendable {
    /// Whose original it is.
    public let id: PosterID
    /// Of the bytes.
    public let digest: Digest
    /// What verification read.
    public let header: ImageHeader
    /// The encoded file.
    public let bytes: OriginalBytes

    /// - Parameters:
    ///   - digest: Of `bytes`; the caller has computed or checked it.
    ///   - header: What verification gave for `bytes`.
    public init(id: PosterID, digest: Digest, header: ImageHeader, bytes: OriginalBytes) {
        self.id = id
        self.digest = digest
        self.header = header
        self.bytes = bytes
    }

    /// What can be known of an original without its bytes.
    var facts: OriginalFacts { OriginalFacts(digest: self.digest, header: self.header) }
}

/// What an answer's name and size depend on.
struct OriginalFacts: Hashable, Sendable {
    let digest: Digest
    let header: ImageHeader
}

/// What an origin said about the bytes it sent.
public struct OriginDescription: Hashable, Sendable {
    /// With its quotation marks.
    public var etag: String?
    /// A date, as sent.
    public var lastModified: String?
    /// As declared by the origin, in bytes.
    public var declaredLength: Int?

    /// An origin that says nothing.
    public init(etag: String? = nil, lastModified: String? = nil, declaredLength: Int? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.declaredLength = declaredLength
    }
}
