import HTTPSemantics
import MovieDomain

/// A section of a page with cards side by side.
struct FilmRow: Sendable {
    /// Of the section, unique in its page.
    let id: String
    let heading: String
    /// The page with all of them; nil for none.
    var allURL: String?
    /// Why there are none, in words.
    var problem: String?

    init(id: String, heading: String, allURL: String? = nil, problem: String? = nil) {
        self.id = id
        self.heading = heading
        self.allURL = allURL
        self.problem = problem
    }

    /// - Parameter paint: Gets the colours of the posters.
    /// - Returns: Empty for no films and no problem.
    func markup(
        _ films: [MovieSummary], in request: PageRequest, paint: inout PagePaint
    ) throws(Problem) -> Markup {
        self.markup(try FilmCard.list(films, in: request, role: .rail, paint: &paint), in: request)
    }

    /// The same with cards that are rendered already.
    func markup(_ cards: Markup, in request: PageRequest) -> Markup {
        guard !cards.isEmpty || self.problem != nil else { return .empty }
        return request.render(
            "row",
            [
                "id": self.id, "heading": self.heading, "allURL": self.allURL,
                "allLabel": request.formats("allOf", ["list": self.heading]), "problem": self.problem,
                "hasCards": !cards.isEmpty, "cardsHTML": cards,
            ])
    }
}
