import MovieDomain
import MovieHTTP

/// Documents made from the domain, used without a key of The Movie Database.
struct TMDBCatalogueDocuments: Sendable {
    let services: MovieServices
    let numbers: TMDBNumberTable
    let timeZones: TMDBTimeZones

    /// - Parameter imageBase: The URL of this server's images, with a trailing slash.
    /// - Throws: ``TMDBFault``, and the domain's errors.
    func document(
        _ resource: TMDBResource, for request: TMDBRequest, imageBase: String
    ) async throws -> OrderedJSON {
        switch resource {
        case .configuration: TMDBConfiguration.object(imageBase: imageBase)
        case .configurationList(let list):
            TMDBConfiguration.list(list, language: request.language, timeZones: self.timeZones)
        case .genres: TMDBConfiguration.genres(language: request.language)
        case .list(let list): try await self.list(list, request)
        case .search(let kind): try await TMDBSearchDocuments(services: self.services).document(kind, request)
        case .discover:
            try await TMDBDiscoverDocuments(services: self.services, numbers: self.numbers).document(request)
        case .trending(let period):
            TMDBFilmRow.page(
                try await self.services.catalogue.trending(
                    period, page: try request.page(), language: request.language), mediaType: "movie")
        case .find(let id): try await self.found(id, request)
        case .film(let id): try await self.film(id, request)
        case .filmPart(let part, let id): try await self.filmPart(part, id, request)
        case .person(let id): try await self.person(id, request)
        case .personPart(let part, let id): try await self.personPart(part, id, request)
        // The catalogue has no collections.
        case .collection: throw TMDBFault(.notFound)
        case .other(let path): try await self.other(path, request)
        }
    }

    private func other(_ path: String, _ request: TMDBRequest) async throws -> OrderedJSON {
        if path == "movie/latest" { return try await self.latest(request) }
        let documents = TMDBOtherDocuments(services: self.services, numbers: self.numbers)
        if let document = try await documents.document(path, request) { return document }
        let items = TMDBFilmItemDocuments(services: self.services, numbers: self.numbers)
        guard let document = try await items.document(path, request) else { throw TMDBFault(.notFound) }
        return document
    }

    private func list(_ list: MovieList, _ request: TMDBRequest) async throws -> OrderedJSON {
        let page = try await self.services.catalogue.list(
            list, page: try request.page(), language: request.language,
            region: request.region ?? self.services.defaultRegion)
        let today = self.services.now().dateInSeoul
        return Self.dates(of: list, today: today).adding(TMDBFilmRow.page(page))
    }

    /// The release dates covered by the lists of films in cinemas: the last eight weeks, and the next four.
    private static func dates(of list: MovieList, today: CalendarDate) -> OrderedJSON {
        let days: (first: Int, last: Int)
        switch list {
        case .nowPlaying: days = (-55, 0)
        case .upcoming: days = (1, 28)
        case .popular, .topRated: return .object([])
        }
        return [
            "dates": [
                "maximum": .string(today.adding(days: days.last).description),
                "minimum": .string(today.adding(days: days.first).description),
            ]
        ]
    }

    /// Only films have ids of another site: derived ones (``TMDBNumber/title(of:)``).
    private func found(_ id: String, _ request: TMDBRequest) async throws -> OrderedJSON {
        guard let source = request["external_source"] else { throw TMDBFault(.invalidParameters) }
        var films: [MovieSummary] = []
        if source == "imdb_id", let film = try await self.numbers.film(title: id) {
            films = [try await self.services.showMovie(film, language: request.language).movie.summary]
        }
        return [
            "movie_results": TMDBFilmRow.objects(films, mediaType: "movie"), "person_results": [], "tv_results": [],
            "tv_episode_results": [],
            "tv_season_results": [],
        ]
    }
}

// MARK: Films

extension TMDBCatalogueDocuments {
    private func film(_ id: String, _ request: TMDBRequest) async throws -> OrderedJSON {
        let names = try request.appended()
        let (film, number) = try await self.id(id)
        let movie = try await self.services.showMovie(film, language: request.language).movie
        var object = TMDBFilmObject.object(movie, number: number)
        for name in names {
            guard let part = TMDBResource.FilmPart(name: name) else { continue }
            let value = try await TMDBFilmPartDocuments(services: self.services).document(part, of: movie, request)
            object = object.adding(.object([OrderedJSON.Member(name, value)]))
        }
        return object
    }

    /// The film with the latest release date.
    private func latest(_ request: TMDBRequest) async throws -> OrderedJSON {
        let films = try await self.services.allFilms(
            language: request.language, pageLimit: TMDBNumberTable.pageLimit)
        let day = { (film: MovieSummary) in film.releaseDate?.dayNumber ?? .min }
        guard let film = films.max(by: { day($0) < day($1) }), let number = TMDBNumber.number(of: film.id) else {
            throw TMDBFault(.notFound)
        }
        let movie = try await self.services.showMovie(film.id, language: request.language).movie
        return TMDBFilmObject.object(movie, number: number)
    }

    private func filmPart(
        _ part: TMDBResource.FilmPart, _ id: String, _ request: TMDBRequest
    ) async throws -> OrderedJSON {
        let (film, number) = try await self.id(id)
        let movie = try await self.services.showMovie(film, language: request.language).movie
        let document = try await TMDBFilmPartDocuments(services: self.services).document(part, of: movie, request)
        switch part {
        // These documents do not contain the film's number.
        case .similar, .recommendations, .changes: return document
        default: return OrderedJSON.object([OrderedJSON.Member("id", .integer(number))]).adding(document)
        }
    }

    /// - Parameter text: A number or an IMDb id.
    /// - Throws: ``TMDBFault`` if the film is unknown.
    private func id(_ text: String) async throws -> (film: MovieID, number: Int) {
        guard let film = try await self.numbers.film(text), let number = TMDBNumber.number(of: film) else {
            throw TMDBFault(.notFound)
        }
        return (film, number)
    }
}

// MARK: People

extension TMDBCatalogueDocuments {
    private func person(_ id: String, _ request: TMDBRequest) async throws -> OrderedJSON {
        let names = try request.appended()
        let (person, number) = try await self.person(id, request.language)
        var object = TMDBPersonObject.object(person, number: number)
        for part in names.compactMap({ TMDBResource.PersonPart(rawValue: $0) }) {
            object = object.adding(
                .object([OrderedJSON.Member(part.rawValue, TMDBPersonObject.part(part, of: person))]))
        }
        return object
    }

    private func personPart(
        _ part: TMDBResource.PersonPart, _ id: String, _ request: TMDBRequest
    ) async throws -> OrderedJSON {
        let (person, number) = try await self.person(id, request.language)
        return TMDBPersonObject.part(part, of: person).adding(["id": .integer(number)])
    }

    private func person(
        _ id: String, _ language: LanguagePreference
    ) async throws -> (person: Person, number: Int) {
        guard let number = Int(id), let person = try await self.numbers.person(number) else {
            throw TMDBFault(.notFound)
        }
        return (try await self.services.showPerson(person, language: language), number)
    }
}
