/// A word about a film's subject.
package struct Keyword: Hashable, Sendable {
    /// The maximal number of keywords per film; further ones are dropped.
    package static let limit = 50

    /// An id such as `tmdb:818`; `nil` if the source has only words.
    package let id: String?
    /// The word in the source's language: English at TMDB.
    package let name: String

    package init(id: String? = nil, name: String) {
        self.id = id
        self.name = name
    }

    package init(tmdb: Int, name: String) {
        self.init(id: SourceKey(.tmdb, String(tmdb)).description, name: name)
    }

    /// The TMDB number in a keyword's id; `nil` unless the id is `tmdb:` and a number.
    package static func tmdbNumber(ofID id: String) -> Int? {
        SourceKey(id).flatMap { $0.source == .tmdb && $0.isNumber ? Int($0.key) : nil }
    }
}
