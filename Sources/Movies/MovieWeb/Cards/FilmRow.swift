import HTTPSemantics
import MovieDomain

/// A section of a page with cards side by side.
struct FilmRow: Sendable {
    /// The section's id, unique in its page.
    let id: String
    let heading: String
    /// The URL of the page with the whole list.
    var allURL: String?
    /// Explains why there are no films.
    var problem: String?

    init(id: String, heading: String, allURL: String? = nil, problem: String? = nil) {
        self.id = id
        self.heading = heading
        self.allURL = allURL
        self.problem = problem
    }

    /// - Parameter paint: Receives the posters' colours.
    /// - Returns: Empty if there are neither films nor a problem.
    func markup(
        _ films: [MovieSummary], in request: PageRequest, paint: inout PagePaint
    ) throws(Problem) -> Markup {
        self.markup(try FilmCard.list(films, in: request, role: .rail, paint: &paint), in: request)
    }

    /// As above, with rendered cards.
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
