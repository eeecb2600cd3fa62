package import MovieDomain

/// A store of fictional apps about films, packaged with the program. Days are those in Seoul, prices are in won.
package struct EmbeddedAppStore: AppStoreRepository {
    /// Maximum length of a day's list.
    package static let listLength = 5

    /// The valid apps.
    private let apps: [AppStoreResource.App]
    private let appsByID: [String: AppStoreResource.App]
    private let categories: [String: [String: String]]
    private let posters: [String: CatalogueResource.Poster]
    private let index: AppStoreIndex
    private let now: @Sendable () -> Instant

    /// - Parameter catalogue: Locates the file of the apps, and contains their pictures.
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

    /// Finds apps by name, developer, seller, category or description in any language; ignores case and spaces.
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

    /// A featured app and others, which rotate daily through all apps.
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
