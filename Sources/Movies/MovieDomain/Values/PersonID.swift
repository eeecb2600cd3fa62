/// The id of a person: a source and its key, written as `tmdb:31`; a key without a source, such as `fritz-lang`, is an
/// id of the embedded catalogue.
package struct PersonID: Hashable, Sendable, LosslessStringConvertible {
    /// TMDB or the embedded catalogue; no other source has people by id.
    package let source: MovieSource
    /// TMDB: digits; embedded catalogue: lower-case letters, digits and hyphens.
    package let key: String

    /// - Returns: `nil` if the key is invalid for the source.
    package init?(source: MovieSource, key: String) {
        guard SourceKey(source, key).isOfCatalogue else { return nil }
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
}
