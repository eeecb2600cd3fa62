/// What somebody looks for in a store.
public struct AppQuery: Hashable, Sendable {
    /// The longest term, in characters.
    public static let maxLength = 200
    /// How many of the best matches may be left out.
    public static let offsets = 0...1000
    /// How many may be asked for at once.
    public static let limits = 1...50
    /// How many are asked for where nothing is said.
    public static let defaultLimit = 20

    /// Not empty, without outer white space, at most ``maxLength`` characters.
    public let term: String
    /// How many of the best matches to leave out.
    public let offset: Int
    /// At most so many.
    public let limit: Int

    /// - Returns: nil for a term that is empty, or too long, and for numbers out of ``offsets`` and ``limits``.
    public init?(_ term: String, offset: Int = 0, limit: Int = AppQuery.defaultLimit) {
        var trimmed = Substring(term)
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.count <= Self.maxLength, Self.offsets.contains(offset),
            Self.limits.contains(limit)
        else { return nil }
        self.term = String(trimmed)
        self.offset = offset
        self.limit = limit
    }
}

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
