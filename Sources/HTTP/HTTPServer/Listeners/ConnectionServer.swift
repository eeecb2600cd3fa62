import Hummingbird
package import HummingbirdCore
import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS
import Synchronization

/// Sets up the pipelines of accepted connections and serves them: HTTP/1.1 without TLS; HTTP/2 or HTTP/1.1 with TLS, as
/// the client chooses (RFC 7301).
package struct ConnectionServer: Sendable {
    typealias Exchange = HTTP1Channel.Value
    typealias Streams = NIOHTTP2Handler.AsyncStreamMultiplexer<ConnectionHandoff<Exchange>>
    typealias Negotiated = NIONegotiatedHTTPVersion<Exchange, Streams>

    enum Connection: Sendable {
        case clear(Exchange)
        case secure(EventLoopFuture<Negotiated>, any Channel)

        func end() {
            switch self {
            case .clear(let exchange): exchange.endUnserved()
            case .secure(let negotiated, let channel):
                // Streams are handed over individually.
                negotiated.whenSuccess { if case .http1_1(let exchange) = $0 { exchange.endUnserved() } }
                channel.close(promise: nil)
            }
        }
    }

    package typealias Handlers = @Sendable () -> [any RemovableChannelHandler]

    private let http1: HTTP1Channel
    private let credentials: TLSCredentials?
    private let limits: ConnectionDeadlines.Limits
    private let idleTimeout: TimeAmount
    private let sendBudget: SendBudget
    private let serverName: String?
    private let recorder: RequestRecorder?
    private let handlers: Handlers
    package var http2 = HTTP2Limits()
    /// Additional handlers of an HTTP/2 stream; none by default.
    package var streamHandlers: Handlers = { [] }

    /// - Parameters:
    ///   - idleTimeout: Timeout of connections without a request.
    ///   - credentials: `nil` if no listening address uses TLS.
    ///   - sendBudget: Accounts for bodies that clients have not taken.
    ///   - serverName: The `Server` field of responses that no route creates; `nil` omits it.
    ///   - recorder: Records requests that are rejected before a route receives them.
    ///   - handlers: Additional handlers of an HTTP/1.1 connection, after its decoder.
    package init(
        responder: @escaping HTTPChannelHandler.Responder, limits: ConnectionDeadlines.Limits, idleTimeout: TimeAmount,
        credentials: TLSCredentials? = nil, sendBudget: SendBudget = SendBudget(), serverName: String? = nil,
        recorder: RequestRecorder? = nil, handlers: @escaping Handlers = { [] }
    ) {
        self.http1 = HTTP1Channel(responder: responder)
        self.credentials = credentials
        self.limits = limits
        self.idleTimeout = idleTimeout
        self.sendBudget = sendBudget
        self.serverName = serverName
        self.recorder = recorder
        self.handlers = handlers
    }

    // MARK: Setting up

    /// Closes `channel` if it cannot be set up: nothing else refers to it then.
    func setUp(_ channel: any Channel, isSecure: Bool, logger: Logger) -> EventLoopFuture<ConnectionHandoff<Connection>>
    {
        let connection = self.connection(channel, isSecure: isSecure, logger)
        connection.whenFailure { error in
            // A connection that its client has already ended is no fault of this server.
            let level: Logger.Level = error is ChannelError || error is IOError ? .debug : .error
            logger.log(level: level, "A connection cannot be set up", metadata: ["error.message": "\(error)"])
            channel.close(promise: nil)
        }
        return connection.map { ConnectionHandoff($0) { $0.end() } }
    }

    private func connection(
        _ channel: any Channel, isSecure: Bool, _ logger: Logger
    ) -> EventLoopFuture<Connection> {
        guard isSecure, let credentials = self.credentials else {
            return self.setUpRequests(channel, isSecure: false, logger).map { .clear($0) }
        }
        return channel.eventLoop.makeCompletedFuture {
            let deadline = HandshakeDeadline(self.limits.head)
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result in
                channel.pipeline.syncOperations.removeHandler(deadline).flatMap {
                    if case .negotiated("h2") = result {
                        return self.setUpStreams(channel, logger).map { .http2($0) }
                    }
                    return self.setUpRequests(channel, isSecure: true, logger).map { .http1_1($0) }
                }
            }
            try channel.pipeline.syncOperations.addHandlers([
                ClientHello.ProtocolCheck(TLSCredentials.applicationProtocols),
                NIOSSLServerHandler(context: credentials.context), deadline, negotiation,
            ])
            return .secure(negotiation.protocolNegotiationResult, channel)
        }
    }

    private func setUpRequests(
        _ channel: any Channel, isSecure: Bool, _ logger: Logger
    ) -> EventLoopFuture<Exchange> {
        channel.eventLoop.makeCompletedFuture {
            try self.addRequestHandlers(to: channel, isSecure: isSecure, logger)
            return try Exchange(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    /// Adds the handlers of an HTTP/1.1 connection, from the socket or TLS on. Like `HTTP1Channel`'s, but with a
    /// decoder that continues after `Upgrade`, and with checks, deadlines and accounting.
    func addRequestHandlers(to channel: any Channel, isSecure: Bool, _ logger: Logger) throws {
        let pipeline = channel.pipeline.syncOperations
        let queue = SendQueue(UnsentBodies(self.sendBudget, of: channel), isEncrypted: isSecure)
        // Without TLS it has no place of its own in the pipeline, which would cost hits one per cent.
        if isSecure { try pipeline.addHandler(queue) }
        let deadlines = ConnectionDeadlines.SocketHandler(self.limits, queue: queue, isInline: !isSecure)
        let lines = MalformedRequests.LineCheck()
        let check = MalformedRequests.HeadCheck(lines: lines)
        try pipeline.addHandlers([deadlines, HTTPResponseEncoder(), lines])
        try pipeline.addHandlers(
            RequestDecoder.handlers(limits: HeadLimits.decoder, checks: [check], observers: [deadlines]))
        try pipeline.addHandlers([
            HTTP1ToHTTPServerCodec(secure: false),
            ConnectionPersistence.LastResponseHandler(drain: self.limits.drain), IdleTracker.RefusalHandler(),
            ClientConnectionState.Handler(isSecure: isSecure, budget: self.sendBudget),
            MalformedRequests.Handler(check, serverName: self.serverName, recorder: self.recorder),
        ])
        try pipeline.addHandlers(self.handlers())
        let idle = Duration.nanoseconds(self.idleTimeout.nanoseconds)
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idle, logger: logger))
    }

    private func setUpStreams(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Streams> {
        channel.eventLoop.makeCompletedFuture {
            try self.addStreams(to: channel, logger) { stream, isRefused in
                isRefused ? ConnectionHandoff() : ConnectionHandoff(try Exchange(wrappingChannelSynchronously: stream))
            }
        }
    }

    /// Adds the handlers of an HTTP/2 connection and of its streams.
    ///
    /// - Parameter serve: Called for each stream after its handlers were added, also for one that is refused.
    func addStreams<Output: Sendable>(
        to channel: any Channel, _ logger: Logger,
        serve: @escaping @Sendable (_ stream: any Channel, _ isRefused: Bool) throws -> Output
    ) throws -> NIOHTTP2Handler.AsyncStreamMultiplexer<Output> {
        let pipeline = channel.pipeline.syncOperations
        // In front of TLS: the client has to take the encrypted bytes.
        try pipeline.addHandler(
            ConnectionDeadlines.SocketHandler(self.limits, readsRequests: false), position: .first)
        try pipeline.addHandler(HTTP2StreamLimit(self.http2.streams))
        let end = HTTP2ConnectionLifetime(
            idleTimeout: self.idleTimeout, headTimeout: self.limits.head, limits: self.http2)
        let streams = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: end, frameDelegate: end, configuration: self.http2.configuration
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let isRefused = end.refusesStream()
                if isRefused {
                    try stream.pipeline.syncOperations.addHandler(HTTP2StreamLimit.Refusal())
                } else {
                    try self.addStreamHandlers(to: stream, logger)
                }
                return try serve(stream, isRefused)
            }
        }
        try pipeline.addHandler(end)
        return streams
    }

    private func addStreamHandlers(to stream: any Channel, _ logger: Logger) throws {
        let pipeline = stream.pipeline.syncOperations
        let deadlines = StreamDeadlines(self.limits, budget: self.sendBudget)
        // Throws if connections are not tracked.
        try? stream.parent?.pipeline.syncOperations.handler(type: IdleTracker.Handler.self).watch(stream, deadlines)
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        try pipeline.addHandler(deadlines)
        try pipeline.addHandler(IdleTracker.RefusalHandler())
        try pipeline.addHandler(ClientConnectionState.Handler(isSecure: true, budget: self.sendBudget))
        try pipeline.addHandler(MalformedRequests.StreamHandler(serverName: self.serverName, recorder: self.recorder))
        try pipeline.addHandlers(self.streamHandlers())
        // The head arrives in one piece here: the timeout is the body's.
        let body = Duration.nanoseconds(self.limits.body.nanoseconds)
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: body, logger: logger))
    }

    // MARK: Serving

    /// Serves a connection until it has closed.
    func serve(_ connection: ConnectionHandoff<Connection>, logger: Logger) async {
        switch connection.take() {
        case nil: break  // taken by another task
        case .clear(let exchange): await self.http1.handle(value: exchange, logger: logger)
        case .secure(let negotiated, let channel):
            await withTaskCancellationHandler {
                await self.serve(negotiated, logger: logger)
            } onCancel: {
                // The shutdown period is over.
                channel.eventLoop.execute {
                    // There is no such handler before the handshake is complete.
                    try? channel.pipeline.syncOperations.handler(type: ConnectionDeadlines.SocketHandler.self).giveUp()
                    channel.close(promise: nil)
                }
            }
        }
    }

    private func serve(_ negotiated: EventLoopFuture<Negotiated>, logger: Logger) async {
        do {
            switch try await negotiated.get() {
            case .http1_1(let exchange): await self.http1.handle(value: exchange, logger: logger)
            case .http2(let streams): await self.serve(streams, logger: logger)
            }
        } catch {
            // The client speaks no TLS, or rejects the certificate: not an error of this server.
            logger.trace("TLS connection failed", metadata: ["error.message": "\(error)"])
        }
    }

    private func serve(_ streams: Streams, logger: Logger) async {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for try await stream in streams.inbound {
                    group.addTask {
                        guard let exchange = stream.take() else { return }
                        await self.http1.handleHTTP(asyncChannel: exchange, logger: logger)
                    }
                }
            }
        } catch {
            logger.trace("HTTP/2 connection failed", metadata: ["error.message": "\(error)"])
        }
    }
}

