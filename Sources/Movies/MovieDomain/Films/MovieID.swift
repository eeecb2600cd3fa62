/// The id of a film: a source and its key, written as `tmdb:603`; a key without a source, such as `nosferatu-1922`, is
/// an id of the embedded catalogue.
package struct MovieID: Hashable, Sendable, LosslessStringConvertible {
    /// The maximal length of a key in bytes.
    package static let maxKeyLength = 64

    /// The source of the key, which has films of its own: ``MovieSource/hasFilms``.
    package let source: MovieSource
    /// TMDB and iTunes: digits; KOBIS and KMDb: letters and digits; OMDb: an IMDb title; embedded catalogue: lower-case letters,
    /// digits and hyphens.
    package let key: String

    /// - Returns: `nil` if the key is invalid for the source.
    package init?(source: MovieSource, key: String) {
        guard (1...Self.maxKeyLength).contains(key.utf8.count), Self.isKey(key, of: source) else { return nil }
        self.source = source
        self.key = key
    }

    /// Reads `source:key` or `key`.
    package init?(_ description: String) {
        guard let written = SourceKey(description) else { return nil }
        self.init(source: written.source, key: written.key)
    }

    /// The shortest form that is read back as this id.
    package var description: String { SourceKey(self.source, self.key).description }

    private static func isKey(_ key: String, of source: MovieSource) -> Bool {
        let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
        let isSmall = { (byte: UInt8) in (97...122).contains(byte) }
        switch source {
        case .tmdb, .itunes: return SourceKey(source, key).isNumber
        case .kobis, .kmdb:
            return key.utf8.count <= 32 && key.utf8.allSatisfy { isDigit($0) || isSmall($0) || (65...90).contains($0) }
        case .omdb:
            return key.hasPrefix("tt") && (3...14).contains(key.utf8.count) && key.utf8.dropFirst(2).allSatisfy(isDigit)
        case .embedded: return SourceKey(source, key).isSlug
        case .mdblist, .kakao: return false
        }
    }
}
