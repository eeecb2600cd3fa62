public import Hummingbird
import NIOCore

/// The context of one request.
public struct PosterRequestContext: RequestContext {
    /// Part of `RequestContext`.
    public var coreContext: CoreRequestContextStorage
    /// nil in tests that have no connection.
    let client: ClientPresence?
    /// nil in tests that have no connection.
    let channel: (any Channel)?
    /// What the request is called; the middleware around all others says it.
    var requestID = RequestID.none
    /// Who asked, if that is known to be somebody else than the other end of the connection.
    var clientName: String?

    /// Part of `RequestContext`.
    public init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.channel = source.channel
        // A client that resets the connection right after its request may be gone, and forgotten, before we are here.
        self.client = ClientPresence.of(source.channel) ?? (source.channel.isActive ? nil : .gone)
    }

    /// Runs `operation`, and cancels it when the client leaves. Worth its task only for what may take long.
    func whileClientPresent<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let client else { return try await operation() }
        return try await client.whilePresent(operation)
    }
}
