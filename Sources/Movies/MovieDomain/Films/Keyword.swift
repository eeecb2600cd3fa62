/// A word about a film's subject.
package struct Keyword: Hashable, Sendable {
    /// The most keywords of a film that are kept.
    package static let limit = 50

    /// Such as `tmdb:818`; nil where a source has words only.
    package let id: String?
    /// In the source's language: English at TMDB.
    package let name: String

    package init(id: String? = nil, name: String) {
        self.id = id
        self.name = name
    }

    /// - Parameter tmdb: TMDB's number.
    package init(tmdb: Int, name: String) {
        self.init(id: SourceKey(.tmdb, String(tmdb)).description, name: name)
    }

    /// TMDB's number of a keyword's id; nil for anything but `tmdb:` and a number.
    package static func tmdbNumber(ofID id: String) -> Int? {
        SourceKey(id).flatMap { $0.source == .tmdb && $0.isNumber ? Int($0.key) : nil }
    }
}
