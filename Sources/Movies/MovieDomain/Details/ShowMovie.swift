/// A film that its source does not have.
package struct UnknownMovie: Error, Hashable, Sendable {
    package let id: MovieID

    package init(_ id: MovieID) {
        self.id = id
    }
}

/// Returns a film with everything its source has in one answer, completed from its counterpart and a source of scores; and its
/// credits, reviews and similar films, which are the counterpart's.
package struct ShowMovie: Sendable {
    private let sources: MovieRepositories
    private let supplements: (any SupplementRepository)?
    private let identities: FilmIdentities?

    /// - Parameters:
    ///   - supplements: Completes films that have an IMDb title; nil for none.
    ///   - identities: Knows counterparts of films; nil for none.
    package init(
        sources: MovieRepositories, supplements: (any SupplementRepository)? = nil, identities: FilmIdentities? = nil
    ) {
        self.sources = sources
        self.supplements = supplements
        self.identities = identities
    }

    /// A counterpart or supplement that fails, or does not come in time, is listed in ``MovieDetails/missing``; it does not fail the film.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(_ id: MovieID, language: LanguagePreference) async throws -> MovieDetails {
        try await self.supplemented(self.joined(id, language: language))
    }

    /// A film completed from its counterpart alone: for facts that no source of scores has.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func joined(_ id: MovieID, language: LanguagePreference) async throws -> MovieDetails {
        let link = try await self.identities?.storedLink(of: id)
        async let known = self.counterpart(link, language: language)
        let own = try await self.find(id) { try await $0.movie(id, language: language) }
        var counterpart = try await known
        // The search uses the titles of the film itself, which is stored now.
        if link == nil { counterpart = try await self.searchedCounterpart(of: id, language: language) }
        return MovieDetails(own, counterpart: counterpart, in: language)
    }

    /// The complete cast and crew of a film: the counterpart's, else its own.
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
            // Its own source has credits too.
        }
        return Sourced(
            try await self.find(id) { try await $0.credits(of: id, language: language) }, from: id.source)
    }

    /// A page of the reviews of a film, the latest first: the counterpart's, if it has one.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func reviews(
        of id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Sourced<Page<Review>> {
        try await self.findAtCounterpart(of: id) { try await $0.reviews(of: $1, page: page, language: language) }
    }

    /// A page of films similar to another: the counterpart's, if it has one.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Sourced<Page<MovieSummary>> {
        try await self.findAtCounterpart(of: id) { try await $0.similar(to: $1, page: page, language: language) }
    }

    /// A film's trailers and the like, the best for the languages first: the counterpart's, if it has one.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func videos(of id: MovieID, language: LanguagePreference) async throws -> Sourced<[Video]> {
        let found = try await self.findAtCounterpart(of: id) { try await $0.videos(of: $1, language: language) }
        return Sourced(Video.ranked(found.value, for: language), from: found.source)
    }

    /// All pictures of a film: the counterpart's, if it has any, else its own. Those of a film that has some of its own do not fail with the
    /// counterpart's (``FilmImages/missing``).
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

    /// A page of films that those who like another like too: the counterpart's, if it has one.
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

    /// Where a film can be watched: the counterpart's offers, if it has one.
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

    /// What a film's own source has not at all: a failure of the counterpart's is the answer, rather than nothing.
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
            // As without a counterpart.
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

    private func supplemented(_ details: MovieDetails) async throws -> MovieDetails {
        guard let imdbID = details.movie.imdbID, let supplements, supplements.source != details.movie.id.source else {
            return details
        }
        var details = details
        do {
            if let supplement = try await Supplement.ask({ try await supplements.supplement(imdbID: imdbID) }) {
                details.movie = details.movie.adding(supplement)
                details.sources.append(supplements.source)
            }
        } catch let failure as SourceFailure {
            details.missing.append(failure)
        }
        return details
    }
}

/// What the source of a film's counterpart answered.
struct CounterpartAnswer: Sendable {
    var link: FilmLink?
    /// nil when there is none, or its source has it no more, is off, or failed.
    var movie: Movie?
    var failure: SourceFailure?
}
