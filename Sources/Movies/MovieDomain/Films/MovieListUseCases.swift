/// A page of one of the catalogue's lists.
public struct ShowMovieList: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// The catalogue gave no answer.
        case source(SourceFailure)
    }

    private let catalogue: any MovieCatalogue

    /// Of this catalogue.
    public init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Parameter page: From 1 to the catalogue's limit; behind the last there is an empty one.
    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        do {
            return try await self.catalogue.list(list, page: page, language: language)
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}

/// The first pages of all lists at once. Each may fail alone.
public struct ShowHome: Sendable {
    /// Why there is nothing to show.
    public enum Failure: Error, Hashable, Sendable {
        /// No list could be had; why the first could not.
        case source(SourceFailure)
    }

    /// One list, or why it is not there.
    public struct Section: Sendable {
        /// Which one.
        public let list: MovieList
        /// Its first page.
        public let movies: Result<Page<MovieSummary>, SourceFailure>

        /// One list, or why it is not there.
        public init(list: MovieList, movies: Result<Page<MovieSummary>, SourceFailure>) {
            self.list = list
            self.movies = movies
        }
    }

    private let catalogue: any MovieCatalogue

    /// Of this catalogue.
    public init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Returns: In the order of ``MovieList``.
    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(language: LanguagePreference) async throws -> [Section] {
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
        if let first = failures.first, failures.count == sections.count { throw Failure.source(first) }
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

/// A page of what a catalogue finds.
public struct SearchMovies: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// The catalogue gave no answer.
        case source(SourceFailure)
    }

    private let catalogue: any MovieCatalogue

    /// In this catalogue.
    public init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Parameter page: From 1 to the catalogue's limit; behind the last there is an empty one.
    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        do {
            return try await self.catalogue.search(query, page: page, language: language)
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}

/// All genres that the catalogue's films may have.
public struct ShowGenres: Sendable {
    /// Why there are none.
    public enum Failure: Error, Hashable, Sendable {
        /// The catalogue gave no answer.
        case source(SourceFailure)
    }

    private let catalogue: any MovieCatalogue

    /// Of this catalogue.
    public init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(language: LanguagePreference) async throws -> [Genre] {
        do {
            return try await self.catalogue.genres(language: language)
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}
