import CoreMetrics
import Logging
import NIOCore
import Synchronization

/// Limits the open connections of all listening addresses, in total and per client address.
///
/// A few above the limit are accepted without a permit: they can reach ``OperationsPaths``, and wait for a permit with
/// every other request. More wait in the kernel's backlog. While connections wait, idle ones are closed in their
/// favour.
package final class ConnectionLimiter: Sendable {
    package struct Bounds: Sendable {
        /// Maximum number of connections with a permit; at least 1.
        var count: Int
        /// Maximum number of connections from one address, or /64 network of IPv6; 0 disables the limit.
        var perAddress: Int
        /// Proxies: their connections serve many clients, and are neither counted by address nor closed for the
        /// refusals of one client.
        var proxies: TrustedProxies
        /// Minimum time without a request after which a connection may be closed for others: enough to send one after
        /// the accept, and the next one of a page.
        var leastRest = TimeAmount.seconds(1)
        /// Minimum time for which a connection with pending output is observed before it counts as slow.
        var leastObservation = TimeAmount.seconds(3)
        /// Minimum time without a request, after the accept or a response, after which a connection above the limit is
        /// closed while no more are accepted; also the interval of these checks. A client sends its request right after
        /// the accept.
        var leastSilence = TimeAmount.milliseconds(50)
        /// Interval of the search for connections to close, while others wait.
        var lookPeriod = TimeAmount.seconds(1)

        package init(_ count: Int, perAddress: Int = 0, proxies: TrustedProxies = TrustedProxies()) {
            self.count = count
            self.perAddress = perAddress
            self.proxies = proxies
        }

        /// Number of connections above ``count`` that are accepted.
        var reserve: Int { max(8, min(ConnectionLimiter.mostInReserve, self.count / 4)) }
    }

    /// Maximum number of connections that are accepted above the limit.
    static let mostInReserve = 64
    /// Maximum number of connections accepted at once. The loop serves all busy connections before it accepts the next
    /// ones: with NIO's default of 4, the last of 256 clients that connect together gets its first response 2 to 4
    /// times as late.
    static let mostPerAccept = 64
    /// Maximum number of connections closed at once; also bounded by an eighth of all.
    static let mostPerLook = 32

    struct State {
        var count = 0
        /// Connections without a permit, in the order of their accepts.
        var waiting: [IdleTracker] = []
        /// Resume listening sockets that have paused accepting.
        var paused: [@Sendable () -> Void] = []
        var open: [ObjectIdentifier: IdleTracker] = [:]
        var byAddress: [ClientRateLimiter.Key: Int] = [:]
        /// Connections chosen by the last search that are still open.
        var ending: Set<ObjectIdentifier> = []
        /// Whether the next search is scheduled, and the one for silent connections.
        var isLooking = false
        var isLookingForSilence = false
        var refusals = RefusalLog()
    }

    let bounds: Bounds
    let state = Mutex(State())
    let endedForRoom: Counter
    private let openConnections: Meter
    private let waitingConnections: Meter
    private let paused: Meter
    private let refused: Counter
    private let logger: Logger

    init(_ bounds: Bounds, metrics: any MetricsFactory = MetricsSystem.factory, logger: Logger) {
        self.bounds = bounds
        self.logger = logger
        self.openConnections = Meter(label: "onesheet.connections", factory: metrics)
        self.waitingConnections = Meter(label: "onesheet.connections.waiting", factory: metrics)
        self.paused = Meter(label: "onesheet.connections.paused", factory: metrics)
        self.refused = Counter(label: "onesheet.connections.refused", factory: metrics)
        self.endedForRoom = Counter(label: "onesheet.connections.ended_for_room", factory: metrics)
        for meter in [self.openConnections, self.waitingConnections, self.paused] { meter.set(0) }
        Meter(label: "onesheet.connections.limit", factory: metrics).set(bounds.count)
    }

    var count: Int { self.state.withLock { $0.count } }

    /// - Parameter later: Called once when there is room again, if there is none.
    /// - Returns: The number of further connections that can be accepted, at least 0.
    func room(orElse later: @escaping @Sendable () -> Void) -> Int {
        self.state.withLock { state in
            let room = self.bounds.count + self.bounds.reserve - state.count
            guard room <= 0 else { return room }
            state.paused.append(later)
            self.paused.set(1)
            return 0
        }
    }

    // MARK: Connections

    /// Counts an accepted connection until it closes.
    ///
    /// - Parameter address: The address of its peer.
    /// - Returns: `nil` if its address has too many connections: it must be closed.
    func admit(_ channel: any Channel, from address: ClientAddress, now: NIODeadline = .now()) -> IdleTracker? {
        let isExempt = self.isExempt(address)
        let key = isExempt ? nil : ClientRateLimiter.Key(address)
        let tracker = self.state.withLock { state -> IdleTracker? in
            if let key, self.bounds.perAddress > 0 {
                guard state.byAddress[key, default: 0] < self.bounds.perAddress else { return nil }
                state.byAddress[key, default: 0] += 1
            }
            state.count += 1
            let hasPermit = state.count - state.waiting.count <= self.bounds.count
            let tracker = IdleTracker(channel, hasPermit: hasPermit, isShared: isExempt, now: now)
            if !hasPermit { state.waiting.append(tracker) }
            state.open[ObjectIdentifier(channel as AnyObject)] = tracker
            self.waitingConnections.set(state.waiting.count)
            return tracker
        }
        guard let tracker else {
            self.refuse(address, now: now)
            return nil
        }
        self.openConnections.increment()
        channel.closeFuture.whenComplete { _ in self.closed(tracker, key) }
        return tracker
    }

    /// Adds the tracker's handler. Call it on the event loop of a connection that is being set up.
    func watch(_ channel: any Channel) throws {
        guard let tracker = self.state.withLock({ $0.open[ObjectIdentifier(channel as AnyObject)] }) else { return }
        try channel.pipeline.syncOperations.addHandler(IdleTracker.Handler(tracker), position: .first)
    }

    private func closed(_ tracker: IdleTracker, _ key: ClientRateLimiter.Key?) {
        let (promoted, resumed, mustLook) = self.state.withLock { state in
            state.count -= 1
            state.open[ObjectIdentifier(tracker.channel as AnyObject)] = nil
            if let key, let count = state.byAddress[key] { state.byAddress[key] = count > 1 ? count - 1 : nil }
            var promoted: IdleTracker?
            if let index = state.waiting.firstIndex(where: { $0 === tracker }) {
                state.waiting.remove(at: index)
            } else if !state.waiting.isEmpty {
                promoted = state.waiting.removeFirst()
            }
            self.waitingConnections.set(state.waiting.count)
            var resumed: [@Sendable () -> Void] = []
            if state.count < self.bounds.count + self.bounds.reserve {
                swap(&resumed, &state.paused)
                self.paused.set(0)
            }
            // When all connections closed in favour of others are gone, further ones may be closed.
            let wasLast = state.ending.remove(ObjectIdentifier(tracker)) != nil && state.ending.isEmpty
            return (promoted, resumed, wasLast && !state.waiting.isEmpty)
        }
        self.openConnections.decrement()
        promoted?.permit.take()
        for resume in resumed { resume() }
        if mustLook { self.makeRoom() }
    }

    /// Whether connections from this address serve many clients, or come from programs on this machine without an
    /// address.
    private func isExempt(_ address: ClientAddress) -> Bool {
        switch address {
        case .host: self.bounds.proxies.contains(address)
        case .unixSocket, .unknown: true
        }
    }

    private func refuse(_ address: ClientAddress, now: NIODeadline) {
        self.refused.increment()
        guard let count = self.state.withLock({ $0.refusals.count(now: now) }) else { return }
        self.logger.warning(
            "Connections are refused: their address is at its limit; if it is a proxy, add it to --trusted-proxy",
            metadata: [
                "client.address": "\(address)", "limit": "\(self.bounds.perAddress)", "refused": "\(count)",
            ])
    }
}

