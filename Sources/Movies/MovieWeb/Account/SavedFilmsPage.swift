import HTTPSemantics
import MovieDomain
import MovieHTTP

/// `GET /my/favourites`, `/my/watchlist` and `/my/ratings`: a visitor's films.
struct SavedFilmsPage: Sendable {
    enum List: String, CaseIterable, Sendable {
        case favourites, watchlist, ratings

        var path: String { "/my/\(self.rawValue)" }

        /// The keys of the list's name and of the text for an empty list.
        var texts: (name: String, empty: String) {
            switch self {
            case .favourites: ("mineFavourites", "mineNoFavourites")
            case .watchlist: ("mineWatchlist", "mineNoWatchlist")
            case .ratings: ("mineRatings", "mineNoRatings")
            }
        }

        init(_ kind: MarkKind) { self = kind == .favourite ? .favourites : .watchlist }

        /// `nil` for ratings.
        var kind: MarkKind? {
            switch self {
            case .favourites: .favourite
            case .watchlist: .watchlist
            case .ratings: nil
            }
        }

        /// The page's parameters, in their order in addresses.
        var parameters: [String] { self.kind == nil ? ["page"] : [ArrangeForm.sort, ArrangeForm.filter, "page"] }

        /// `nil` for ratings.
        func films(in site: Website) -> SavedFilms? {
            self.kind.map { $0 == .favourite ? site.useCases.favourites : site.useCases.watchlist }
        }
    }

    private struct Content {
        var cards: [FilmCard] = []
        var films: [MovieID] = []
        /// `nil` if the list requires an account and the visitor has none.
        var total: Int?
        var more: PageMore?
        /// Whether the list may have further films that were not arranged.
        var isComplete = true
    }

    let site: Website
    let list: List

    func page(_ request: PageRequest, _ visitor: PersonalPages.Visitor) async throws -> Page {
        let number = try request.pageNumber()
        let formats = request.formats
        let arrangement = try ArrangeForm.arrangement(request.query)
        async let account = self.account(of: visitor.session)
        let content = try await self.content(number, arrangement, request, visitor)
        request.reportServed(content.films)
        var paint = PagePaint()
        let cards = try FilmCard.list(content.cards, in: request, role: .grid, paint: &paint)
        var bar = self.bar(request, visitor, text: try await self.owner(account, of: visitor.session, formats))
        if let kind = self.list.kind {
            bar["removed"] = try await RemovalNote(visitor.once)?.model(of: kind, request, visitor)
        }
        let tabs = request.render("account", bar)
        let emptyText =
            content.total == nil
            ? "mineRatingsSignIn" : arrangement.text.isEmpty ? self.list.texts.empty : "mineFilterNothing"
        let form = ArrangeForm(
            arrangement, list: self.list, hasFilms: content.total ?? 0 > 0, isComplete: content.isComplete)
        let main = request.render(
            "list",
            [
                "heading": formats("mineTitle"),
                "summary": content.total.flatMap { $0 > 0 ? formats("filmCount", count: $0) : nil },
                "tabsHTML": tabs, "filtersHTML": self.list.kind == nil ? nil : form.markup(in: request),
                "empty": (content.total ?? 0) == 0 ? formats(emptyText) : nil, "cardsHTML": cards,
                "isSaved": self.list.kind != nil, "more": content.more?.model,
            ])
        var page = Page(title: formats(self.list.texts.name), main: main, paint: paint)
        page.sources = content.films.map(\.source)
        return page
    }

    // MARK: The films

    private func content(
        _ number: Int, _ arrangement: SavedFilmArrangement, _ request: PageRequest, _ visitor: PersonalPages.Visitor
    ) async throws -> Content {
        guard let kind = self.list.kind, let films = self.list.films(in: self.site) else {
            return try await self.rated(number, request, visitor.session)
        }
        guard let session = visitor.session else { return Content(total: 0) }
        let (page, isComplete) = try await films.page(
            number, arrangedBy: arrangement, language: request.language, for: session)
        let cards = page.results.map { saved in
            FilmCard(
                saved.described(in: request.language.first),
                form: request.render(
                    "remove",
                    [
                        "action": kind.action(on: saved.movie.id), "kind": kind.rawValue,
                        "token": visitor.token, "returnTo": request.returnPath.description,
                        "addedAt": saved.addedAt.map { String($0.secondsSince1970) },
                        "label": request.formats("\(kind.rawValue)Remove", ["title": saved.movie.title]),
                    ]), marks: MarkKind.allCases.filter { $0 != kind })
        }
        return Content(
            cards: cards, films: page.results.map(\.movie.id), total: page.totalResults,
            more: try PageMore(page, in: request), isComplete: isComplete)
    }

    private func rated(
        _ number: Int, _ request: PageRequest, _ session: AuthenticatedSession?
    ) async throws -> Content {
        guard let session, session.session.upstream != nil else { return Content() }
        let page = try await self.site.useCases.accounts.ratings(
            page: number, language: request.language, for: session)
        let cards = page.results.map { rated in
            FilmCard(
                rated.movie, meta: request.formats("rateValue", ["score": request.formats.score(rated.rating.value)]))
        }
        return Content(
            cards: cards, films: page.results.map(\.movie.id), total: page.totalResults,
            more: try PageMore(page, in: request))
    }

    // MARK: The visitor

    /// `nil` for a visitor without an account, and if the source is late or fails.
    private func account(of session: AuthenticatedSession?) async throws -> Account? {
        let accounts = self.site.useCases.accounts
        guard let session, session.session.upstream != nil, !self.site.services.accounts.isTemporary else { return nil }
        return try await LatePart.value { try await accounts.account(of: session) }
    }

    /// A text about where the films are stored.
    private func owner(
        _ account: Account?, of session: AuthenticatedSession?, _ formats: PageFormats
    ) -> String {
        let isTemporary = self.site.services.accounts.isTemporary
        guard session?.session.upstream != nil else { return formats(isTemporary ? "mineDeviceGuest" : "mineDevice") }
        guard !isTemporary else { return formats("guestTerms") }
        let name = account.map { $0.name.isEmpty ? $0.username : $0.name } ?? self.site.services.accounts.source.name
        return formats("mineAccount", ["name": name])
    }

    /// The values of the template `account`, without a removed film.
    private func bar(_ request: PageRequest, _ visitor: PersonalPages.Visitor, text: String) -> Model {
        let formats = request.formats
        let movedCount = visitor.once[SavedFilmsNote.parameter].map { Int($0) ?? 0 }
        return [
            "note": movedCount.map { $0 > 0 ? formats("signedInMoved", count: $0) : formats("signedIn") },
            "text": text, "isSignedIn": visitor.session?.session.upstream != nil, "token": visitor.token,
            "returnTo": request.returnPath.description,
            "dataURL": visitor.session == nil ? nil : request.links.userData,
            "signInURL": request.links.signIn(returningTo: request.returnPath),
            "tabs": List.allCases.map { list in
                [
                    "url": request.links.url(list.path), "name": formats(list.texts.name),
                    "isHere": list == self.list,
                ] as Model
            },
        ]
    }
}

extension SavedFilm {
    /// The film for readers of a language. A poster's size is only known in the language of the stored film.
    fileprivate func described(in language: Language) -> MovieSummary {
        var movie = self.movie
        if self.language != language, case .tmdb = movie.poster?.location {
            movie.poster = movie.poster.map { PosterReference($0.location) }
        }
        return movie
    }
}
