import PosterCodec
import PosterOrigins
package import PosterPipeline

/// Where a variant is: in a hash of its poster, so that a poster's variants go with one command, under a field that begins with
/// the bytes of its original.
package struct RedisVariantName: Hashable, Sendable {
    /// The hash: `PREFIXv:{SOURCE-POSTER}`, digests in hexadecimal; the braces keep a poster's keys on one node of a cluster.
    package let key: String
    /// `ORIGINAL:VARIANT:VERSION`: of two versions of the codec, as while a service is updated, each has its own.
    package let field: String

    package init(_ key: VariantKey, prefix: String) {
        self.key = Self.key(of: key.id, prefix: prefix)
        let version = UInt64(VariantFileName.currentVersion).hexadecimal(digits: 8)
        self.field = "\(Self.fieldStart(key.digest))\(VariantID(key).text):\(version)"
    }

    /// Of what was encoded for a request that waited.
    var firstField: String { self.field + ":first" }
    /// Of what was encoded again.
    var refinedField: String { self.field + ":refined" }

    /// The hash of a poster.
    static func key(of id: PosterID, prefix: String) -> String {
        "\(Self.start(prefix: prefix))\(Self.text(VariantOwner.source(id.source)))-\(Self.text(VariantOwner.poster(id)))}"
    }

    /// What the fields of variants of these bytes begin with.
    static func fieldStart(_ digest: Digest) -> String { Self.text(VariantOwner.original(digest)) + ":" }

    /// A pattern of `SCAN` for all posters of a source; of all sources when nil.
    static func pattern(source: String?, prefix: String) -> String {
        // What would be a wildcard in the operator's prefix stands for itself.
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
