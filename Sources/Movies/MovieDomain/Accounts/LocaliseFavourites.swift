/// Returns favourites in the language of a request. Those that are stored in another one are requested from their sources, but
/// not stored anew.
package struct LocaliseFavourites: Sendable {
    /// The most films that are requested at once.
    package static let atOnce = 8

    private let sources: MovieRepositories

    package init(sources: MovieRepositories) {
        self.sources = sources
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
        let id = favourite.movie.id
        do {
            let repository = try self.sources.repository(of: id.source)
            // A page of favourites is complete enough without it: it is waited for only a short time.
            let found = try await Supplement.ask { try await repository.movie(id, language: language) }
            if let found {
                return Favourite(movie: found.summary, addedAt: favourite.addedAt, language: language.first)
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
