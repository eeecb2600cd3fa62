package import HTTPSemantics
package import Hummingbird
import Logging
import NIOCore

package struct ServerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// nil in tests that have no connection.
    package let client: ClientConnectionState?
    /// The client: the peer of the connection, or the address that the peer names if it is a trusted proxy.
    package internal(set) var clientAddress: ClientAddress
    /// Path and query, parsed once for all that handle the request.
    package private(set) var target = RequestTarget("")
    /// nil unless the fast path has parsed the request.
    package private(set) var fastPathMiss: FastPathMiss?
    /// What the request is called; the middleware around almost all others says it.
    var requestID = RequestID.none

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        // A client that resets the connection right after its request may be gone, and forgotten, before we are here.
        self.client = ClientConnectionState.of(source.channel) ?? (source.channel.isActive ? nil : .gone)
        self.clientAddress = ClientAddress(source.channel.remoteAddress)
    }

    init(_ request: Request, channel: any Channel, logger: Logger) {
        self.init(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let text = request.uri.string
        self.fastPathMiss = self.client?.takeMiss().flatMap { $0.target.text == text ? $0 : nil }
        self.target = self.fastPathMiss?.target ?? RequestTarget(text)
    }

    /// Runs `operation`, and cancels it when the client leaves. Worth its task only for what may take long.
    package func whileClientPresent<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let client else { return try await operation() }
        return try await client.whilePresent(operation)
    }
}

/// A request that the fast path has parsed, charged to its client and not found in memory: the slow path does none of
/// this again.
package struct FastPathMiss: Sendable {
    package let target: RequestTarget
    /// The request as the fast path parses it.
    package let request: any Sendable

    package init(target: RequestTarget, request: any Sendable) {
        self.target = target
        self.request = request
    }
}
