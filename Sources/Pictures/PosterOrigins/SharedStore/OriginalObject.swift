import HTTPSemantics
import ObjectStorage
import PosterCodec
import PosterPipeline

/// The metadata of an original in the shared store, as fields of its object (`x-amz-meta-*`).
///
/// The object contains the picture as its origin sent it. All fields together stay below S3's limit of 2 KiB.
struct OriginalObject: Hashable, Sendable {
    /// The version of the fields; objects of other versions are not read.
    private static let version = "1"
    /// Maximum length of an id, location or entity tag as a field, in bytes; longer ids and locations are replaced by
    /// digests, longer validators are left out.
    private static let textLimit = 480

    /// `source:key`, or its digest.
    let id: String
    /// `OriginalLocation.identity`, or its digest.
    let location: String
    /// SHA-256 of the bytes.
    let digest: Digest
    let length: Int
    let validators: Validators
    let freshness: Freshness
    /// When the bytes were fetched from their origin, in seconds since 1970.
    let fetchedAt: Int64

    /// The key of an original's object: fanned out like the files on disk.
    static func key(of id: Digest) -> String { "\(id.description.prefix(2))/\(id)\(Self.suffix)" }

    private static let suffix = ".original"

    /// The digest of the id in a key; `nil` if the key is not an original's.
    static func id(ofKey key: String) -> Digest? {
        guard key.utf8.count == 3 + 64 + Self.suffix.utf8.count, key.hasSuffix(Self.suffix),
            let digest = Digest(hexadecimal: String(key.dropFirst(3).prefix(64))), Self.key(of: digest) == key
        else { return nil }
        return digest
    }

    /// The object of a file, with the index's validators and freshness.
    init?(_ header: OriginalFileHeader, validators: Validators, freshness: Freshness) {
        guard let digest = Digest(hexadecimal: header.digest) else { return nil }
        self.id = Self.bounded(header.id)
        self.location = Self.bounded(header.location)
        self.digest = digest
        self.length = header.length
        self.validators = validators.usable
        self.freshness = freshness
        self.fetchedAt = header.fetchedAt
    }

    /// Decodes the fields of an object; `nil` if they are not an original's.
    init?(fields: [String: String]) {
        func text(_ name: String) -> String? {
            fields[S3Client.metadataPrefix + name].flatMap { PercentEncoding.decode($0[...]) }
        }
        func number(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }
        guard text("version") == Self.version, let id = text("id"), let location = text("location"),
            let digest = text("digest").flatMap(Digest.init(hexadecimal:)), let length = number("length"), length > 0,
            let validatedAt = number("validated-at"), let lifetime = number("lifetime"),
            let fetchedAt = number("fetched-at"), fetchedAt >= 0, validatedAt >= 0
        else { return nil }
        self.id = id
        self.location = location
        self.digest = digest
        self.length = Int(length)
        self.validators = Validators(etag: text("etag"), lastModified: text("last-modified")).usable
        self.freshness = Freshness(validatedAt: validatedAt, lifetime: lifetime)
        self.fetchedAt = fetchedAt
    }

    /// Whether it belongs to this original from this location.
    func isOf(_ id: PosterID, from location: OriginalLocation) -> Bool {
        self.id == Self.bounded(id.description) && self.location == Self.bounded(location.identity)
    }

    /// Names without the prefix, and values of printable ASCII.
    var fields: [(name: String, value: String)] {
        var fields = [
            ("version", Self.version), ("id", Self.encoded(self.id)), ("location", Self.encoded(self.location)),
            ("digest", self.digest.description), ("length", "\(self.length)"), ("fetched-at", "\(self.fetchedAt)"),
            ("validated-at", "\(self.freshness.validatedAt)"), ("lifetime", "\(self.freshness.lifetime)"),
        ]
        if let etag = self.validators.etag.map(Self.encoded), etag.utf8.count <= Self.textLimit {
            fields.append(("etag", etag))
        }
        if let date = self.validators.lastModified.map(Self.encoded), date.utf8.count <= Self.textLimit {
            fields.append(("last-modified", date))
        }
        return fields
    }

    private static func bounded(_ text: String) -> String {
        self.encoded(text).utf8.count <= self.textLimit ? text : "sha256:\(Digest(of: text))"
    }

    /// Percent-encodes all but printable ASCII: fields do not preserve spaces.
    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                bytes.append(byte)
            } else {
                PercentEncoding.append(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
