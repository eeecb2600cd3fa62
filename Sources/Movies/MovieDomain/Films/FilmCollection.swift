/// The id of a collection of films: a source and its key, written as `tmdb:10`.
package struct CollectionID: Hashable, Sendable, LosslessStringConvertible {
    package let source: MovieSource
    /// TMDB: digits; embedded catalogue (which has no collections): lower-case letters, digits and hyphens.
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

/// A collection's id, name and pictures, as in the details of its films.
package struct CollectionReference: Hashable, Sendable {
    package let id: CollectionID
    /// Never empty.
    package let name: String
    package let poster: PosterReference?
    package let backdrop: PosterReference?

    /// - Returns: `nil` if the name is empty.
    package init?(id: CollectionID, name: String, poster: PosterReference? = nil, backdrop: PosterReference? = nil) {
        guard !name.isEmpty else { return nil }
        self.id = id
        self.name = name
        self.poster = poster
        self.backdrop = backdrop
    }
}

/// A collection with its films, such as a film and its sequels.
package struct FilmCollection: Hashable, Sendable {
    package let reference: CollectionReference
    /// Empty if unknown.
    package let overview: String
    /// By release date, undated films last.
    package let films: [MovieSummary]

    /// - Parameter films: In any order.
    package init(_ reference: CollectionReference, overview: String = "", films: [MovieSummary]) {
        self.reference = reference
        self.overview = overview
        let day = { (film: MovieSummary) in
            (film.releaseDate ?? film.year.flatMap { CalendarDate(year: $0, month: 12, day: 31) })?.dayNumber ?? .max
        }
        self.films = films.enumerated().sorted { (day($0.element), $0.offset) < (day($1.element), $1.offset) }
            .map(\.element)
    }
}

/// A source of collections of films.
package protocol FilmCollectionRepository: Sendable {
    /// The source of the collections; only ids of this source may be passed.
    var source: MovieSource { get }

    /// - Returns: `nil` if the source has no collection of this id.
    /// - Throws: ``SourceFailure`` or `CancellationError`.
    func collection(_ id: CollectionID, language: LanguagePreference) async throws -> FilmCollection?
}
