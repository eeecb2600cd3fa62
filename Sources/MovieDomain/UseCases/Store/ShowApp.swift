/// An app with what is shown of it.
public struct ShowApp: Sendable {
    /// Why there is nothing to show.
    public enum Failure: Error, Hashable, Sendable {
        /// The store has no such app.
        case unknownApp(StoreAppID)
    }

    private let store: any StoreRepository

    /// - Parameter store: Where it is.
    public init(store: any StoreRepository) {
        self.store = store
    }

    /// - Throws: ``Failure``, ``SourceFailure``, `CancellationError`.
    public func callAsFunction(_ id: StoreAppID) async throws -> (app: StoreApp, sections: [DetailSection]) {
        // A store is asked for its own apps alone; what there is of others is not known here.
        guard id.source == self.store.source, let app = try await self.store.app(id) else {
            throw Failure.unknownApp(id)
        }
        return (app, app.sections)
    }
}
