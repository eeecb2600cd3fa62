/// A store of apps.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol StoreRepository: Sendable {
    var source: MovieSource { get }

    /// - Parameters:
    ///   - term: Not empty.
    ///   - offset: How many of the best matches to leave out.
    ///   - limit: At most so many, 1 to 200.
    func search(_ term: String, offset: Int, limit: Int) async throws -> StoreResults

    /// nil when there is none of that id.
    func app(_ id: StoreAppID) async throws -> StoreApp?

    /// What to show today.
    func today() async throws -> StoreToday
}

/// A part of what a store found.
public struct StoreResults: Hashable, Sendable {
    /// The best match first.
    public let apps: [StoreApp]
    /// Whether there may be more behind them.
    public let hasMore: Bool

    /// A part of what a store found.
    public init(apps: [StoreApp], hasMore: Bool) {
        self.apps = apps
        self.hasMore = hasMore
    }
}

/// What a store shows today.
public struct StoreToday: Hashable, Sendable {
    /// The one that is shown large; nil when it cannot be had.
    public let featured: StoreApp?
    /// Those that are shown small.
    public let list: [StoreApp]

    /// What a store shows today.
    public init(featured: StoreApp?, list: [StoreApp]) {
        self.featured = featured
        self.list = list
    }
}
