/// What a store shows today.
public struct ShowToday: Sendable {
    private let store: any StoreRepository

    /// - Parameter store: Whose page it is.
    public init(store: any StoreRepository) {
        self.store = store
    }

    /// - Throws: ``SourceFailure``, `CancellationError`.
    public func callAsFunction() async throws -> StoreToday {
        try await self.store.today()
    }
}
