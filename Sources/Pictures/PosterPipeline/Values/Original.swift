public import PosterCodec

/// Where an original comes from.
public enum OriginalLocation: Hashable, Sendable {
    /// A file of this machine. `version` changes whenever its bytes do.
    case file(path: String, version: String)
    /// An absolute URL, `http` or `https`.
    case web(url: String)
    /// The same, but told by a stranger: never to be fetched from a private address that the configuration opened for others.
    case found(url: String)

    /// The longest URL that is kept as it is, in bytes: ids may hold another one, and both must fit beside the bytes.
    private static let shortLength = 512

    /// What is kept beside the stored bytes: when it differs, they are not this location's.
    public var identity: String {
        switch self {
        case .file(_, let version): "file:\(version)"
        case .web(let url), .found(let url): url.utf8.count <= Self.shortLength ? url : "sha256:\(Digest(of: url))"
        }
    }

    /// Whether there may be other bytes at the same location one day.
    var canChange: Bool {
        switch self {
        case .file: false
        case .web, .found: true
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
