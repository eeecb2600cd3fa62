package import MovieDomain

/// A store of fictional apps about films, packaged with the program.
///
/// Days are those of Seoul, prices in won.
package struct EmbeddedAppStore: AppStoreRepository {
    /// How many apps a day's list has.
    package static let listLength = 5

    private let apps: [StoreApp]
    private let appsByID: [StoreAppID: StoreApp]
    private let index: AppStoreIndex
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - catalogue: The folder of the apps, and their pictures.
    ///   - language: That apps are described in; they are found in all of theirs.
    /// - Throws: ``CatalogueResource/Failure``.
    package init(
        _ catalogue: CatalogueResource, language: LanguagePreference = LanguagePreference(),
        now: @escaping @Sendable () -> Instant
    ) throws(CatalogueResource.Failure) {
        let resource = try AppStoreResource(beside: catalogue)
        let apps = resource.apps.compactMap { app in
            app.app(in: language, categories: resource.categories, posters: catalogue.posters).map { ($0, app) }
        }
        self.apps = apps.map(\.0)
        self.appsByID = Dictionary(self.apps.map { ($0.id, $0) }) { first, _ in first }
        self.index = AppStoreIndex(apps, categories: resource.categories)
        self.now = now
    }

    package var source: MovieSource { .embedded }

    /// Apps with the term in their name, developer, category or description, ignoring case and spaces.
    package func search(_ term: String, offset: Int, limit: Int) async throws -> StoreResults {
        let rest = self.index.search(term).dropFirst(max(0, offset))
        let limit = min(max(1, limit), 200)
        return StoreResults(apps: Array(rest.prefix(limit)), hasMore: rest.count > limit)
    }

    package func app(_ id: StoreAppID) async throws -> StoreApp? { self.appsByID[id] }

    /// An app of the day and others, which rotate through all.
    package func today() async throws -> StoreToday {
        guard !self.apps.isEmpty else { return StoreToday(featured: nil, list: []) }
        let day = self.now().dateInSeoul.dayNumber
        let count = self.apps.count
        let place = { (step: Int) in ((day + step) % count + count) % count }
        let others = (0..<min(Self.listLength, count - 1)).map { self.apps[place(7 + $0)] }
        let featured = self.apps[place(0)]
        return StoreToday(featured: featured, list: others.filter { $0.id != featured.id })
    }
}
