package import HTTPSemantics
package import Hummingbird
import Logging
import NIOCore

package struct ServerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// `nil` in tests without a connection.
    package let client: ClientConnectionState?
    /// The client: the peer of the connection, or the address that the peer names if it is a trusted proxy.
    package internal(set) var clientAddress: ClientAddress
    /// Path and query, parsed once for all handlers of the request.
    package private(set) var target = RequestTarget("")
    /// The fast path's parsed request; `nil` if the fast path has not parsed it.
    package private(set) var fastPathMiss: FastPathMiss?
    /// The request's id, set by ``RequestMiddleware``, which wraps almost all other middleware.
    var requestID = RequestID.none

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        // A client that resets the connection right after its request may already be gone and forgotten here.
        self.client = ClientConnectionState.of(source.channel) ?? (source.channel.isActive ? nil : .gone)
        self.clientAddress = ClientAddress(source.channel.remoteAddress)
    }

    init(_ request: Request, channel: any Channel, logger: Logger) {
        self.init(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let text = request.uri.string
        self.fastPathMiss = self.client?.takeMiss().flatMap { $0.target.text == text ? $0 : nil }
        self.target = self.fastPathMiss?.target ?? RequestTarget(text)
    }

    /// Runs `operation`, and cancels it when the client leaves. Worth the additional task only for long operations.
    package func whileClientPresent<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let client else { return try await operation() }
        return try await client.whilePresent(operation)
    }
}

/// A request that the fast path has parsed, charged to its client and not found in memory. The slow path repeats none
/// of this.
package struct FastPathMiss: Sendable {
    package let target: RequestTarget
    /// The request as parsed by the fast path.
    package let request: any Sendable

    package init(target: RequestTarget, request: any Sendable) {
        self.target = target
        self.request = request
    }
}
