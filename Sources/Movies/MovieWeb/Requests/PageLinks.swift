import HTTPSemantics
import MovieDomain

/// The addresses of pages, which carry the language along that the reader chose.
struct PageLinks: Hashable, Sendable {
    /// nil when the browser's languages decide: what is shared then speaks its readers' language.
    let language: Language?

    init(language: Language?) {
        self.language = language
    }

    /// - Parameters:
    ///   - path: With segments that need no percent-encoding.
    ///   - parameters: Those that are nil or empty are left out.
    func url(_ path: String, _ parameters: [(name: String, value: String?)] = []) -> String {
        let all = parameters + [("language", self.language?.code)]
        let query = all.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "\(name)=\(PercentEncoding.encode($0.utf8))" }
        }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    var home: String { self.url("/") }
    var search: String { self.url("/search") }
    var discover: String { self.url("/discover") }
    var boxOffice: String { self.url("/box-office") }
    var store: String { self.url("/store") }
    var about: String { self.url("/about") }
    /// A visitor's films.
    var account: String { self.url("/my/favourites") }

    /// What is stored about a visitor.
    var userData: String { self.url("/my/data") }
    /// The confirmation page of its erasure.
    var erasure: String { self.url("/my/erase") }

    /// - Parameter part: Such as `credits`; nil for the page of the film.
    func film(_ id: MovieID, _ part: String? = nil, page: Int? = nil) -> String {
        self.url("/films/\(id)" + (part.map { "/" + $0 } ?? ""), [("page", page.map(String.init))])
    }

    func person(_ id: PersonID) -> String { self.url("/persons/\(id)") }

    func list(_ list: MovieList, page: Int? = nil) -> String {
        self.url("/lists/\(list.pathName)", [("page", page.map(String.init))])
    }

    /// The page on which one signs in.
    func signIn(returningTo path: ReturnPath) -> String { self.url("/sign-in", [("return", path.description)]) }
}

extension MovieList {
    /// In addresses of pages: `now-playing`.
    var pathName: String { self.rawValue.replacing("_", with: "-") }

    init?(pathName: some StringProtocol) {
        guard let list = Self.allCases.first(where: { $0.pathName == pathName }) else { return nil }
        self = list
    }
}
