import HTTPSemantics
import MovieDomain
import MovieHTTP

/// Reports a film that was removed from a visitor's list without scripts, and offers to put it back.
struct RemovalNote: Sendable {
    static let parameters: Set<String> = [Self.film, Self.time]
    fileprivate static let film = "removed"
    /// The time at which the film had been added, in seconds since 1970.
    fileprivate static let time = "at"

    private let id: MovieID
    private let addedAt: Int64?

    /// - Parameter values: The page's parameters by name.
    /// - Returns: `nil` if no film was removed.
    init?(_ values: [String: String]) {
        guard let id = values[Self.film].flatMap({ MovieID($0) }) else { return nil }
        self.id = id
        self.addedAt = values[Self.time].flatMap { Int64($0) }
    }

    /// The value of `removed` in the template `account`; `nil` for a visitor without lists.
    func model(
        of kind: MarkKind, _ request: PageRequest, _ visitor: PersonalPages.Visitor
    ) async throws -> Model? {
        guard visitor.session != nil else { return nil }
        let (films, language) = (request.site.useCases.favourites, request.language)
        let movie = try await LatePart.value { try await films.description(of: self.id, language: language) } ?? nil
        let title = movie.map { request.formats("markRemoved", ["title": $0.title]) }
        return [
            "action": "/films/\(self.id)/\(kind.rawValue)", "token": visitor.token,
            "returnTo": request.returnPath.description, "addedAt": self.addedAt.map { String($0) },
            "text": title ?? request.formats("\(kind.rawValue)Removed"),
        ]
    }
}

extension ReturnPath {
    /// The path with a note of a removed film, if it is the page of the film's list.
    func removed(_ id: MovieID, from kind: MarkKind, addedAt: Instant?) -> ReturnPath {
        let list: SavedFilmsPage.List = kind == .favourite ? .favourites : .watchlist
        guard self.description.prefix(while: { $0 != "?" && $0 != "#" }) == list.path else { return self }
        let path = self.adding(RemovalNote.film, PercentEncoding.encode(id.description.utf8))
        return addedAt.map { path.adding(RemovalNote.time, String($0.secondsSince1970)) } ?? path
    }
}
