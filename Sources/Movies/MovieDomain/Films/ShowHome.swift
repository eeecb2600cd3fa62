/// Returns the first page of every list, requested concurrently; the failure of a list does not affect the others.
package struct ShowHome: Sendable {
    package struct Section: Sendable {
        package let list: MovieList
        package let movies: Result<Page<MovieSummary>, SourceFailure>
    }

    private let catalogue: any MovieCatalogue

    package init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Parameter region: The region of the showings; `nil` for the source's default.
    /// - Returns: The sections in the order of ``MovieList``.
    /// - Throws: The first list's ``SourceFailure`` if all lists fail; `CancellationError`.
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
