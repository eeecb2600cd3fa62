import PosterPipeline

/// A row of the index. The file is authoritative for bytes and identity, the row for freshness, validators and last
/// use.
struct OriginalRow: Hashable {
    /// The block size of the disk, in bytes.
    private static let blockLength: Int64 = 4096

    /// Of the id; names the file.
    var key: Digest
    /// `source:key`.
    var id: String
    /// `OriginalLocation.identity`.
    var location: String
    var validators: Validators
    /// Of the bytes.
    var digest: Digest
    /// Of the bytes.
    var length: Int64
    /// `ImageFormat`'s name, and the pixels as encoded; nil in files from before the index.
    var format: String?
    var width, height: Int?
    /// Seconds since 1970.
    var fetchedAt: Int64
    var freshness: Freshness
    /// As given by ``AccessTimes``.
    var lastUsed: Int64

    /// The file's space on disk, in bytes.
    var space: Int64 { Self.space(ofLength: self.length) }

    static func space(ofLength length: Int64) -> Int64 {
        Int64(OriginalFileHeader.length) + (length + Self.blockLength - 1) / self.blockLength * self.blockLength
    }

    /// The row of a file.
    ///
    /// - Returns: nil when its digest is none.
    init?(_ header: OriginalFileHeader, key: Digest, lastUsed: Int64) {
        guard let digest = Digest(hexadecimal: header.digest) else { return nil }
        self.key = key
        self.id = header.id
        self.location = header.location
        self.validators = header.validators
        self.digest = digest
        self.length = Int64(header.length)
        self.format = header.format
        self.width = header.width
        self.height = header.height
        self.fetchedAt = header.fetchedAt
        self.freshness = header.freshness
        self.lastUsed = lastUsed
    }
}
