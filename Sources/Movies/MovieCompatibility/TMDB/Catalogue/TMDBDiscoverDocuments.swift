import MovieDomain
import MovieHTTP

/// The films that pass a filter, from the domain. Reads the whole catalogue, which must be small.
struct TMDBDiscoverDocuments: Sendable {
    private static let pageSize = 20
    /// Maximum number of people in a choice; further ones are ignored.
    private static let peopleLimit = 20

    let services: MovieServices
    let numbers: TMDBNumberTable

    func document(_ request: TMDBRequest) async throws -> OrderedJSON {
        let (filter, page) = (try TMDBDiscoverFilter(request), try request.page())
        let films = filter.isEmpty ? [] : try await self.films(filter, request)
        return TMDBFilmRow.page(Page(page, of: filter.sorted(films), size: Self.pageSize))
    }

    private func films(_ filter: TMDBDiscoverFilter, _ request: TMDBRequest) async throws -> [MovieSummary] {
        let all = try await self.services.allFilms(
            language: request.language, pageLimit: TMDBNumberTable.pageLimit)
        var films = all.filter(filter.leaves)
        for choice in filter.people {
            let ids = try await self.films(of: choice, request.language)
            films = films.filter { ids.contains($0.id) }
        }
        guard filter.countries != nil || filter.runtimes != nil else { return films }
        // Lists contain neither countries nor runtimes.
        var left: [MovieSummary] = []
        for film in films {
            let repository = try self.services.sources.repository(of: film.id.source)
            guard let movie = try await repository.movie(film.id, language: request.language) else { continue }
            let isOfCountry = filter.countries.map { !$0.isDisjoint(with: movie.countries.map(\.code)) } ?? true
            let isOfLength = filter.runtimes.map { $0.contains(movie.runtimeMinutes ?? 0) } ?? true
            if isOfCountry, isOfLength { left.append(film) }
        }
        return left
    }

    /// The films of all of the people, or of any of them.
    private func films(
        of people: TMDBDiscoverFilter.Choice, _ language: LanguagePreference
    ) async throws -> Set<MovieID> {
        var films: Set<MovieID>?
        for number in people.numbers.sorted().prefix(Self.peopleLimit) {
            let own = try await self.films(of: number, language)
            films = films.map { people.isAny ? $0.union(own) : $0.intersection(own) } ?? own
        }
        return films ?? []
    }

    /// The films of a person; empty if the person is unknown.
    private func films(of number: Int, _ language: LanguagePreference) async throws -> Set<MovieID> {
        guard let id = try await self.numbers.person(number) else { return [] }
        return Set(try await self.services.showPerson(id, language: language).films.map(\.movie.id))
    }
}
