import FoundationEssentials
import GRDB
import PosterPipeline
import RebuildableDatabase

/// A row of the index. The file is authoritative for bytes and identity, the row for freshness, validators and last
/// use.
@dynamicMemberLookup
struct OriginalRow: Hashable {
    /// The assumed block size of the disk, in bytes.
    private static let blockLength: Int64 = 4096

    /// Plausible lengths in bytes and times in seconds: arithmetic with them does not overflow.
    private static let lengths = 0...1 << 40
    private static let seconds = Int64(-1) << 48...Int64(1) << 48
    /// Plausible moments of ``AccessTimes``, in milliseconds.
    static let uses = Int64(-1) << 52...Int64(1) << 52

    /// The digest of the id; names the file.
    var key: Digest
    var digest: Digest
    /// The file's header, with the row's freshness and validators.
    var header: OriginalFileHeader
    /// A moment of ``AccessTimes``, in milliseconds.
    var lastUsed: Int64

    subscript<Value>(dynamicMember member: KeyPath<OriginalFileHeader, Value>) -> Value { self.header[keyPath: member] }

    var space: Int64 { Self.space(ofLength: Int64(self.header.length)) }

    static func space(ofLength length: Int64) -> Int64 {
        Int64(OriginalFileHeader.length) + (length + Self.blockLength - 1) / self.blockLength * self.blockLength
    }

    /// Creates the row of a file; `nil` if its digest is malformed.
    init?(_ header: OriginalFileHeader, key: Digest, lastUsed: Int64) {
        guard let digest = Digest(hexadecimal: header.digest) else { return nil }
        (self.key, self.digest, self.header, self.lastUsed) = (key, digest, header, lastUsed)
    }

    /// Reads a row without trusting it: a damaged page may contain anything.
    init(_ row: Row) throws(DamagedRow) {
        guard let key = Digest(bytes: Array(try row.checked("key", as: Data.self))),
            let digest = Digest(bytes: Array(try row.checked("digest", as: Data.self)))
        else { throw DamagedRow("key or digest is not a digest") }
        self.key = key
        self.digest = digest
        self.header = OriginalFileHeader(
            id: try row.checked("id"), location: try row.checked("location"), digest: digest.description,
            length: try row.checked("length", in: Self.lengths),
            etag: try row.checked("etag"), lastModified: try row.checked("lastModified"),
            fetchedAt: try Self.seconds(row, "fetchedAt"),
            validatedAt: try Self.seconds(row, "validatedAt"),
            lifetime: try Self.seconds(row, "lifetime"),
            format: try row.checked("format"), width: try row.checked("width"), height: try row.checked("height"))
        self.lastUsed = try row.checked("lastUsed", in: Self.uses)
    }

    /// Clamped rather than rejected: the file's header, which would restore the row, may have the same value.
    private static func seconds(_ row: Row, _ column: String) throws(DamagedRow) -> Int64 {
        min(max(try row.checked(column), Self.seconds.lowerBound), Self.seconds.upperBound)
    }
}
