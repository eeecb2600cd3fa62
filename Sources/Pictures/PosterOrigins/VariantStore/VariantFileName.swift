package import PosterCodec
package import PosterPipeline

/// Identifies a stored variant by ``VariantKey/fingerprint``. Two keys may collide by accident or by intent; one file
/// then replaces the other, and its header contains the whole key.
package struct VariantID: Hashable, Sendable {
    private let fingerprint: UInt64

    package init(_ key: VariantKey) { self.fingerprint = key.fingerprint }

    /// - Parameter text: In the form of ``text``; the result is `nil` otherwise.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16, let fingerprint = UInt64(text, radix: 16) else { return nil }
        self.fingerprint = fingerprint
    }

    /// 16 hexadecimal digits.
    package var text: String { self.fingerprint.hexadecimal(digits: 16) }

    var folder: UInt8 { UInt8(truncatingIfNeeded: self.fingerprint >> 56) }
}

/// Identifies variants for removal, by truncated digests: a collision costs a render.
package struct VariantOwner: Hashable, Sendable {
    /// The truncated digest of the poster's id.
    package let poster: UInt64
    /// The truncated digest of the source's name.
    package let source: UInt64
    /// The truncated digest of the original's bytes.
    package let original: UInt64

    package init(_ id: PosterID, digest: Digest) {
        self.init(poster: Self.poster(id), source: Self.source(id.source), original: Self.original(digest))
    }

    fileprivate init(poster: UInt64, source: UInt64, original: UInt64) {
        (self.poster, self.source, self.original) = (poster, source, original)
    }

    package static func poster(_ id: PosterID) -> UInt64 { Digest(of: id.description).start }
    package static func source(_ name: String) -> UInt64 { Digest(of: name).start }
    package static func original(_ digest: Digest) -> UInt64 { digest.start }
}

/// The name of a variant's file. It contains everything needed to find, count, evict and remove the file, so that a
/// list of names is an index.
///
/// `KEY-POSTER-SOURCE-ORIGINAL-VERSION-EFFORT-MICROSECONDS-LENGTH.variant`: numbers in hexadecimal, the first five of
/// 16, 16, 16, 16 and 8 digits.
package struct VariantFileName: Hashable, Sendable {
    private static let suffix = ".variant"
    /// Maximum numbers of bytes and of microseconds in a name.
    private static let greatest = UInt64(1) << 48

    static let format: UInt16 = 1
    /// A digest of format and codec versions; files with another one are not read.
    static let currentVersion = Self.version(CodecVersion.current)

    /// A digest like ``currentVersion`` that also names the processor if the bytes depend on it, for stores of several
    /// nodes.
    package static func version(of key: VariantKey) -> UInt32 {
        let codec = key.codecVersion
        return codec == CodecVersion.current ? self.currentVersion : self.version(codec)
    }

    private static func version(_ codec: String) -> UInt32 {
        UInt32(truncatingIfNeeded: Digest(of: "\(Self.format) \(codec)").start)
    }

    let id: VariantID
    let owner: VariantOwner
    let version: UInt32
    let encoding: EncodingEffort
    /// CPU time of the render.
    let microseconds: UInt64
    /// The length of the file in bytes.
    let length: Int

    var folder: UInt8 { self.id.folder }

    var space: Int { (self.length + Self.blockLength - 1) / Self.blockLength * Self.blockLength }

    /// CPU time saved by a use, in microseconds per byte of disk.
    var worth: Double { Double(max(1, self.microseconds)) / Double(max(1, self.space)) }

    /// The assumed block size of the disk, in bytes.
    private static let blockLength = 4096

    init(_ header: VariantFileHeader, id: VariantID, owner: VariantOwner, length: Int) {
        self.id = id
        self.owner = owner
        self.version = Self.currentVersion
        self.encoding = header.encoding
        self.microseconds = min(header.cpuMicroseconds, Self.greatest)
        self.length = length
    }

    /// Parses a name; `nil` if it is not exactly in the form of ``text``.
    init?(_ text: String) {
        guard text.hasSuffix(Self.suffix) else { return nil }
        let parts = text.dropLast(Self.suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 8, let id = VariantID(parts[0]), let poster = UInt64(parts[1], radix: 16),
            let source = UInt64(parts[2], radix: 16), let original = UInt64(parts[3], radix: 16),
            let version = UInt32(parts[4], radix: 16),
            let encoding = UInt8(parts[5], radix: 16).flatMap(EncodingEffort.init(rawValue:)),
            let microseconds = UInt64(parts[6], radix: 16), microseconds <= Self.greatest,
            let length = UInt64(parts[7], radix: 16), length <= Self.greatest
        else { return nil }
        self.id = id
        self.owner = VariantOwner(poster: poster, source: source, original: original)
        self.version = version
        self.encoding = encoding
        self.microseconds = microseconds
        self.length = Int(length)
        guard self.text == text else { return nil }
    }

    var text: String {
        let numbers = [
            self.id.text, self.owner.poster.hexadecimal(digits: 16), self.owner.source.hexadecimal(digits: 16),
            self.owner.original.hexadecimal(digits: 16), UInt64(self.version).hexadecimal(digits: 8),
            String(self.encoding.rawValue, radix: 16), String(self.microseconds, radix: 16),
            String(self.length, radix: 16),
        ]
        return numbers.joined(separator: "-") + Self.suffix
    }

    /// Whether a file has the name of a variant, in any format.
    static func isVariant(_ name: String) -> Bool { name.hasSuffix(Self.suffix) }
}

extension UInt64 {
    /// Hexadecimal digits with leading zeros.
    package func hexadecimal(digits: Int) -> String {
        let text = String(self, radix: 16)
        return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}
