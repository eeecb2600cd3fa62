/// Returns the first pages of all lists, requested concurrently; a list that fails does not fail the others.
package struct ShowHome: Sendable {
    /// One list: its first page, or why it failed.
    package struct Section: Sendable {
        package let list: MovieList
        /// Its first page, or why it failed.
        package let movies: Result<Page<MovieSummary>, SourceFailure>
    }

    private let catalogue: any MovieCatalogue

    package init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Parameter region: Where the films are shown; nil for the source's own choice.
    /// - Returns: In the order of ``MovieList``.
    /// - Throws: The first list's ``SourceFailure`` when all lists fail; `CancellationError`.
    package func callAsFunction(language: LanguagePreference, region: Country? = nil) async throws -> [Section] {
        let catalogue = self.catalogue
        let sections = try await withThrowingTaskGroup(of: Section.self) { group in
            for list in MovieList.allCases {
                group.addTask { try await Self.section(list, of: catalogue, language: language, region: region) }
            }
            var sections: [MovieList: Section] = [:]
            for try await section in group { sections[section.list] = section }
            return MovieList.allCases.compactMap { sections[$0] }
        }
        let failures = sections.compactMap { section in
            if case .failure(let failure) = section.movies { failure } else { nil }
        }
        if let first = failures.first, failures.count == sections.count { throw first }
        return sections
    }

    private static func section(
        _ list: MovieList, of catalogue: any MovieCatalogue, language: LanguagePreference, region: Country?
    ) async throws -> Section {
        do {
            let page = try await catalogue.list(list, page: 1, language: language, region: region)
            return Section(list: list, movies: .success(page))
        } catch let failure as SourceFailure {
            return Section(list: list, movies: .failure(failure))
        }
    }
}
