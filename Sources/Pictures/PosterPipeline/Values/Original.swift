import CodecWorkers
import NIOCore
public import PosterCodec

/// Where an original comes from.
public enum OriginalLocation: Hashable, Sendable {
    /// A file of this machine. `version` changes whenever its bytes do.
    case file(path: String, version: String)
    /// An absolute URL, `http` or `https`.
    case web(url: String)
    /// The same, from an untrusted source: never fetched from a private address, even one that is allowed for others.
    case found(url: String)

    /// Longer URLs are stored as digests, in bytes: an id may hold a URL too, and both must fit into a file's header.
    private static let shortLength = 512

    /// Stored with the bytes, to detect that they came from another location.
    public var identity: String {
        switch self {
        case .file(_, let version): "file:\(version)"
        case .web(let url), .found(let url): url.utf8.count <= Self.shortLength ? url : "sha256:\(Digest(of: url))"
        }
    }

    /// Whether other nodes have use for its originals: files of this machine are packaged with each.
    package var isShared: Bool {
        switch self {
        case .file: false
        case .web, .found: true
        }
    }

    /// Whether the bytes at this location may change.
    var canChange: Bool {
        switch self {
        case .file: false
        case .web, .found: true
        }
    }
}

/// A verified original: it is a picture, and all of it is there.
public struct Original: Sendable {
    /// Of the poster.
    public let id: PosterID
    /// Of the bytes.
    public let digest: Digest
    /// As read by verification.
    public let header: ImageHeader
    /// The encoded file.
    public let bytes: OriginalBytes

    /// - Parameters:
    ///   - digest: Of `bytes`; the caller has computed or checked it.
    ///   - header: As returned by verification of `bytes`.
    public init(id: PosterID, digest: Digest, header: ImageHeader, bytes: OriginalBytes) {
        self.id = id
        self.digest = digest
        self.header = header
        self.bytes = bytes
    }

    /// What is cached of an original without its bytes.
    var facts: OriginalFacts { OriginalFacts(digest: self.digest, header: self.header) }

    /// An original that was not looked up, for what can do without its bytes: to read them throws
    /// ``OriginalBytes/Unreadable``.
    static func unopened(_ id: PosterID, _ facts: OriginalFacts) -> Original {
        Original(id: id, digest: facts.digest, header: facts.header, bytes: .stored(UnopenedBytes()))
    }

    /// Whether its bytes can be read.
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

/// What a variant's key and size depend on.
package struct OriginalFacts: Hashable, Sendable {
    let digest: Digest
    let header: ImageHeader

    package init(digest: Digest, header: ImageHeader) {
        self.digest = digest
        self.header = header
    }
}

/// What a response says of the original that it was made of, beside its pixels.
public struct OriginalState: Hashable, Sendable {
    /// Of the original's bytes.
    public var digest: Digest
    /// Whole seconds since its origin last said that these are its current bytes (RFC 9111, 4.2.3), at least 0; nil
    /// when the origin was asked for this very response, and for what never changes under its name.
    public var age: Int64?
    /// When the bytes changed last, as their origin says, or else when they were stored: in seconds since 1970. nil for
    /// what is packaged.
    public var modifiedAt: Int64?
    /// Whether no other bytes can have been the original within the second of ``modifiedAt`` (RFC 9110, 8.8.2.2).
    public var isDateExact: Bool

    /// The state of the original with these bytes.
    public init(digest: Digest, age: Int64? = nil, modifiedAt: Int64? = nil, isDateExact: Bool = false) {
        self.digest = digest
        self.age = age
        self.modifiedAt = modifiedAt
        self.isDateExact = isDateExact
    }
}

/// Verifies that bytes are a whole picture within the limits.
public struct OriginalVerifier: Sendable {
    private let limits: CodecLimits

    /// - Parameter limits: Of originals.
    public init(limits: CodecLimits = .init()) {
        self.limits = limits
    }

    /// Reads the header and walks to the end of the image; decodes a picture that has none.
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

    /// A probe of the header while the bytes arrive; it does not replace verification.
    package func makeIncrementalProbe() -> IncrementalProbe {
        IncrementalProbe(limits: self.limits)
    }
}
