import CodecWorkers
import NIOCore
public import PosterCodec

/// The location of an original.
public enum OriginalLocation: Hashable, Sendable {
    /// A file of this machine. `version` changes whenever its bytes do.
    case file(path: String, version: String)
    /// An absolute URL, `http` or `https`.
    case web(url: String)
    /// As ``web(url:)``, from an untrusted source: never fetched from a private address, even if others are allowed to
    /// be.
    case found(url: String)

    /// Maximum length of a stored URL in bytes; longer ones are stored as digests, because an id may also contain a
    /// URL, and both must fit into a file's header.
    private static let shortLength = 512

    /// Stored with the bytes, to detect a change of location.
    public var identity: String {
        switch self {
        case .file(_, let version): "file:\(version)"
        case .web(let url), .found(let url): url.utf8.count <= Self.shortLength ? url : "sha256:\(Digest(of: url))"
        }
    }

    /// Whether other nodes share its originals: files of this machine are packaged with each node.
    package var isShared: Bool {
        switch self {
        case .file: false
        case .web, .found: true
        }
    }

    var canChange: Bool {
        switch self {
        case .file: false
        case .web, .found: true
        }
    }
}

/// A verified original: a complete picture.
public struct Original: Sendable {
    /// The poster's id.
    public let id: PosterID
    /// The digest of ``bytes``.
    public let digest: Digest
    /// The header, as read by verification.
    public let header: ImageHeader
    /// The encoded file.
    public let bytes: OriginalBytes

    /// - Parameters:
    ///   - digest: The digest of `bytes`, computed or checked by the caller.
    ///   - header: The result of verifying `bytes`.
    public init(id: PosterID, digest: Digest, header: ImageHeader, bytes: OriginalBytes) {
        self.id = id
        self.digest = digest
        self.header = header
        self.bytes = bytes
    }

    /// The cached metadata of the original.
    var facts: OriginalFacts { OriginalFacts(digest: self.digest, header: self.header) }

    /// An original without bytes, for work that does not need them: reading throws ``OriginalBytes/Unreadable``.
    static func unopened(_ id: PosterID, _ facts: OriginalFacts) -> Original {
        Original(id: id, digest: facts.digest, header: facts.header, bytes: .stored(UnopenedBytes()))
    }

    /// Whether the bytes can be read; see ``unopened(_:_:)``.
    var isOpened: Bool {
        if case .stored(let bytes) = self.bytes { return !(bytes is UnopenedBytes) }
        return true
    }
}

private struct UnopenedBytes: StoredBytes {
    var count: Int { 0 }

    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(OriginalBytes.Unreadable) {
        throw OriginalBytes.Unreadable()
    }

    func piece(_ part: Range<Int>) async throws -> ByteBuffer { throw OriginalBytes.Unreadable() }
}

/// The metadata of an original that determines the keys and sizes of its variants.
package struct OriginalFacts: Hashable, Sendable {
    let digest: Digest
    let header: ImageHeader

    package init(digest: Digest, header: ImageHeader) {
        self.digest = digest
        self.header = header
    }
}

/// The state of the original that a response was made of.
public struct OriginalState: Hashable, Sendable {
    /// The digest of the original's bytes.
    public var digest: Digest
    /// Whole seconds since the origin last confirmed these bytes (RFC 9111, 4.2.3), at least 0; `nil` if the origin was
    /// asked for this response, and if the bytes never change.
    public var age: Int64?
    /// When the bytes last changed according to their origin, or else when they were stored, in seconds since 1970;
    /// `nil` if they are packaged.
    public var modifiedAt: Int64?
    /// Whether no other bytes can have been the original within the second of ``modifiedAt`` (RFC 9110, 8.8.2.2).
    public var isDateExact: Bool

    /// Creates the state of an original with this digest.
    public init(digest: Digest, age: Int64? = nil, modifiedAt: Int64? = nil, isDateExact: Bool = false) {
        self.digest = digest
        self.age = age
        self.modifiedAt = modifiedAt
        self.isDateExact = isDateExact
    }
}

/// Verifies that bytes are a complete picture within the limits.
public struct OriginalVerifier: Sendable {
    private let limits: CodecLimits

    /// - Parameter limits: The limits of originals.
    public init(limits: CodecLimits = .init()) {
        self.limits = limits
    }

    /// Reads the header and walks to the end of the image; decodes a file without a proper end.
    package func verify(_ bytes: LoadedBytes) throws(PosterError) -> ImageHeader {
        do {
            let control = RenderControl(cpuTime: WorkerTime.nanoseconds)
            return try bytes.withSpan { (span) throws(CodecError) in
                try inspect(span, limits: self.limits, control: control)
            }
        } catch {
            throw PosterError(error)
        }
    }

    /// Probes the header while bytes arrive; does not replace verification.
    package func makeIncrementalProbe() -> IncrementalProbe {
        IncrementalProbe(limits: self.limits)
    }
}
