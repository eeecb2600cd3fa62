/// A film that its source does not have.
package struct UnknownMovie: Error, Hashable, Sendable {
    package let id: MovieID

    package init(_ id: MovieID) {
        self.id = id
    }
}

/// Returns a film's details, completed from its counterpart and sources of scores; and its credits, reviews and
/// similar films, preferably from the counterpart.
package struct ShowMovie: Sendable {
    private let sources: MovieRepositories
    /// In order of precedence.
    let supplements: [any SupplementRepository]
    private let identities: FilmIdentities?

    /// - Parameters:
    ///   - supplements: Complete films with an IMDb title, in order of precedence; none by default.
    ///   - identities: Finds counterparts of films; `nil` disables it.
    package init(
        sources: MovieRepositories, supplements: [any SupplementRepository] = [], identities: FilmIdentities? = nil
    ) {
        self.sources = sources
        self.supplements = supplements
        self.identities = identities
    }

    /// If the counterpart or a supplement fails or times out, its failure is listed in ``MovieDetails/missing``; the
    /// call does not fail.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(_ id: MovieID, language: LanguagePreference) async throws -> MovieDetails {
        try await self.supplemented(self.joined(id, language: language))
    }

    /// A film completed from its counterpart only, without the sources of scores.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func joined(_ id: MovieID, language: LanguagePreference) async throws -> MovieDetails {
        let link = try await self.identities?.storedLink(of: id)
        async let known = self.counterpart(link, language: language)
        let own = try await self.find(id) { try await $0.movie(id, language: language) }
        var counterpart = try await known
        // The search uses the titles of the film itself, which the source's client has just stored.
        if link == nil { counterpart = try await self.searchedCounterpart(of: id, language: language) }
        return MovieDetails(own, counterpart: counterpart, in: language)
    }

    /// The complete cast and crew of a film, taken from its counterpart at another source if that has a cast, else from
    /// the film's own source.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Sourced<Credits> {
        do {
            let link = try await Supplement.ask { try await self.identities?.link(of: id) }
            if let link {
                let other = link.counterpart
                let repository = try self.sources.repository(of: other.source)
                let credits = try await Supplement.ask { try await repository.credits(of: other, language: language) }
                if let credits, !credits.cast.isEmpty { return Sourced(credits, from: other.source) }
            }
        } catch is SourceFailure {
            // The film's own source has credits, too.
        }
        return Sourced(
            try await self.find(id) { try await $0.credits(of: id, language: language) }, from: id.source)
    }

    /// A page of a film's reviews, the latest first; the counterpart's if there is one.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func reviews(
        of id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Sourced<Page<Review>> {
        try await self.findAtCounterpart(of: id) { try await $0.reviews(of: $1, page: page, language: language) }
    }

    /// A page of films similar to another; the counterpart's if there is one.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Sourced<Page<MovieSummary>> {
        try await self.findAtCounterpart(of: id) { try await $0.similar(to: $1, page: page, language: language) }
    }

    /// A film's trailers and other videos, the best for the languages first; the counterpart's if there is one.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func videos(of id: MovieID, language: LanguagePreference) async throws -> Sourced<[Video]> {
        let found = try await self.findAtCounterpart(of: id) { try await $0.videos(of: $1, language: language) }
        return Sourced(Video.ranked(found.value, for: language), from: found.source)
    }

    /// All pictures of a film: the counterpart's, or the film's own if that has none. If the counterpart's source
    /// fails, the film's own pictures are returned, if any, with the failure in ``FilmImages/missing``.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func images(of id: MovieID) async throws -> FilmImages {
        let own = { try await self.find(id) { try await $0.images(of: id) } }
        do {
            let film = try await self.findAtCounterpart(of: id) { repository, id in
                try await repository.images(of: id).map { FilmImages(id: id, images: $0) }
            }
            guard film.value.images.isEmpty, film.source != id.source else { return film.value }
            return FilmImages(id: id, images: try await own())
        } catch let failure as SourceFailure where failure.source != id.source {
            let images = try await own()
            guard !images.isEmpty else { throw failure }
            return FilmImages(id: id, images: images, missing: [failure])
        }
    }

    /// A page of films recommended to those who like another; the counterpart's if there is one.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func recommendations(
        for id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Sourced<Page<MovieSummary>> {
        try await self.findAtCounterpart(of: id) {
            try await $0.recommendations(for: $1, page: page, language: language)
        }
    }

    /// Where a film can be watched; the counterpart's offers if there is one.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func offers(of id: MovieID) async throws -> Sourced<FilmOffers> {
        try await self.findAtCounterpart(of: id) { try await $0.offers(of: $1) }
    }

    private func find<Value: Sendable>(
        _ id: MovieID, _ lookUp: (any MovieRepository) async throws -> Value?
    ) async throws -> Value {
        guard let value = try await lookUp(try self.sources.repository(of: id.source)) else { throw UnknownMovie(id) }
        return value
    }

    /// Looks up a value at the counterpart's source, else at the film's own, which usually has none: a failure of the
    /// counterpart's source is thrown, not replaced by an empty value.
    private func findAtCounterpart<Value: Sendable>(
        of id: MovieID, _ lookUp: (any MovieRepository, MovieID) async throws -> Value?
    ) async throws -> Sourced<Value> {
        do {
            if let other = try await self.identities?.link(of: id)?.counterpart,
                let value = try await lookUp(try self.sources.repository(of: other.source), other)
            {
                return Sourced(value, from: other.source)
            }
        } catch SourceFailure.off {
            // Treated as if there were no counterpart.
        }
        return Sourced(try await self.find(id) { try await lookUp($0, id) }, from: id.source)
    }
}

extension ShowMovie {
    private func searchedCounterpart(of id: MovieID, language: LanguagePreference) async throws -> CounterpartAnswer {
        do {
            let link = try await Supplement.ask { try await self.identities?.link(of: id) }
            return try await self.counterpart(link, language: language)
        } catch let failure as SourceFailure {
            return CounterpartAnswer(failure: failure)
        }
    }

    private func counterpart(_ link: FilmLink?, language: LanguagePreference) async throws -> CounterpartAnswer {
        guard let link else { return CounterpartAnswer() }
        do {
            let repository = try self.sources.repository(of: link.counterpart.source)
            let movie = try await Supplement.ask { try await repository.movie(link.counterpart, language: language) }
            return CounterpartAnswer(link: link, movie: movie)
        } catch SourceFailure.off {
            return CounterpartAnswer(link: link)
        } catch let failure as SourceFailure {
            return CounterpartAnswer(link: link, failure: failure)
        }
    }
}

/// The response of the source of a film's counterpart.
struct CounterpartAnswer: Sendable {
    var link: FilmLink?
    /// `nil` if there is no counterpart, or its source has removed it, is off, or failed.
    var movie: Movie?
    var failure: SourceFailure?
}
