/// Returns favourites in the language of a request. Those that are stored in another one are requested from their sources, a film with a
/// counterpart at another source from that, but not stored anew.
package struct LocaliseFavourites: Sendable {
    /// The most films that are requested at once.
    package static let atOnce = 8

    private let films: FavouriteFilms

    /// - Parameter identities: Knows counterparts of films; nil for none.
    package init(sources: MovieRepositories, identities: FilmIdentities? = nil) {
        self.films = FavouriteFilms(sources: sources, identities: identities)
    }

    /// In the same order. One whose source fails, is late or no longer has the film is as stored, but for the names of genres.
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
            // A page of favourites is complete enough without it: it is waited for only a short time.
            let movie = try await Supplement.ask {
                try await self.films.summary(of: favourite.movie.id, stored: favourite.movie, language: language)
            }
            if let movie {
                return Favourite(movie: movie, addedAt: favourite.addedAt, language: language.first)
            }
        } catch is SourceFailure {
            // Favourites are stored to be shown without their source, which records its failures itself.
        }
        var stored = favourite
        stored.movie.genres = favourite.movie.genres.map { genre in
            genre.id.name(in: language.first).map { Genre(id: genre.id, name: $0) } ?? genre
        }
        return stored
    }
}

/// Requests films for favourites, with what is known of them at another source.
struct FavouriteFilms: Sendable {
    let sources: MovieRepositories
    /// nil for none.
    let identities: FilmIdentities?

    /// A film of its own source, joined with its counterpart unless that cannot be had.
    ///
    /// - Parameter stored: What is already known; its source is not asked for what the counterpart replaces.
    /// - Returns: nil when its source has none of that id.
    func summary(
        of id: MovieID, stored: MovieSummary? = nil, language: LanguagePreference
    ) async throws -> MovieSummary? {
        let counterpart = try await self.counterpart(of: id, language)
        // Of a linked film's own texts, only the Korean title is shown.
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
            // The film's own source describes it, too.
            return nil
        }
    }
}
