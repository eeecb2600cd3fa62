/// Films of a list as files for spreadsheets and for Letterboxd's importer.
package struct ExportedFilms: Sendable {
    /// A film, and its id at TMDB if that is known.
    package struct Row: Hashable, Sendable {
        package let film: SavedFilm
        /// Digits.
        package let tmdbID: String?
        /// An IMDb title, such as `tt0133093`.
        package let imdbID: String?

        init(_ film: SavedFilm, counterpart: MovieID?) {
            let ids = [film.movie.id, counterpart].compactMap(\.self)
            self.film = film
            self.tmdbID = ids.first { $0.source == .tmdb }?.key
            self.imdbID = ids.first { $0.source == .omdb }?.key
        }
    }

    package let rows: [Row]
    /// Whether the list has no more films.
    package let isComplete: Bool

    package static let none = ExportedFilms(rows: [], isComplete: true)

    private static let columns = [
        "id", "tmdbID", "imdbID", "title", "originalTitle", "year", "directors", "score", "addedAt",
    ]

    /// A table with a row of headings. Cells that begin like formulas get an apostrophe, which imports remove.
    package var csv: String {
        let rows = self.rows.map { row in
            let movie = row.film.movie
            return [
                movie.id.description, row.tmdbID ?? "", row.imdbID ?? "", movie.title, movie.originalTitle,
                movie.year.map(String.init) ?? "", movie.directors.joined(separator: ", "),
                movie.score.map { "\($0.average)" } ?? "", row.film.addedAt?.description ?? "",
            ].map(CSV.guarded)
        }
        return ([Self.columns] + rows).map(CSV.line).joined()
    }

    /// The format of https://letterboxd.com/about/importing-data/.
    ///
    /// Titles are not guarded against formulas: the importer would look for titles with an apostrophe.
    package var letterboxd: String {
        let rows = self.rows.map { row in
            let movie = row.film.movie
            return [
                row.tmdbID ?? "", row.imdbID ?? "", movie.title, movie.year.map(String.init) ?? "",
                movie.directors.joined(separator: ", "),
            ]
        }
        return ([["tmdbID", "imdbID", "Title", "Year", "Directors"]] + rows).map(CSV.line).joined()
    }
}

extension SavedFilms {
    /// The films of a list within the limits of ``whole(language:for:)``.
    ///
    /// - Throws: ``SourceFailure``, ``AccountFailure``, ``StorageFailure``, `CancellationError`.
    package func export(
        language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> ExportedFilms {
        let whole = try await self.whole(language: language, for: holder)
        let counterparts = try await self.identities?.storedCounterparts(of: whole.films.map(\.movie.id)) ?? [:]
        return ExportedFilms(
            rows: whole.films.map { ExportedFilms.Row($0, counterpart: counterparts[$0.movie.id]) },
            isComplete: whole.isComplete)
    }
}
