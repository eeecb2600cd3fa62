package import MovieDomain

/// A store of fictional apps about films, packaged with the program.
///
/// Days are those of Seoul, prices in won.
package struct EmbeddedAppStore: AppStoreRepository {
    /// How many apps a day's list has.
    package static let listLength = 5

    /// Without what makes no app.
    private let apps: [AppStoreResource.App]
    private let appsByID: [String: AppStoreResource.App]
    private let categories: [String: [String: String]]
    private let posters: [String: CatalogueResource.Poster]
    private let index: AppStoreIndex
    private let now: @Sendable () -> Instant

    /// - Parameter catalogue: The folder of the apps, and their pictures.
    /// - Throws: ``CatalogueResource/Failure``.
    package init(
        _ catalogue: CatalogueResource, now: @escaping @Sendable () -> Instant
    ) throws(CatalogueResource.Failure) {
        let resource = try AppStoreResource(beside: catalogue)
        let apps = resource.apps.filter { app in
            let any = LanguagePreference()
            return app.app(in: any, categories: resource.categories, posters: catalogue.posters) != nil
        }
        self.apps = apps
        self.categories = resource.categories
        self.posters = catalogue.posters
        self.appsByID = Dictionary(self.apps.map { ($0.id, $0) }) { first, _ in first }
        self.index = AppStoreIndex(apps, categories: resource.categories)
        self.now = now
    }

    package var source: MovieSource { .embedded }

    package var ids: [StoreAppID] { self.apps.compactMap { StoreAppID(source: .embedded, key: $0.id) } }

    /// Apps with the term in their name, developer, category or description in any language, ignoring case and spaces.
    package func search(
        _ term: String, offset: Int, limit: Int, language: LanguagePreference
    ) async throws -> StoreResults {
        let rest = self.index.search(term).dropFirst(max(0, offset))
        let limit = min(max(1, limit), 200)
        return StoreResults(
            apps: rest.prefix(limit).compactMap { self.localised($0, language) }, hasMore: rest.count > limit)
    }

    package func app(_ id: StoreAppID, language: LanguagePreference) async throws -> StoreApp? {
        guard id.source == .embedded else { return nil }
        return self.appsByID[id.key].flatMap { self.localised($0, language) }
    }

    /// An app of the day and others, which rotate through all.
    package func today(language: LanguagePreference) async throws -> StoreToday {
        guard !self.apps.isEmpty else { return StoreToday(featured: nil, list: []) }
        let day = self.now().dateInSeoul.dayNumber
        let count = self.apps.count
        let place = { (step: Int) in ((day + step) % count + count) % count }
        let others = (0..<min(Self.listLength, count - 1)).map { self.apps[place(7 + $0)] }
        let featured = self.apps[place(0)]
        return StoreToday(
            featured: self.localised(featured, language),
            list: others.filter { $0.id != featured.id }.compactMap { self.localised($0, language) })
    }

    private func localised(_ app: AppStoreResource.App, _ language: LanguagePreference) -> StoreApp? {
        app.app(in: language, categories: self.categories, posters: self.posters)
    }
}
