import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// A user's marks on films: ratings, favourites and the watchlist.
struct TMDBMarks: Sendable {
    let useCases: MovieUseCases
    let sessions: TMDBSessions
    let numbers: TMDBNumberTable

    func mark(
        _ list: TMDBPersonalResource.List, _ body: TMDBBody, of holder: AuthenticatedSession, _ request: TMDBRequest
    ) async throws -> TMDBAnswer {
        let isOn = list == .favourites ? body.favorite : body.watchlist
        guard let isOn, let number = body.mediaID, let kind = body.mediaType else {
            throw TMDBFault(.invalidParameters)
        }
        // The domain has only films.
        guard kind == "movie" else { throw TMDBFault(kind == "tv" ? .notFound : .invalidParameters) }
        let film = try await self.film(number)
        let films = list == .favourites ? self.useCases.favourites : self.useCases.watchlist
        guard isOn else {
            try await films.remove(film, for: holder)
            return TMDBAnswer(.deleted)
        }
        let isNew = try await films.put(film, language: request.language, for: holder).isNew
        return TMDBAnswer(isNew ? .success : .updated)
    }

    /// - Parameter film: A number or an IMDb id.
    func rate(_ film: String, _ body: TMDBBody, _ request: TMDBRequest) async throws -> TMDBAnswer {
        let rating = try Self.rating(body.value)
        switch try await self.sessions.caller(of: request) {
        case .guest(let session):
            let body: OrderedJSON = ["value": .number(rating.value)]
            return try await self.send(.post, film, session, json: body.bytes)
        case .session(let holder):
            let id = try await self.film(film)
            let wasRated = try await self.useCases.accounts.rating(of: id, for: holder) != nil
            try await self.useCases.accounts.rate(id, rating, for: holder)
            return TMDBAnswer(wasRated ? .updated : .success)
        }
    }

    /// - Parameter film: A number or an IMDb id.
    func unrate(_ film: String, _ request: TMDBRequest) async throws -> TMDBAnswer {
        switch try await self.sessions.caller(of: request) {
        case .guest(let session): return try await self.send(.delete, film, session, json: nil)
        case .session(let holder):
            try await self.useCases.accounts.rate(try await self.film(film), nil, for: holder)
            return TMDBAnswer(.deleted)
        }
    }

    /// Whether a film is on the lists, and its rating.
    ///
    /// - Parameter film: A number or an IMDb id.
    func states(
        _ film: String, _ request: TMDBRequest, _ context: ServerRequestContext
    ) async throws -> TMDBAnswer {
        switch try await self.sessions.caller(of: request) {
        case .guest(let session):
            guard let upstream = self.sessions.upstream else { throw TMDBFault(.noPermission) }
            let (status, body) = try await upstream.send(
                .get, "/movie/\(film)/account_states", query: [], secrets: [("guest_session_id", session)], json: nil)
            return TMDBAnswer(status: status, bytes: body)
        case .session(let holder):
            let id = try await self.film(film)
            let states = try await self.states(of: id, for: holder, context)
            let number = OrderedJSON.object([OrderedJSON.Member("id", .integer(TMDBNumber.number(of: id) ?? 0))])
            return TMDBAnswer(number.adding(states))
        }
    }

    /// The states as appended to a film: without its number. States still unknown after the bulk query are requested
    /// one by one, since clients would read unknown as "no".
    func states(
        of film: MovieID, for holder: AuthenticatedSession, _ context: ServerRequestContext
    ) async throws -> OrderedJSON {
        let marks = try await self.useCases.marks(of: [film], for: holder, context)[film] ?? Marks.none
        let rating: Rating? =
            switch marks.rated {
            case .rating(let rating): rating
            case .none: nil
            case .unknown: try await self.useCases.accounts.rating(of: film, for: holder)
            }
        return [
            "favorite": .boolean(try await self.isOn(self.useCases.favourites, film, marks.isFavourite, holder)),
            "rated": rating.map { ["value": .number($0.value)] } ?? false,
            "watchlist": .boolean(try await self.isOn(self.useCases.watchlist, film, marks.isOnWatchlist, holder)),
        ]
    }

    /// - Parameter known: `nil` if unknown.
    private func isOn(
        _ list: SavedFilms, _ film: MovieID, _ known: Bool?, _ holder: AuthenticatedSession
    ) async throws -> Bool {
        if let known { return known }
        return try await list.film(film, language: LanguagePreference([.english]), for: holder) != nil
    }

    /// The films or series that a guest has rated. Guests of this server have rated no series.
    func guestRatings(
        _ session: String, of kind: TMDBPersonalResource.Rated, _ request: TMDBRequest, _ lists: TMDBAccountLists
    ) async throws -> TMDBAnswer {
        switch try await self.sessions.guest(session) {
        case .session(let holder):
            guard kind == .films else { return TMDBAnswer(try TMDBPage.empty(request)) }
            return TMDBAnswer(try await lists.list(.rated, of: holder, request))
        case .guest(let id):
            guard let upstream = self.sessions.upstream else { throw TMDBFault(.noPermission) }
            let query = [
                (name: "language", value: request.languageTag), (name: "page", value: String(try request.page())),
                (name: "sort_by", value: request["sort_by"] == "created_at.asc" ? "created_at.asc" : "created_at.desc"),
            ]
            let (status, body) = try await upstream.send(
                .get, "/guest_session/\(id)/rated/\(kind.rawValue)", query: query, secrets: [], json: nil)
            return TMDBAnswer(status: status, bytes: body)
        }
    }

    private func send(
        _ method: HTTPRequest.Method, _ film: String, _ session: String, json: [UInt8]?
    ) async throws -> TMDBAnswer {
        guard let upstream = self.sessions.upstream else { throw TMDBFault(.noPermission) }
        let (status, body) = try await upstream.send(
            method, "/movie/\(film)/rating", query: [], secrets: [("guest_session_id", session)], json: json)
        return TMDBAnswer(status: status, bytes: body)
    }

    /// - Throws: ``TMDBFault`` if the film is unknown.
    func film(_ number: Int) async throws -> MovieID {
        guard let film = try await self.numbers.film(number) else { throw TMDBFault(.notFound) }
        return film
    }

    /// - Parameter text: A number or an IMDb id; only The Movie Database can resolve an id that is not derived.
    /// - Throws: ``TMDBFault`` if the film is unknown.
    func film(_ text: String) async throws -> MovieID {
        if let film = try await self.numbers.film(text) { return film }
        let resource = TMDBResource.film(id: text)
        let request = DocumentRequest(resource.path, query: [], lifetime: resource.lifetime)
        guard let details = try await self.sessions.upstream?.json(request, from: .tmdb),
            let number = details["id"]?.integer
        else { throw TMDBFault(.notFound) }
        return try await self.film(number)
    }

    /// - Throws: ``TMDBFault`` if the value is missing or no valid rating.
    private static func rating(_ value: Double?) throws(TMDBFault) -> Rating {
        guard let value else { throw TMDBFault(.invalidParameters) }
        if let rating = Rating(value) { return rating }
        if value > 10 {
            throw TMDBFault(
                .validationFailed, message: "Value too high: Value must be less than, or equal to 10.0.")
        }
        if value < 0.5 {
            throw TMDBFault(.validationFailed, message: "Value too low: Value must be greater than 0.0.")
        }
        throw TMDBFault(.validationFailed, message: "Value invalid: Values must be a multiple of 0.50.")
    }
}
