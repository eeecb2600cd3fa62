public import NIOCore
import NIOPosix

/// An HTTP/1.1 server on a loopback socket with scripted faults.
///
/// Scripts are set by path; other paths get a 404. Requests and connections are recorded and can be awaited, so that a
/// test follows its client's progress without sleeping:
/// ```swift
/// try await withOrigin { origin in
///     origin.on("/slow.jpg", .hangInBody(after: [1, 2, 3]))
///     let task = Task { try await fetch(origin.url("/slow.jpg")) }
///     try await origin.requestsArrived(at: "/slow.jpg")
///     task.cancel()
///     try await origin.connectionClosed(1)
/// }
/// ```
/// A ``Gate`` holds a response at a certain point: `OriginScript([.wait(gate), .length(3), .bytes(body)])`.
public final class OriginServer: Sendable {
    /// The port, chosen by the system.
    public let port: Int

    private let channel: any Channel
    private let events: AwaitedState<OriginEvents>
    private let answers: ScriptedResponses

    private init(channel: any Channel, events: AwaitedState<OriginEvents>, answers: ScriptedResponses) {
        self.port = channel.localAddress?.port ?? 0
        self.channel = channel
        self.events = events
        self.answers = answers
    }

    /// Listens on an ephemeral port of 127.0.0.1.
    ///
    /// - Parameter greeting: Sent on every connection before any request, to imitate a server of another protocol.
    ///   Empty by default.
    /// - Parameter prepare: Adds handlers below it to each connection, such as TLS.
    public static func start(
        greeting: [UInt8] = [], prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
    ) async throws -> OriginServer {
        let (events, answers) = (AwaitedState(OriginEvents()), ScriptedResponses())
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 512)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare(channel)
                    let connection = OriginConnection(events: events, answers: answers, greeting: greeting)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return OriginServer(channel: channel, events: events, answers: answers)
    }

    /// Stops listening.
    ///
    /// Open connections last until their clients disconnect.
    public func shutdown() async {
        try? await self.channel.close().get()
    }

    /// The base URL without a trailing slash.
    public var baseURL: String { "http://127.0.0.1:\(self.port)" }

    /// The URL of a path that starts with a slash.
    public func url(_ path: String) -> String { self.baseURL + path }
}

/// Runs `body` with an origin and shuts the origin down afterwards.
public func withOrigin<Value>(
    greeting: [UInt8] = [],
    _ body: (OriginServer) async throws -> Value
) async throws -> Value {
    let origin = try await OriginServer.start(greeting: greeting)
    do {
        let value = try await body(origin)
        await origin.shutdown()
        return value
    } catch {
        await origin.shutdown()
        throw error
    }
}

// MARK: Answers

extension OriginServer {
    /// Sets the response to all requests for `path`.
    public func on(_ path: String, _ script: OriginScript) {
        self.on(path) { _ in script }
    }

    /// Sets the responses to successive requests for `path`; the last one repeats.
    public func on(_ path: String, inTurn scripts: [OriginScript]) {
        let events = self.events
        let before = events.value.requestCount(to: path)
        self.on(path) { _ in
            // The current request is already recorded.
            scripts[min(events.value.requestCount(to: path) - before, scripts.count) - 1]
        }
    }

    /// Sets the response to requests for paths without a response; the default is a 404.
    public func onAnythingElse(_ answer: @escaping @Sendable (OriginRequest) -> OriginScript) {
        self.answers.setFallback(answer)
    }

    /// Sets a response to `path` that depends on the request.
    public func on(_ path: String, _ answer: @escaping @Sendable (OriginRequest) -> OriginScript) {
        self.answers.set(answer, for: path)
    }
}

// MARK: What happened

extension OriginServer {
    /// The requests so far, in order of arrival.
    public func requests(to path: String) -> [OriginRequest] {
        self.events.value.requests.filter { $0.path == path }
    }

    /// The number of requests for `path` so far.
    public func requestCount(to path: String) -> Int { self.events.value.requestCount(to: path) }

    /// All requests so far, in order of arrival.
    public var requests: [OriginRequest] { self.events.value.requests }

    /// The number of connections accepted so far.
    public var acceptedConnectionCount: Int { self.events.value.acceptedCount }

    /// The number of open connections.
    public var openConnectionCount: Int {
        let events = self.events.value
        return events.acceptedCount - events.closedConnections.count
    }
}

// MARK: Waiting for it; all throw CancellationError

extension OriginServer {
    /// Returns once `count` requests for `path` have arrived since the start.
    public func requestsArrived(at path: String, count: Int = 1) async throws {
        try await self.events.wait { $0.requestCount(to: path) >= count }
    }

    /// Returns once a condition holds for all requests since the start.
    public func requestsArrived(where condition: @escaping @Sendable ([OriginRequest]) -> Bool) async throws {
        try await self.events.wait { condition($0.requests) }
    }

    /// Returns once `count` connections were accepted since the start.
    public func connectionsAccepted(_ count: Int) async throws {
        try await self.events.wait { $0.acceptedCount >= count }
    }

    /// Returns once a connection is closed; the first one accepted is 1.
    public func connectionClosed(_ number: Int) async throws {
        try await self.events.wait { $0.closedConnections.contains(number) }
    }

    /// Returns once no connection is open.
    public func allConnectionsClosed() async throws {
        try await self.events.wait { $0.closedConnections.count == $0.acceptedCount }
    }
}
