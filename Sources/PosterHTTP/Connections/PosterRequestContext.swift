public import Hummingbird

/// The context of one request.
public struct PosterRequestContext: RequestContext {
    /// Part of `RequestContext`.
    public var coreContext: CoreRequestContextStorage
    /// nil in tests that have no connection.
    let client: ClientPresence?

    /// Part of `RequestContext`.
    public init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.client = ClientPresence.of(source.channel)
    }

    /// Runs `operation`, and cancels it when the client leaves. Worth its task only for what may take long.
    func whileClientPresent<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let client else { return try await operation() }
        return try await client.whilePresent(operation)
    }
}
