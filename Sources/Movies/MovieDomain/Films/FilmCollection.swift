/// The id of a collection of films: a source and its key. Written `tmdb:10`.
package struct CollectionID: Hashable, Sendable, LosslessStringConvertible {
    package let source: MovieSource
    /// TMDB: digits; embedded catalogue, which has no collections: lower-case letters, digits and hyphens.
    package let key: String

    /// - Returns: nil when the source has no keys of this form.
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

/// A collection as the details of its films name it.
package struct CollectionReference: Hashable, Sendable {
    package let id: CollectionID
    /// Never empty.
    package let name: String
    /// nil for none.
    package let poster: PosterReference?
    /// nil for none.
    package let backdrop: PosterReference?

    /// - Returns: nil without a name.
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
    /// Empty when unknown.
    package let overview: String
    /// By release date, those without one last.
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

    /// A collection; nil when the source has none of that id.
    /// - Throws: ``SourceFailure`` or `CancellationError`.
    func collection(_ id: CollectionID, language: LanguagePreference) async throws -> FilmCollection?
}
