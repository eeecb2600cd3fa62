/// An app with what is shown of it.
public struct ShowApp: Sendable {
    /// Why there is nothing to show.
    public enum Failure: Error, Hashable, Sendable {
        /// The store has no such app.
        case unknownApp(StoreAppID)
    }

    private let store: any StoreRepository
    private let options: [MovieSource: String]

    /// - Parameters:
    ///   - store: Where it is.
    ///   - options: Of stores that are not there: what would switch them on.
    public init(store: any StoreRepository, off options: [MovieSource: String] = [:]) {
        self.store = store
        self.options = options
    }

    /// - Throws: ``Failure``, ``SourceFailure``, `CancellationError`.
    public func callAsFunction(_ id: StoreAppID) async throws -> (app: StoreApp, sections: [DetailSection]) {
        // A store is asked for its own apps alone; what there is of others is not known here.
        guard id.source == self.store.source else {
            if let option = self.options[id.source] { throw SourceFailure.off(id.source, option: option) }
            throw Failure.unknownApp(id)
        }
        guard let app = try await self.store.app(id) else { throw Failure.unknownApp(id) }
        return (app, app.sections)
    }
}
