import CoreMetrics
import Logging
import NIOCore
import Synchronization

/// Limits the open connections of all listening addresses together, and those from one client address.
///
/// A few above the limit are accepted without a permit: they can reach ``OperationsPaths``, and wait for a permit with
/// every other request. More wait in the kernel's backlog. While connections wait, idle ones are ended for them.
package final class ConnectionLimiter: Sendable {
    package struct Bounds: Sendable {
        /// Connections with a permit; at least 1.
        var count: Int
        /// Connections from one address, or /64 network of IPv6; 0 for any number.
        var perAddress: Int
        /// Their connections serve many clients: neither counted by address nor ended for the refusals of one client.
        var proxies: TrustedProxies
        /// How long a connection must have been without a request to be ended for others: time enough to send one after
        /// the accept, and the next one of a page.
        var leastRest = TimeAmount.seconds(1)
        /// How long a connection is observed while it does not take what was written to it, before it can be called
        /// slow.
        var leastObservation = TimeAmount.seconds(3)
        /// How long a connection above the limit may be without a request while no more are accepted, after the accept or a
        /// response, and how often it is looked for such ones. A request comes right behind the accept.
        var leastSilence = TimeAmount.milliseconds(50)
        /// How often it is looked again for connections to end, while others wait.
        var lookPeriod = TimeAmount.seconds(1)

        package init(_ count: Int, perAddress: Int = 0, proxies: TrustedProxies = TrustedProxies()) {
            self.count = count
            self.perAddress = perAddress
            self.proxies = proxies
        }

        /// Connections above ``count`` that are accepted.
        var reserve: Int { max(8, min(ConnectionLimiter.mostInReserve, self.count / 4)) }
    }

    /// The most connections that are accepted above the limit.
    static let mostInReserve = 64
    /// The most that are ended at one look; at most an eighth of all.
    static let mostPerLook = 32

    struct State {
        /// All that are open.
        var count = 0
        /// Those without a permit, in the order of their accepts.
        var waiting: [IdleTracker] = []
        /// Listening sockets that would accept more.
        var paused: [@Sendable () -> Void] = []
        var open: [ObjectIdentifier: IdleTracker] = [:]
        var byAddress: [ClientRateLimiter.Key: Int] = [:]
        /// Those that the last look ended, and that are still open.
        var ending: Set<ObjectIdentifier> = []
        /// Whether a next look is scheduled, and one for silent connections.
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

    /// - Parameter later: Called once when there is room again, if there is none now.
    /// - Returns: Whether one more can be accepted.
    func hasRoom(orElse later: @escaping @Sendable () -> Void) -> Bool {
        self.state.withLock { state in
            if state.count < self.bounds.count + self.bounds.reserve { return true }
            state.paused.append(later)
            self.paused.set(1)
            return false
        }
    }

    // MARK: Connections

    /// Counts a connection that was accepted, until it closes.
    ///
    /// - Parameter address: Of its other end.
    /// - Returns: nil for one that is too many of its address: it must be closed.
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

    /// To be called on the event loop of a connection that is being set up.
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
            // When all have left that were ended for others, more can be.
            let wasLast = state.ending.remove(ObjectIdentifier(tracker)) != nil && state.ending.isEmpty
            return (promoted, resumed, wasLast && !state.waiting.isEmpty)
        }
        self.openConnections.decrement()
        promoted?.permit.take()
        for resume in resumed { resume() }
        if mustLook { self.makeRoom() }
    }

    /// Whether connections from there are those of many clients, or of programs of this machine that need no address.
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
            "Connections are refused: their address has as many as it may; if it is a proxy, name it in --trusted-proxy",
            metadata: [
                "client.address": "\(address)", "limit": "\(self.bounds.perAddress)", "refused": "\(count)",
            ])
    }
}

extension ConnectionLimiter {
    /// When refusals are logged: the first at once, later ones together, once a period.
    struct RefusalLog {
        static let period = TimeAmount.minutes(1)

        private var unlogged = 0
        private var next: NIODeadline?

        /// - Returns: How many are to be logged; nil for none yet.
        mutating func count(now: NIODeadline) -> Int? {
            self.unlogged += 1
            if let next, now < next { return nil }
            self.next = now + Self.period
            defer { self.unlogged = 0 }
            return self.unlogged
        }
    }
}

/// Whether an accepted connection has a permit of ``ConnectionLimiter``, or waits for one. Safe from
/// any thread.
package final class ConnectionPermit: Sendable {
    private struct State {
        var isRefused = false
        var lastID = 0
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let taken: Atomic<Bool>
    private let state = Mutex(State())
    private let eventLoop: any EventLoop

    /// - Parameter eventLoop: Counts the time that is waited.
    init(isTaken: Bool, eventLoop: any EventLoop) {
        self.taken = Atomic(isTaken)
        self.eventLoop = eventLoop
    }

    /// Whether the connection has a permit; costs one atomic load.
    package var isTaken: Bool { self.taken.load(ordering: .relaxed) }

    /// Whether a request of the connection got no permit in time. The connection ends with that response.
    var isRefused: Bool { self.state.withLock { $0.isRefused } }

    /// Grants the permit, and resumes the requests that wait for it.
    func take() {
        self.taken.store(true, ordering: .relaxed)
        for waiter in self.state.withLock({ $0.waiters.values.map(\.self) }) { waiter.finish() }
    }

    /// Waits for the permit.
    ///
    /// - Returns: Whether the connection has it.
    /// - Throws: `CancellationError`.
    func wait(atMost limit: TimeAmount) async throws -> Bool {
        let (places, continuation) = AsyncStream.makeStream(of: Void.self)
        let id = self.state.withLock { state in
            state.lastID += 1
            state.waiters[state.lastID] = continuation
            return state.lastID
        }
        defer { _ = self.state.withLock { $0.waiters.removeValue(forKey: id) } }
        // It may have been given before anything waited.
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
    /// In the pipeline of a listening socket; pauses its accepts while the limit is reached.
    final class Gate: ChannelDuplexHandler {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel
        typealias OutboundIn = Never
        typealias OutboundOut = Never

        private let limit: ConnectionLimiter
        private var context: ChannelHandlerContext?
        /// Whether more is accepted when there is room again.
        private var isPaused = false

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
                // Before it is set up: it costs no handshake.
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
            // Asked again, not read: another socket may have been faster.
            self.isPaused = !self.limit.hasRoom { loop.execute { gate.value.readAgain() } }
            if self.isPaused { self.limit.endSilence(on: loop) } else { context.read() }
        }

        private func readAgain() {
            self.isPaused = false
            if let context = self.context { self.read(context: context) }
        }
    }
}
