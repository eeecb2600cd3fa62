import MovieDomain
import SearchText

/// Full-text search of apps, in all of their languages.
struct AppStoreIndex: Sendable {
    /// Maximum length of a term, in characters; longer terms are truncated.
    static let maxTermLength = 200

    private struct Entry {
        let app: AppStoreResource.App
        let names: [FoldedText]
        let makers: [FoldedText]
        let categories: [FoldedText]
        let descriptions: [FoldedText]

        var all: [FoldedText] { self.names + self.makers + self.categories + self.descriptions }
    }

    /// How well an app matches, in descending order.
    private enum Fit: Comparable {
        case name, beginningOfName, partOfName, category, maker, description, words
    }

    // By number of ratings, descending: equal matches keep this order.
    private let entries: [Entry]

    init(_ apps: [AppStoreResource.App], categories: [String: [String: String]]) {
        self.entries = apps.map { app in
            Entry(
                app: app, names: app.names.values.map { FoldedText($0) },
                makers: [app.developer, app.seller].map { FoldedText($0) },
                categories: (categories[app.category] ?? [:]).values.map { FoldedText($0) },
                descriptions: app.descriptions.values.map { FoldedText($0) })
        }.sorted {
            ($1.app.rating?.count ?? 0, $0.app.id) < ($0.app.rating?.count ?? 0, $1.app.id)
        }
    }

    /// The best match first; empty for a term without letters and digits.
    func search(_ term: String) -> [AppStoreResource.App] {
        let term = term.prefix(Self.maxTermLength)
        let whole = FoldedText(String(term))
        guard !whole.isEmpty else { return [] }
        let words = term.split(whereSeparator: \.isWhitespace).map { FoldedText(String($0)) }.filter { !$0.isEmpty }
        let found = self.entries.enumerated().compactMap { position, entry in
            Self.fit(of: entry, whole, words).map { (fit: $0, position: position, app: entry.app) }
        }
        return found.sorted { ($0.fit, $0.position) < ($1.fit, $1.position) }.map(\.app)
    }

    private static func fit(of entry: Entry, _ whole: FoldedText, _ words: [FoldedText]) -> Fit? {
        if entry.names.contains(whole) { return .name }
        if entry.names.contains(where: { $0.begins(with: whole) }) { return .beginningOfName }
        if entry.names.contains(where: { $0.contains(whole) }) { return .partOfName }
        if entry.categories.contains(where: { $0.contains(whole) }) { return .category }
        if entry.makers.contains(where: { $0.contains(whole) }) { return .maker }
        if entry.descriptions.contains(where: { $0.contains(whole) }) { return .description }
        let texts = entry.all
        let fits = words.count > 1 && words.allSatisfy { word in texts.contains { $0.contains(word) } }
        return fits ? .words : nil
    }
}
