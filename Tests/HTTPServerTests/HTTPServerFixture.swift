import CoreMetrics
import Hummingbird
import Logging
import NIOCore
import PageArena
import PosterTesting
import ServiceLifecycle

@testable import HTTPSemantics
@testable import HTTPServer

/// A running HTTP server with routes for tests of connections.
final class HTTPServerFixture: Sendable {
    /// A length in bytes that exceeds all kernel buffers.
    static let largeLength = 16 << 20

    /// A body of that length; each byte differs from the one 4096 bytes before it.
    static let shared: ByteBuffer = {
        let bytes = [UInt8](unsafeUninitializedCapacity: HTTPServerFixture.largeLength) { buffer, count in
            count = buffer.count
            var index = 0
            while index < count {
                buffer[index] = UInt8(truncatingIfNeeded: index &* 31 &+ index >> 12)
                index += 1
            }
        }
        return ByteBuffer(bytes: bytes)
    }()

    /// Body limit of `POST /body` in bytes.
    static let bodyLimit = 1 << 20

    let port: Int
    /// Ends of connections.
    let ended: Events
    /// Releases of responses.
    let released: Events
    let sendBudget: SendBudget
    private let service: ServiceGroup
    private let stopped: Events

    private init(
        port: Int, ended: Events, released: Events, sendBudget: SendBudget, service: ServiceGroup, stopped: Events
    ) {
        self.sendBudget = sendBudget
        self.port = port
        self.ended = ended
        self.released = released
        self.service = service
        self.stopped = stopped
    }

    func connect() throws -> HTTPConnection {
        try HTTPConnection(port: self.port)
    }

    /// Shuts down gracefully and returns once the server has stopped. Otherwise the server is cancelled at the end.
    func stop() async {
        await self.service.triggerGracefulShutdown()
        await self.stopped.wait()
    }

    /// Runs the server during `body`.
    ///
    /// - Parameters:
    ///   - idleTimeout: Timeout of connections without a request; `nil` for an hour.
    ///   - credentials: `nil` serves plain HTTP.
    ///   - sendBudget: Limit in bytes.
    ///   - leastRest: Minimum idle time before a connection is ended for a new one.
    ///   - longestWait: Maximum waiting time of a connection over the limit.
    ///   - recorder: Records requests that no route has received.
    ///   - change: Changes the bounds of connections.
    static func run(
        _ limits: ConnectionDeadlines.Limits = .init(), idleTimeout: TimeAmount? = nil,
        credentials: TLSCredentials? = nil, http2: HTTP2Limits = HTTP2Limits(), connectionLimit: Int = 4096,
        sendBudget: Int = SendBudget.defaultLimit, leastRest: TimeAmount = .hours(1),
        longestWait: TimeAmount = .hours(1), recorder: RequestRecorder? = nil,
        change: @Sendable (inout ConnectionLimiter.Bounds) -> Void = { _ in },
        _ body: @escaping @Sendable (HTTPServerFixture) async throws -> Void
    ) async throws {
        let ended = Events()
        let released = Events()
        let router = Router(context: ServerRequestContext.self)
        router.add(middleware: ResponseMiddleware(methods: MethodTable()))
        router.add(middleware: ClientMiddleware(longestWait: longestWait))
        router.get("/") { _, _ in "here" }
        router.get("/healthz") { _, _ in "well" }
        router.get("/refused") { _, _ -> String in throw Problem(.tooManyRequests, "too many", retryAfterSeconds: 1) }
        router.post("/body") { request, _ in
            String(buffer: try await request.body.collect(upTo: Self.bodyLimit))
        }
        // One write with the head and the end, like cached variants.
        router.get("/cached") { _, context in
            let body = ByteBuffer(repeating: 7, count: Self.largeLength)
            context.client?.account?.announce(.buffer(body))
            return Response(status: .ok, body: ResponseBody(byteBuffer: body))
        }
        // Shares its memory between all clients, like a variant in the cache.
        let shared = Self.shared
        router.get("/shared") { _, context in
            context.client?.account?.announce(.buffer(shared))
            return Response(status: .ok, body: ResponseBody(byteBuffer: shared))
        }
        // Each response alone owns its extent, as after the eviction of a variant.
        router.get("/extent") { _, context in
            let body = ByteBuffer(copyingIntoArena: shared) ?? shared
            context.client?.account?.announce(.buffer(body))
            return Response(status: .ok, body: ResponseBody(byteBuffer: body))
        }
        router.get("/variant") { _, context in
            context.client?.account?.announce(.pieces)
            let answer = Held(released)
            return Response(
                status: .ok,
                body: ResponseBody(contentLength: Self.largeLength) { writer in
                    try await writer.write(ByteBuffer(repeating: 7, count: Self.largeLength))
                    try await writer.finish(nil)
                    withExtendedLifetime(answer) {}
                })
        }
        router.get("/original") { _, context in
            context.client?.account?.announce(.pieces)
            let answer = Held(released)
            return Response(
                status: .ok,
                body: ResponseBody(contentLength: Self.largeLength) { writer in
                    for _ in 0..<(Self.largeLength >> 17) {
                        try await writer.write(ByteBuffer(repeating: 7, count: 128 << 10))
                    }
                    try await writer.finish(nil)
                    withExtendedLifetime(answer) {}
                })
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        let budget = SendBudget(limit: sendBudget, metrics: NOOPMetricsHandler.instance)
        var connections = ConnectionServer(
            responder: ChannelResponder.make(router.buildResponder(), serverName: nil, logger: logger), limits: limits,
            idleTimeout: idleTimeout ?? .hours(1), credentials: credentials, sendBudget: budget,
            recorder: recorder, handlers: { [EndWatcher(ended)] })
        connections.http2 = http2
        connections.streamHandlers = { [EndWatcher(ended)] }
        var bounds = ConnectionLimiter.Bounds(connectionLimit)
        bounds.leastRest = leastRest
        change(&bounds)
        let listeners = HTTPListeners(
            places: [ListenAddress(.port(host: "127.0.0.1", 0), isSecure: credentials != nil)],
            connections: connections, bounds: bounds, logger: logger
        ) { places in
            if case .port(_, let port) = places[0].socket { started.yield(port) }
        }
        let service = ServiceGroup(services: [listeners], logger: logger)
        let stopped = Events()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { stopped.happen() }
                try await service.run()
            }
            guard let port = await ports.first(where: { _ in true }) else { return }
            try await body(
                HTTPServerFixture(
                    port: port, ended: ended, released: released, sendBudget: budget, service: service,
                    stopped: stopped))
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }

    /// Counts events that a test awaits.
    final class Events: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() {
            (self.stream, self.continuation) = AsyncStream.makeStream()
        }

        func happen() {
            self.continuation.yield()
        }

        /// Returns once `count` more events have happened.
        func wait(for count: Int = 1) async {
            var left = count
            while left > 0, await self.stream.first(where: { _ in true }) != nil { left -= 1 }
        }
    }

    /// Owned by a response; reports its release.
    private final class Held: Sendable {
        private let released: Events

        init(_ released: Events) {
            self.released = released
        }

        deinit {
            self.released.happen()
        }
    }

    private final class EndWatcher: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny
        private let ended: Events

        init(_ ended: Events) {
            self.ended = ended
        }

        func handlerAdded(context: ChannelHandlerContext) {
            // After all handlers that count connections.
            context.channel.closeFuture.whenComplete { [ended] _ in ended.happen() }
        }
    }
}
