import PosterCodec
import PosterOrigins
package import PosterPipeline

/// The location of a variant: a hash per poster, so that one command removes all of a poster's variants, and a field
/// that begins with the digest of its original.
package struct RedisVariantName: Hashable, Sendable {
    /// The hash `PREFIXv:{SOURCE-POSTER}`, with hexadecimal digests; the braces keep a poster's keys on one node of a
    /// cluster.
    package let key: String
    /// `ORIGINAL:VARIANT:VERSION`: while a service is updated, two versions of the codec have separate fields.
    package let field: String

    package init(_ key: VariantKey, prefix: String) {
        self.key = Self.key(of: key.id, prefix: prefix)
        let version = UInt64(VariantFileName.version(of: key)).hexadecimal(digits: 8)
        self.field = "\(Self.fieldStart(key.digest))\(VariantID(key).text):\(version)"
    }

    /// The field of a variant encoded for a waiting request.
    var firstField: String { self.field + ":first" }
    /// The field of a re-encoded variant.
    var refinedField: String { self.field + ":refined" }

    static func key(of id: PosterID, prefix: String) -> String {
        "\(Self.start(prefix: prefix))\(Self.text(VariantOwner.source(id.source)))-\(Self.text(VariantOwner.poster(id)))}"
    }

    /// The prefix of all fields of an original's variants.
    static func fieldStart(_ digest: Digest) -> String { Self.text(VariantOwner.original(digest)) + ":" }

    /// A `SCAN` pattern for all posters of a source, or of all sources if `nil`.
    static func pattern(source: String?, prefix: String) -> String {
        // Escapes wildcard characters in the operator's prefix.
        var pattern = ""
        for character in Self.start(prefix: prefix) {
            if "*?[]\\^".contains(character) { pattern.append("\\") }
            pattern.append(character)
        }
        if let source { pattern += Self.text(VariantOwner.source(source)) + "-" }
        return pattern + "*"
    }

    private static func start(prefix: String) -> String { prefix + "v:{" }

    private static func text(_ number: UInt64) -> String { number.hexadecimal(digits: 16) }
}
