import HTTPServer
import MovieDomain

/// A list to which a button adds films.
enum MarkKind: String, CaseIterable, Sendable {
    case favourite
    case watchlist

    private static let heart =
        "M12 20.5 4.2 12.6a4.9 4.9 0 0 1 7-6.9l.8.8.8-.8a4.9 4.9 0 0 1 7 6.9z"
    private static let ribbon = "M6 3.5h12v17l-6-4.5-6 4.5z"

    var icon: Markup {
        let path = self == .favourite ? Self.heart : Self.ribbon
        return Markup(
            html: "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>")
    }

    var label: String { "\(self.rawValue)Button" }

    /// The path to which a form with the mark is sent.
    func action(on id: MovieID) -> String { "/films/\(id)/\(self.rawValue)" }
}

/// A part of a page that differs between visitors.
enum PageSlot: Hashable, Sendable {
    /// A form with a button for a mark.
    case mark(MarkKind, MovieID)
    /// The attributes of a card's button: the value that it sends, and whether it is pressed.
    case state(MarkKind, MovieID)
    /// The form of all buttons of cards.
    case cardForm
    case rating(MovieID)

    private static let markPrefix = "mark."
    private static let statePrefix = "state."
    private static let ratingPrefix = "rating."
    private static let cardFormName = "card-form"

    /// - Returns: `nil` if the text is no ``name``.
    init?(_ name: String) {
        if name == Self.cardFormName {
            self = .cardForm
            return
        }
        if name.hasPrefix(Self.ratingPrefix) {
            guard let id = MovieID(String(name.dropFirst(Self.ratingPrefix.count))) else { return nil }
            self = .rating(id)
            return
        }
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = MarkKind(rawValue: String(parts[1])), let id = MovieID(String(parts[2]))
        else { return nil }
        if name.hasPrefix(Self.markPrefix) {
            self = .mark(kind, id)
        } else if name.hasPrefix(Self.statePrefix) {
            self = .state(kind, id)
        } else {
            return nil
        }
    }

    /// For example `mark.favourite.tmdb:603`.
    var name: String {
        switch self {
        case .mark(let kind, let id): "\(Self.markPrefix)\(kind.rawValue).\(id)"
        case .state(let kind, let id): "\(Self.statePrefix)\(kind.rawValue).\(id)"
        case .cardForm: Self.cardFormName
        case .rating(let id): "\(Self.ratingPrefix)\(id)"
        }
    }

    /// `nil` for a part that is not about a film.
    var film: MovieID? {
        switch self {
        case .mark(_, let id), .state(_, let id), .rating(let id): id
        case .cardForm: nil
        }
    }

    /// The placeholder in the page shared by all visitors.
    var markup: Markup { Markup(html: EncodedResponse.pageSlot(self.name)) }
}

/// Replaces the placeholders of pages (``PageSlot``) by the visitor's forms.
struct PageSlots: Sendable {
    /// Maximum number of films per page with marks of a visitor.
    static let filmLimit = 100

    /// The visitor, and the page's context.
    struct Place: Sendable {
        var session: AuthenticatedSession?
        var marks: [MovieID: Marks] = [:]
        /// The interface's language.
        let language: Language
        let links: PageLinks
        /// The page's own path.
        let returnTo: ReturnPath

        /// Unknown marks are shown as off: adding a film to a list twice has no effect.
        fileprivate func isOn(_ kind: MarkKind, _ id: MovieID) -> Bool {
            let marks = self.marks[id]
            return (kind == .favourite ? marks?.isFavourite : marks?.isOnWatchlist) ?? false
        }
    }

    let templates: TemplateLibrary
    let texts: TranslatedTexts
    let tokens: FormTokens

    /// The films with slots, for which a visitor's marks are needed.
    static func films(of page: EncodedResponse) -> [MovieID] {
        var seen: Set<MovieID> = []
        return Array(
            page.slots.compactMap { PageSlot($0.name)?.film }.filter { seen.insert($0).inserted }
                .prefix(Self.filmLimit))
    }

    /// The page for one visitor.
    ///
    /// - Parameter isForAll: Whether visitors without a session get the same page, which may be public.
    func filled(_ page: EncodedResponse, for place: Place, isForAll: Bool = true) -> EncodedResponse {
        // The token's mask is random, so one token is used for all forms of the response.
        let token = self.tokens.token(for: place.session)
        return page.filled(forAll: isForAll && place.session == nil) { name in
            switch PageSlot(name) {
            case .mark(let kind, let id): self.mark(kind, id, token: token, place).description
            case .state(let kind, let id): Self.state(isOn: place.isOn(kind, id))
            case .cardForm:
                self.templates.render(
                    "card-form", ["token": token, "returnTo": place.returnTo.description], in: place.language
                ).description
            case .rating(let id): self.rating(id, token: token, place).description
            case nil: ""
            }
        }
    }

    /// A page has many of these: they need no template.
    private static func state(isOn: Bool) -> String {
        isOn ? "value=\"0\" aria-pressed=\"true\"" : "value=\"1\" aria-pressed=\"false\""
    }

    private func mark(_ kind: MarkKind, _ id: MovieID, token: String, _ place: Place) -> Markup {
        let isOn = place.isOn(kind, id)
        return self.templates.render(
            "mark",
            [
                "action": kind.action(on: id), "kind": kind.rawValue, "token": token,
                "returnTo": place.returnTo.description, "newValue": isOn ? "0" : "1", "isOn": isOn ? "true" : "false",
                "iconHTML": kind.icon, "label": self.texts.text(kind.label, in: place.language),
            ], in: place.language)
    }

    private func rating(_ id: MovieID, token: String, _ place: Place) -> Markup {
        guard place.session?.session.upstream != nil else {
            return self.templates.render(
                "rating", ["form": nil, "signInURL": place.links.signIn(returningTo: place.returnTo)],
                in: place.language)
        }
        var own: Rating?
        if case .rating(let rating)? = place.marks[id]?.rated { own = rating }
        let values: [Model] = (1...20).map { halves in
            ["value": "\(halves / 2).\(halves % 2 * 5)", "isMine": own?.halves == halves]
        }
        let form: Model = [
            "action": "/films/\(id)/rating", "token": token,
            "returnTo": place.returnTo.description, "values": values, "isRated": own != nil,
        ]
        return self.templates.render("rating", ["form": form], in: place.language)
    }
}
