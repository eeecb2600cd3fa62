/// An app store.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol StoreRepository: Sendable {
    var source: MovieSource { get }

    /// Searches apps, the best match first.
    ///
    /// - Parameters:
    ///   - term: Not empty.
    ///   - offset: The number of best matches to skip.
    ///   - limit: The most apps to return, 1 to 200.
    func search(_ term: String, offset: Int, limit: Int) async throws -> StoreResults

    /// nil when the store has no app of that id.
    func app(_ id: StoreAppID) async throws -> StoreApp?

    /// The apps to show today.
    func today() async throws -> StoreToday
}

/// A range of a store's search results.
package struct StoreResults: Hashable, Sendable {
    /// The best match first.
    package let apps: [StoreApp]
    /// Whether there may be further results.
    package let hasMore: Bool

    package init(apps: [StoreApp], hasMore: Bool) {
        self.apps = apps
        self.hasMore = hasMore
    }
}

/// The apps that a store shows today.
package struct StoreToday: Hashable, Sendable {
    /// The app that is shown large; nil when it is unavailable.
    package let featured: StoreApp?
    /// The apps that are shown small.
    package let list: [StoreApp]

    package init(featured: StoreApp?, list: [StoreApp]) {
        self.featured = featured
        self.list = list
    }
}
