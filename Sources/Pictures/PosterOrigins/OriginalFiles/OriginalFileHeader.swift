import FoundationEssentials
import PosterCodec
import PosterPipeline

/// The header before the bytes of every stored original, from which an index can be rebuilt.
///
/// Shape, 4096 bytes: `ONESHEET`, the version as a 16-bit and the length of the text as a 32-bit little-endian number,
/// the text (JSON, UTF-8), zeros, and in the last 32 bytes the SHA-256 of all that precedes it.
struct OriginalFileHeader: Codable, Hashable {
    static let length = 4096
    static let version: UInt16 = 1

    private static let magic = Array("ONESHEET".utf8)
    private static let textOffset = 14
    private static let checksumOffset = length - 32

    /// `source:key`.
    var id: String
    /// `OriginalLocation.identity`: the URL it was fetched from.
    var location: String
    /// SHA-256 of the bytes, in hexadecimal.
    var digest: String
    /// Of the bytes.
    var length: Int
    var etag: String?
    var lastModified: String?
    /// Seconds since 1970.
    var fetchedAt: Int64
    /// Its freshness then; nil in files from before the index.
    var validatedAt, lifetime: Int64?
    /// `ImageFormat`'s name, and the pixels as encoded; nil in files from before the index.
    var format: String?
    var width: Int?
    var height: Int?

    /// Its validators as of the fetch.
    var validators: Validators { Validators(etag: self.etag, lastModified: self.lastModified) }

    /// As of the fetch; never fresh when the file does not say for how long.
    var freshness: Freshness {
        Freshness(validatedAt: self.validatedAt ?? self.fetchedAt, lifetime: self.lifetime ?? 0)
    }

    /// - Returns: nil when the texts do not fit; ids, URLs and validators are bounded so that they do.
    func encoded() -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(self),  // texts and whole numbers never fail
            text.count <= Self.checksumOffset - Self.textOffset
        else { return nil }
        var bytes = Self.magic
        withUnsafeBytes(of: Self.version.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(text.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += text
        bytes += [UInt8](repeating: 0, count: Self.checksumOffset - bytes.count)
        bytes += bytes.withUnsafeBytes { Digest(of: $0).bytes }
        return bytes
    }

    /// Reads a header.
    ///
    /// - Returns: nil when the bytes are no header of this version, or not as they were written.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.length, bytes.starts(with: Self.magic),
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self)) == Self.version
        else { return nil }
        let covered = UnsafeRawBufferPointer(rebasing: bytes[..<Self.checksumOffset])
        guard Digest(of: covered).bytes.elementsEqual(bytes[Self.checksumOffset..<Self.length]) else { return nil }
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 10, as: UInt32.self)))
        guard count <= Self.checksumOffset - Self.textOffset else { return nil }
        let text = Data(bytes[Self.textOffset..<Self.textOffset + count])
        guard let header = try? JSONDecoder().decode(Self.self, from: text) else { return nil }
        self = header
    }

    init(
        id: PosterID, location: OriginalLocation, digest: Digest, length: Int, picture: ImageHeader,
        validators: Validators, freshness: Freshness, fetchedAt: Int64
    ) {
        let validators = validators.bounded
        self.id = id.description
        self.location = location.identity
        self.digest = digest.description
        self.length = length
        self.etag = validators.etag
        self.lastModified = validators.lastModified
        self.fetchedAt = fetchedAt
        self.validatedAt = freshness.validatedAt
        self.lifetime = freshness.lifetime
        self.format = picture.format.rawValue
        self.width = picture.width
        self.height = picture.height
    }
}

extension Validators {
    /// Without validators that are too long to store; the original is then fetched instead of revalidated.
    var bounded: Validators {
        Validators(
            etag: self.etag.flatMap { $0.utf8.count <= 256 ? $0 : nil },
            lastModified: self.lastModified.flatMap { $0.utf8.count <= 64 ? $0 : nil })
    }
}