extension ConnectionLimiter {
    /// Decides when refusals are logged: the first immediately, later ones together, once per period.
    struct RefusalLog {
        static let period = TimeAmount.minutes(1)

        private var unlogged = 0
        private var next: NIODeadline?

        /// - Returns: The number of refusals to log; `nil` if none is due.
        mutating func count(now: NIODeadline) -> Int? {
            self.unlogged += 1
            if let next, now < next { return nil }
            self.next = now + Self.period
            defer { self.unlogged = 0 }
            return self.unlogged
        }
    }
}

/// Whether an accepted connection has a permit of ``ConnectionLimiter``, or waits for one. Thread-safe.
package final class ConnectionPermit: Sendable {
    private struct State {
        var isRefused = false
        var lastID = 0
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let taken: Atomic<Bool>
    private let state = Mutex(State())
    private let eventLoop: any EventLoop

    /// - Parameter eventLoop: Runs the timers of waits.
    init(isTaken: Bool, eventLoop: any EventLoop) {
        self.taken = Atomic(isTaken)
        self.eventLoop = eventLoop
    }

    /// Whether the connection has a permit; costs one atomic load.
    package var isTaken: Bool { self.taken.load(ordering: .relaxed) }

    /// Whether a request of the connection got no permit in time. The connection closes after its response.
    var isRefused: Bool { self.state.withLock { $0.isRefused } }

    /// Grants the permit, and resumes the requests that wait for it.
    func take() {
        self.taken.store(true, ordering: .relaxed)
        for waiter in self.state.withLock({ $0.waiters.values.map(\.self) }) { waiter.finish() }
    }

    /// - Returns: Whether the connection has a permit in time.
    /// - Throws: `CancellationError`.
    func wait(atMost limit: TimeAmount) async throws -> Bool {
        let (places, continuation) = AsyncStream.makeStream(of: Void.self)
        let id = self.state.withLock { state in
            state.lastID += 1
            state.waiters[state.lastID] = continuation
            return state.lastID
        }
        defer { _ = self.state.withLock { $0.waiters.removeValue(forKey: id) } }
        // The permit may have been granted before the continuation was stored.
        if self.isTaken { return true }
        let deadline = self.eventLoop.scheduleTask(in: limit) { continuation.finish() }
        defer { deadline.cancel() }
        for await _ in places {}
        try Task.checkCancellation()
        if self.isTaken { return true }
        self.state.withLock { $0.isRefused = true }
        return false
    }
}

extension ConnectionLimiter {
    /// A handler of a listening socket that pauses its accepts while the limit is reached.
    final class Gate: ChannelDuplexHandler {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel
        typealias OutboundIn = Never
        typealias OutboundOut = Never

        private let limit: ConnectionLimiter
        private var context: ChannelHandlerContext?
        /// Whether accepting is paused until there is room.
        private var isPaused = false
        /// The channel's maximum number of accepts at once; 0 before the first read.
        private var countPerAccept: UInt = 0

        init(_ limit: ConnectionLimiter) {
            self.limit = limit
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let channel = self.unwrapInboundIn(data)
            guard let tracker = self.limit.admit(channel, from: ClientAddress(channel.remoteAddress)) else {
                // Before the connection is set up: it costs no handshake.
                channel.close(promise: nil)
                return
            }
            if !tracker.permit.isTaken { self.limit.makeRoom(on: context.eventLoop) }
            context.fireChannelRead(data)
        }

        func read(context: ChannelHandlerContext) {
            guard !self.isPaused else { return }
            let loop = context.eventLoop
            let gate = NIOLoopBound(self, eventLoop: loop)
            // Checked again, not read directly: another socket may have been faster.
            let room = self.limit.room { loop.execute { gate.value.readAgain() } }
            self.isPaused = room == 0
            guard !self.isPaused else { return self.limit.endSilence(on: loop) }
            let count = UInt(min(room, ConnectionLimiter.mostPerAccept))
            if count != self.countPerAccept {
                // Fails for a channel that was just closed.
                try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: count)
                self.countPerAccept = count
            }
            context.read()
        }

        private func readAgain() {
            self.isPaused = false
            if let context = self.context { self.read(context: context) }
        }
    }
}
