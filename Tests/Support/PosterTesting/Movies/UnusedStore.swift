public import MovieDomain

/// A store that is not configured: every call fails.
public struct UnusedStore: StoreRepository {
    /// The embedded catalogue.
    public let source = MovieSource.embedded

    /// A store that is not configured.
    public init() {}

    /// Fails.
    public func search(_ term: String, offset: Int, limit: Int) async throws -> StoreResults {
        throw SourceFailure.off(self.source, option: "")
    }

    /// Fails.
    public func app(_ id: StoreAppID) async throws -> StoreApp? { throw SourceFailure.off(self.source, option: "") }

    /// Fails.
    public func today() async throws -> StoreToday { throw SourceFailure.off(self.source, option: "") }
}
