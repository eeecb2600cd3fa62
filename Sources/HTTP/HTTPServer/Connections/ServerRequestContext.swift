package import Hummingbird
import NIOCore

/// The context of one request.
package struct ServerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// nil in tests that have no connection.
    package let client: ClientConnectionState?
    /// The client: the peer of the connection, or the address that the peer names if it is a trusted proxy.
    package internal(set) var clientAddress: ClientAddress
    /// What the request is called; the middleware around almost all others says it.
    var requestID = RequestID.none

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        // A client that resets the connection right after its request may be gone, and forgotten, before we are here.
        self.client = ClientConnectionState.of(source.channel) ?? (source.channel.isActive ? nil : .gone)
        self.clientAddress = ClientAddress(source.channel.remoteAddress)
    }

    /// Runs `operation`, and cancels it when the client leaves. Worth its task only for what may take long.
    package func whileClientPresent<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let client else { return try await operation() }
        return try await client.whilePresent(operation)
    }
}
