/// Looks for apps.
public struct SearchApps: Sendable {
    private let store: any StoreRepository

    /// - Parameter store: Where to look.
    public init(store: any StoreRepository) {
        self.store = store
    }

    /// The best match first.
    ///
    /// - Throws: ``SourceFailure``, `CancellationError`.
    public func callAsFunction(_ query: AppQuery) async throws -> StoreResults {
        let results = try await self.store.search(query.term, offset: query.offset, limit: query.limit)
        // Nobody could ask for what is behind the last offset.
        let hasMore = results.hasMore && AppQuery.offsets.contains(query.offset + query.limit)
        return StoreResults(apps: Array(results.apps.prefix(query.limit)), hasMore: hasMore)
    }
}
