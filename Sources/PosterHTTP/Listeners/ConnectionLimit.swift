import CoreMetrics
import NIOCore
import Synchronization

/// How many connections are open at all places together. Those that are one too many wait in the kernel's queue, and those
/// that have rested longest are ended for them: whoever only holds connections keeps nobody out.
final class ConnectionLimit: Sendable {
    /// How long a connection must have been without a request to be ended for others: time enough to send one after the
    /// accept, and the next one of a page.
    static let leastRest = TimeAmount.seconds(1)
    /// How often it is looked again for connections to end, while there is no room.
    static let lookPeriod = TimeAmount.seconds(1)
    /// The most that are ended at one look; at most an eighth of all.
    static let mostPerLook = 32

    private struct State {
        var count = 0
        /// Places that would accept more.
        var waiting: [@Sendable () -> Void] = []
        var open: [ObjectIdentifier: ConnectionRest] = [:]
    }

    private let limit: Int
    private let leastRest: TimeAmount
    private let state = Mutex(State())
    private let openConnections: Meter
    private let paused: Meter
    private let endedForRoom: Counter

    /// - Parameters:
    ///   - limit: At least 1.
    ///   - metrics: Where is told how many there are.
    init(
        _ limit: Int, leastRest: TimeAmount = ConnectionLimit.leastRest,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.limit = limit
        self.leastRest = leastRest
        self.openConnections = Meter(label: "onesheet.connections", factory: metrics)
        self.paused = Meter(label: "onesheet.connections.paused", factory: metrics)
        self.endedForRoom = Counter(label: "onesheet.connections.ended_for_room", factory: metrics)
        self.openConnections.set(0)
        self.paused.set(0)
        Meter(label: "onesheet.connections.limit", factory: metrics).set(limit)
    }

    var count: Int { self.state.withLock { $0.count } }

    /// - Parameter later: Called once when there is room again, if there is none now.
    /// - Returns: Whether there is.
    func hasRoom(orElse later: @escaping @Sendable () -> Void) -> Bool {
        self.state.withLock { state in
            if state.count < self.limit { return true }
            state.waiting.append(later)
            self.paused.set(1)
            return false
        }
    }

    func opened() {
        self.state.withLock { $0.count += 1 }
        self.openConnections.increment()
    }

    func closed() {
        let waiting = self.state.withLock { state -> [@Sendable () -> Void] in
            state.count -= 1
            guard state.count < self.limit else { return [] }
            defer { state.waiting = [] }
            self.paused.set(0)
            return state.waiting
        }
        self.openConnections.decrement()
        for resume in waiting { resume() }
    }

    // MARK: Room for others

    /// To be called on the event loop of a connection that is being set up.
    func watch(_ channel: any Channel, now: NIODeadline = .now()) throws {
        let rest = ConnectionRest(channel, now: now)
        try channel.pipeline.syncOperations.addHandler(ConnectionRest.Handler(rest), position: .first)
        let id = ObjectIdentifier(rest)
        self.state.withLock { $0.open[id] = rest }
        channel.closeFuture.whenComplete { _ in _ = self.state.withLock { $0.open.removeValue(forKey: id) } }
    }

    /// Ends those that have rested longest, if any has for long enough.
    func makeRoom(now: NIODeadline = .now()) {
        let resting = self.longestResting(now: now)
        self.endedForRoom.increment(by: resting.count)
        for (rest, since) in resting { rest.end(since) }
    }

    /// A few, from the longest on.
    func longestResting(now: NIODeadline) -> [(rest: ConnectionRest, since: NIODeadline)] {
        let open = self.state.withLock { Array($0.open.values) }
        return Array(
            open.compactMap { rest in rest.since.flatMap { now - $0 >= self.leastRest ? (rest, $0) : nil } }
                .sorted { $0.1 < $1.1 }.prefix(max(1, min(Self.mostPerLook, self.limit / 8))))
    }

    /// Stands at a place and lets it accept while there is room.
    final class Gate: ChannelDuplexHandler {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel
        typealias OutboundIn = Never
        typealias OutboundOut = Never

        private let limit: ConnectionLimit
        private var context: ChannelHandlerContext?
        /// The next look for connections to end; nil while there is room.
        private var look: Scheduled<Void>?

        init(_ limit: ConnectionLimit) {
            self.limit = limit
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            self.look?.cancel()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let limit = self.limit
            limit.opened()
            self.unwrapInboundIn(data).closeFuture.whenComplete { _ in limit.closed() }
            context.fireChannelRead(data)
        }

        func read(context: ChannelHandlerContext) {
            guard self.look == nil else { return }
            let loop = context.eventLoop
            let gate = NIOLoopBound(self, eventLoop: loop)
            // Asked again, not read: another place may have been faster.
            let isRoom = self.limit.hasRoom { loop.execute { gate.value.readAgain() } }
            if isRoom { context.read() } else { self.makeRoom(context) }
        }

        private func makeRoom(_ context: ChannelHandlerContext) {
            // Before anybody ends: it is what tells that this waits.
            self.look = context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionLimit.lookPeriod) {
                self.makeRoom(context)
            }
            self.limit.makeRoom()
        }

        private func readAgain() {
            guard let context = self.context else { return }
            self.look?.cancel()
            self.look = nil
            self.read(context: context)
        }
    }
}
