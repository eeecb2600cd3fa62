import HTTPSemantics
import MovieDomain

/// The addresses of pages, with the language chosen by the reader.
struct PageLinks: Hashable, Sendable {
    /// `nil` if the browser's languages decide: shared links then use their readers' languages.
    let language: Language?

    init(language: Language?) {
        self.language = language
    }

    /// - Parameters:
    ///   - path: Its segments must not need percent-encoding.
    ///   - parameters: Omits those without a value.
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
    var badges: String { self.url(BadgesPage.path) }
    var account: String { self.url("/my/favourites") }

    var userData: String { self.url("/my/data") }
    /// The page that confirms the data's erasure.
    var erasure: String { self.url("/my/erase") }

    /// - Parameter part: For example `credits`; `nil` for the film's own page.
    func film(_ id: MovieID, _ part: String? = nil, page: Int? = nil) -> String {
        self.url("/films/\(id)" + (part.map { "/" + $0 } ?? ""), [("page", page.map(String.init))])
    }

    func person(_ id: PersonID) -> String { self.url("/persons/\(id)") }

    func list(_ list: MovieList, page: Int? = nil) -> String {
        self.url("/lists/\(list.pathName)", [("page", page.map(String.init))])
    }

    func signIn(returningTo path: ReturnPath) -> String { self.url("/sign-in", [("return", path.description)]) }
}

extension MovieList {
    /// The list's segment in paths of pages: `now-playing`.
    var pathName: String { self.rawValue.replacing("_", with: "-") }
}
