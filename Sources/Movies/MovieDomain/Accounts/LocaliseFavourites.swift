/// Returns favourites in the language of a request. Summaries in other languages are requested again, from the
/// counterpart's source if the film has one; the stored ones do not change.
package struct LocaliseFavourites: Sendable {
    package static let atOnce = 8

    private let films: FavouriteFilms

    /// - Parameter identities: Finds counterparts of films at other sources; `nil` disables it.
    package init(sources: MovieRepositories, identities: FilmIdentities? = nil) {
        self.films = FavouriteFilms(sources: sources, identities: identities)
    }

    /// Keeps the order. If a source fails, times out or has removed the film, the stored summary is returned with
    /// localised genres only.
    ///
    /// - Throws: `CancellationError`.
    package func callAsFunction(
        _ favourites: [Favourite], language: LanguagePreference
    ) async throws -> [Favourite] {
        var shown = favourites
        try await withThrowingTaskGroup(of: (Int, Favourite).self) { group in
            var addedCount = 0
            for (index, favourite) in favourites.enumerated() where favourite.language != language.first {
                if addedCount >= Self.atOnce, let (done, localised) = try await group.next() {
                    shown[done] = localised
                }
                group.addTask { (index, try await self.localised(favourite, language)) }
                addedCount += 1
            }
            for try await (done, localised) in group { shown[done] = localised }
        }
        return shown
    }

    private func localised(_ favourite: Favourite, _ language: LanguagePreference) async throws -> Favourite {
        do {
            // The stored summary is an acceptable fallback: the wait is bounded.
            let movie = try await Supplement.ask {
                try await self.films.summary(of: favourite.movie.id, stored: favourite.movie, language: language)
            }
            if let movie {
                return Favourite(movie: movie, addedAt: favourite.addedAt, language: language.first)
            }
        } catch is SourceFailure {
            // Stored favourites do not depend on their sources; the source's client records its failures itself.
        }
        var stored = favourite
        stored.movie.genres = favourite.movie.genres.map { genre in
            genre.id.name(in: language.first).map { Genre(id: genre.id, name: $0) } ?? genre
        }
        return stored
    }
}

/// Requests summaries of films, joined with their counterparts.
struct FavouriteFilms: Sendable {
    let sources: MovieRepositories
    let identities: FilmIdentities?

    /// The film's summary, joined with its counterpart's if that is available in time.
    ///
    /// - Parameter stored: The known summary; with a counterpart's texts, the film's own source is not requested.
    /// - Returns: `nil` if the film's source has no film of this id.
    func summary(
        of id: MovieID, stored: MovieSummary? = nil, language: LanguagePreference
    ) async throws -> MovieSummary? {
        let counterpart = try await self.counterpart(of: id, language)
        // Of the own texts of a linked film, only the Korean title is used.
        if let stored, let counterpart, language.first != .korean {
            return stored.joined(with: counterpart.summary, in: language)
        }
        let own = try await self.sources.repository(of: id.source).movie(id, language: language)
        guard let own, let counterpart else { return own?.summary }
        return own.joined(with: counterpart, in: language).summary
    }

    private func counterpart(of id: MovieID, _ language: LanguagePreference) async throws -> Movie? {
        guard let other = try await self.identities?.storedLink(of: id)?.counterpart else { return nil }
        do {
            let repository = try self.sources.repository(of: other.source)
            return try await Supplement.ask { try await repository.movie(other, language: language) }
        } catch is SourceFailure {
            // The film's own source suffices.
            return nil
        }
    }
}