/// Ownership of a connection that was set up, passed to the first task that takes it.
///
/// The consumer of a sequence of connections may be cancelled, or may never start; the sequence then drops its
/// elements. A dropped exchange would end the process, because its writer was never finished: here it is closed
/// gracefully instead.
final class ConnectionHandoff<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>
    private let end: @Sendable (Value) -> Void

    /// - Parameter end: Called if `value` is not taken before this is released.
    init(_ value: Value, end: @escaping @Sendable (Value) -> Void) {
        self.value = Mutex(value)
        self.end = end
    }

    init() {
        self.value = Mutex(nil)
        self.end = { _ in }
    }

    deinit {
        if let value = self.take() { self.end(value) }
    }

    /// - Returns: The value to the first caller, which then owns it; `nil` to others.
    func take() -> Value? {
        self.value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

extension ConnectionHandoff {
    /// Hands over the exchange of a connection or stream.
    convenience init<Inbound: Sendable, Outbound: Sendable>(_ exchange: Value)
    where Value == NIOAsyncChannel<Inbound, Outbound> {
        self.init(exchange) { $0.endUnserved() }
    }
}

extension NIOAsyncChannel {
    /// Finishes the writer and closes the channel, in a separate task.
    func endUnserved() {
        Task {
            // Throws if the channel has already closed.
            try? await self.executeThenClose { _, _ in }
        }
    }
}
