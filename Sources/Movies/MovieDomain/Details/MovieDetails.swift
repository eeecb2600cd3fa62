/// A film and the sources that contributed to it.
package struct MovieDetails: Hashable, Sendable {
    package internal(set) var movie: Movie
    /// The film's own source first.
    package internal(set) var sources: [MovieSource]
    /// Failures of sources, which therefore did not contribute.
    package internal(set) var missing: [SourceFailure] = []
    /// The film's id at another source; `nil` if unknown.
    package internal(set) var link: FilmLink?
    /// The id of the gallery's film: the film itself or its counterpart.
    package internal(set) var galleryID: MovieID

    init(_ own: Movie, counterpart: CounterpartAnswer, in language: LanguagePreference) {
        self.movie = own
        self.sources = [own.id.source]
        self.missing = [counterpart.failure].compactMap { $0 }
        self.link = counterpart.link
        self.galleryID = own.id
        guard let other = counterpart.movie else { return }
        self.movie = own.joined(with: other, in: language)
        if !self.sources.contains(other.id.source) { self.sources.append(other.id.source) }
        if !other.gallery.isEmpty { self.galleryID = other.id }
    }

    /// Replaces the age rating, which the language determines, by the region's if that is known.
    package func rated(in region: Country?) -> MovieDetails {
        guard let region, let certificate = self.movie.certificate(in: region) else { return self }
        var details = self
        details.movie.certificate = certificate
        return details
    }
}

/// All pictures of a film.
package struct FilmImages: Hashable, Sendable {
    /// The film of the pictures; ``FilmImage/place`` refers to its gallery.
    package let id: MovieID
    package let images: [FilmImage]
    /// Failures of sources that may have further pictures.
    package internal(set) var missing: [SourceFailure] = []
}

/// A value and its source.
package struct Sourced<Value: Sendable>: Sendable {
    package let value: Value
    package let source: MovieSource

    package init(_ value: Value, from source: MovieSource) {
        self.value = value
        self.source = source
    }
}
