import FoundationEssentials
import GRDB
import PosterPipeline

/// A row of the index. The file is authoritative for bytes and identity, the row for freshness, validators and last
/// use.
@dynamicMemberLookup
struct OriginalRow: Hashable {
    /// The block size of the disk, in bytes.
    private static let blockLength: Int64 = 4096

    /// Of the id; names the file.
    var key: Digest
    var digest: Digest
    /// The file's, with the row's freshness and validators.
    var header: OriginalFileHeader
    /// As given by ``AccessTimes``.
    var lastUsed: Int64

    subscript<Value>(dynamicMember member: KeyPath<OriginalFileHeader, Value>) -> Value { self.header[keyPath: member] }

    /// The file's space on disk, in bytes.
    var space: Int64 { Self.space(ofLength: Int64(self.header.length)) }

    static func space(ofLength length: Int64) -> Int64 {
        Int64(OriginalFileHeader.length) + (length + Self.blockLength - 1) / self.blockLength * self.blockLength
    }

    /// The row of a file.
    /// - Returns: nil when its digest is none.
    init?(_ header: OriginalFileHeader, key: Digest, lastUsed: Int64) {
        guard let digest = Digest(hexadecimal: header.digest) else { return nil }
        (self.key, self.digest, self.header, self.lastUsed) = (key, digest, header, lastUsed)
    }

    /// Reads a row without trusting it: a page that was damaged may hold anything.
    init(_ row: Row) throws {
        guard let key = Data.fromDatabaseValue(row["key"]).flatMap({ Digest(bytes: Array($0)) }),
            let digest = Data.fromDatabaseValue(row["digest"]).flatMap({ Digest(bytes: Array($0)) }),
            let id = String.fromDatabaseValue(row["id"]), let location = String.fromDatabaseValue(row["location"]),
            let length = Int.fromDatabaseValue(row["length"]), (0...1 << 40).contains(length),
            let fetchedAt = Int64.fromDatabaseValue(row["fetchedAt"]),
            let validatedAt = Int64.fromDatabaseValue(row["validatedAt"]),
            let lifetime = Int64.fromDatabaseValue(row["lifetime"]),
            let lastUsed = Int64.fromDatabaseValue(row["lastUsed"])
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row makes no original") }
        self.key = key
        self.digest = digest
        self.header = OriginalFileHeader(
            id: id, location: location, digest: digest.description, length: length,
            etag: String.fromDatabaseValue(row["etag"]), lastModified: String.fromDatabaseValue(row["lastModified"]),
            fetchedAt: fetchedAt, validatedAt: validatedAt, lifetime: lifetime,
            format: String.fromDatabaseValue(row["format"]), width: Int.fromDatabaseValue(row["width"]),
            height: Int.fromDatabaseValue(row["height"]))
        self.lastUsed = lastUsed
    }
}
