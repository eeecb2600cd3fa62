import HTTPSemantics
import MovieDomain

/// The form that sorts and filters a visitor's list, with links to its export and import.
struct ArrangeForm: Sendable {
    static let sort = "order"
    static let filter = "filter"

    private let arrangement: SavedFilmArrangement
    private let list: SavedFilmsPage.List
    private let hasFilms: Bool
    private let isComplete: Bool

    /// - Parameters:
    ///   - hasFilms: Whether the arranged list has films.
    ///   - isComplete: Whether all films of the list were arranged.
    init(_ arrangement: SavedFilmArrangement, list: SavedFilmsPage.List, hasFilms: Bool, isComplete: Bool) {
        self.arrangement = arrangement
        self.list = list
        self.hasFilms = hasFilms
        self.isComplete = isComplete
    }

    /// - Throws: ``Problem`` with the accepted orders.
    static func arrangement(_ query: QueryParameters) throws(Problem) -> SavedFilmArrangement {
        SavedFilmArrangement(try query.choice(Self.sort) ?? .added, text: query[Self.filter] ?? "")
    }

    func markup(in request: PageRequest) -> Markup {
        let (formats, links) = (request.formats, request.links)
        let isChanged = !self.arrangement.isDefault
        let sorts = SavedFilmArrangement.Sort.allCases.map { sort -> Model in
            ["value": sort.rawValue, "text": formats(sort.textKey), "isChosen": sort == self.arrangement.sort]
        }
        let form: Model = [
            "action": self.list.path, "explicitLanguage": request.explicitLanguage?.code, "sorts": sorts,
            "filter": self.arrangement.text, "filterLength": SavedFilmArrangement.textLimit,
            "resetURL": isChanged ? links.url(self.list.path) : nil,
            "note": self.isComplete
                ? nil : formats("mineIncomplete", count: SavedFilms.sourcePageLimit * Favourite.pageSize),
        ]
        let exports = FilmListFile.allCases.map { file -> Model in
            [
                "name": formats(file.textKey),
                "url": links.url("\(self.list.path)/export", [("format", file.rawValue)]),
            ]
        }
        return request.render(
            "arrange",
            [
                "isOpen": isChanged,
                "form": self.hasFilms || isChanged ? form : nil, "exports": self.hasFilms ? exports : [],
                "importURL": links.url("/my/import", [("list", self.list.rawValue)]),
            ])
    }
}

extension SavedFilmArrangement.Sort {
    fileprivate var textKey: String {
        switch self {
        case .added: "sortAdded"
        case .title: "sortTitle"
        case .year: "sortYear"
        case .score: "sortRating"
        }
    }
}

extension FilmListFile {
    fileprivate var textKey: String {
        switch self {
        case .json: "exportJSON"
        case .csv: "exportCSV"
        case .letterboxd: "exportLetterboxd"
        }
    }
}
