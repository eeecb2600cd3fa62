import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `POST /films/{id}/favourite` and `/watchlist`: adds a film to a list of the visitor, or removes it.
struct MarkForms: Sendable {
    let gate: FormGate
    let favourites: SavedFilms
    let watchlist: SavedFilms
    let signUp: DeviceSignUp

    func register(on router: Router<ServerRequestContext>) {
        for kind in MarkKind.allCases {
            self.gate.post("/films/:id/\(kind.rawValue)", fields: ["on", "at"], on: router) { form in
                try await self.change(kind, form)
            }
        }
    }

    private func change(_ kind: MarkKind, _ form: FormGate.Form) async throws -> Response {
        var form = form
        let id = try form.movieID()
        let isOn: Bool
        switch form.body["on"] {
        case "1": isOn = true
        case "0": isOn = false
        default: throw Problem(.invalidBody, "on must be 1 or 0")
        }
        let addedAt = form.addedAt
        let films = kind == .favourite ? self.favourites : self.watchlist
        var (session, cookie) = (form.session, String?.none)
        if isOn { (session, cookie) = try await self.signUp.session(of: form) }
        switch (session, isOn) {
        case (nil, _): break  // there is no list to take it off
        case (let session?, true): try await self.put(id, on: films, form.language, addedAt, for: session)
        case (let session?, false): try await films.remove(id, for: session)
        }
        if !isOn { form.returnTo = form.returnTo?.removed(id, from: kind, addedAt: addedAt) }
        return try self.gate.done(
            form, ["on": .flag(isOn)], session: session, cookie: cookie, fallback: ReturnPath(ofFilm: id))
    }

    private func put(
        _ id: MovieID, on films: SavedFilms, _ language: LanguagePreference, _ addedAt: Instant?,
        for session: AuthenticatedSession
    ) async throws {
        do {
            _ = try await films.put(id, language: language, addedAt: addedAt, for: session)
        } catch AddFavourite.Failure.tooMany(let limit) {
            throw Problem(
                .tooManyFavourites, "the list has reached its limit of \(limit) films; remove one first")
        }
    }
}

/// `POST /films/{id}/rating`: rates a film in half steps, or removes the rating.
struct RatingForm: Sendable {
    let gate: FormGate
    let accounts: AuthenticatedAccounts

    func register(on router: Router<ServerRequestContext>) {
        self.gate.post("/films/:id/rating", fields: ["value", "remove"], on: router) { form in
            try await self.rate(form)
        }
    }

    private func rate(_ form: FormGate.Form) async throws -> Response {
        let id = try form.movieID()
        guard let session = form.session else { throw AccountFailure.noAccount }
        var rating: Rating?
        if form.body["remove"] != "1" {
            guard let value = form.body["value"].flatMap(Double.init), let chosen = Rating(value) else {
                throw Problem(.invalidBody, "value must be a number \(Rating.range)")
            }
            rating = chosen
        }
        try await self.accounts.rate(id, rating, for: session)
        return try self.gate.done(
            form, rating.map { ["value": .number($0.value)] } ?? [:], session: session,
            fallback: ReturnPath(ofFilm: id))
    }
}

extension FormGate.Form {
    /// The time at which a film was added before it was removed; `nil` if the form has none, or one before
    /// ``Favourite/earliestAddition``: the film was stored with it, and must be removable.
    fileprivate var addedAt: Instant? {
        let time = self.body["at"].flatMap { Int64($0) }.map(Instant.init(secondsSince1970:))
        return time.flatMap { $0 < Favourite.earliestAddition ? nil : $0 }
    }

    /// The film in the path's second segment.
    fileprivate func movieID() throws(Problem) -> MovieID {
        let segments = RequestTarget(self.request.uri.string).segments
        guard segments.count > 1, let text = PercentEncoding.decode(segments[1]), let id = MovieID(text) else {
            throw Problem(.invalidID, "the id is not a film id")
        }
        return id
    }
}

extension ReturnPath {
    fileprivate init(ofFilm id: MovieID) {
        self = ReturnPath("/films/\(id)") ?? .home
    }
}
