/// Returns a page of one of the catalogue's lists.
package struct ShowMovieList: Sendable {
    private let catalogue: any MovieCatalogue

    package init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Parameter page: From 1 to the catalogue's ``MovieCatalogue/pageLimit``; pages after the last are empty.
    package func callAsFunction(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.catalogue.list(list, page: page, language: language)
    }
}

/// Returns the first pages of all lists, requested concurrently; a list that fails does not fail the others.
package struct ShowHome: Sendable {
    /// One list: its first page, or why it failed.
    package struct Section: Sendable {
        package let list: MovieList
        /// Its first page, or why it failed.
        package let movies: Result<Page<MovieSummary>, SourceFailure>

        package init(list: MovieList, movies: Result<Page<MovieSummary>, SourceFailure>) {
            self.list = list
            self.movies = movies
        }
    }

    private let catalogue: any MovieCatalogue

    package init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Returns: In the order of ``MovieList``.
    /// - Throws: The first list's ``SourceFailure`` when all lists fail; `CancellationError`.
    package func callAsFunction(language: LanguagePreference) async throws -> [Section] {
        let catalogue = self.catalogue
        let sections = try await withThrowingTaskGroup(of: Section.self) { group in
            for list in MovieList.allCases {
                group.addTask { try await Self.section(list, of: catalogue, language: language) }
            }
            var sections: [MovieList: Section] = [:]
            for try await section in group { sections[section.list] = section }
            return MovieList.allCases.compactMap { sections[$0] }
        }
        let failures = sections.compactMap(\.failure)
        if let first = failures.first, failures.count == sections.count { throw first }
        return sections
    }

    private static func section(
        _ list: MovieList, of catalogue: any MovieCatalogue, language: LanguagePreference
    ) async throws -> Section {
        do {
            return Section(list: list, movies: .success(try await catalogue.list(list, page: 1, language: language)))
        } catch let failure as SourceFailure {
            return Section(list: list, movies: .failure(failure))
        }
    }
}

extension ShowHome.Section {
    fileprivate var failure: SourceFailure? {
        switch self.movies {
        case .success: nil
        case .failure(let failure): failure
        }
    }
}

/// Returns a page of search results, the best match first.
package struct SearchMovies: Sendable {
    private let catalogue: any MovieCatalogue

    package init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Parameter page: From 1 to the catalogue's ``MovieCatalogue/pageLimit``; pages after the last are empty.
    package func callAsFunction(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.catalogue.search(query, page: page, language: language)
    }
}

/// Returns all genres of the catalogue.
package struct ShowGenres: Sendable {
    private let catalogue: any MovieCatalogue

    package init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    package func callAsFunction(language: LanguagePreference) async throws -> [Genre] {
        try await self.catalogue.genres(language: language)
    }
}
