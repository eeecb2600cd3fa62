import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Tracks when a connection is idle, refused or slow, and so may be ended for waiting ones. Written on the connection's
/// event loop, read from any thread.
package final class IdleTracker: Sendable {
    /// Why a connection is ended for others.
    enum Reason: Hashable, Sendable {
        /// It has been without a request since then.
        case idle(since: NIODeadline)
        /// It takes less of what was written to it than others.
        case slowness
    }

    /// What a connection has taken while something was written to it that it had not.
    private struct Sending {
        /// How old what was seen may be.
        static let longestPause = TimeAmount.seconds(3)

        let since: NIODeadline
        /// In bytes, all that was ever written counted.
        let takenBefore: Int
        var taken: Int
        var lastLook: NIODeadline
    }

    let channel: any Channel
    package let permit: ConnectionPermit
    /// Whether its requests are those of many clients.
    let isShared: Bool
    private let underWay = Atomic<Int>(0)
    private let lastRead: Atomic<UInt64>
    private let ending = Atomic<Bool>(false)
    /// Answers in a row that refused the client for asking too much.
    private let refusals = Atomic<Int>(0)
    private let answers = Atomic<Int>(0)
    private let sending = Mutex<Sending?>(nil)

    init(_ channel: any Channel, hasPermit: Bool = true, isShared: Bool = false, now: NIODeadline) {
        self.channel = channel
        self.permit = ConnectionPermit(isTaken: hasPermit, eventLoop: channel.eventLoop)
        self.isShared = isShared
        self.lastRead = Atomic(now.uptimeNanoseconds)
    }

    /// nil while a request is answered, while the client has not taken what was, and when the connection is being
    /// ended.
    var since: NIODeadline? {
        guard self.underWay.load(ordering: .relaxed) == 0, !self.isEnding, self.channel.isWritable else { return nil }
        return .uptimeNanoseconds(self.lastRead.load(ordering: .relaxed))
    }

    var isEnding: Bool { self.ending.load(ordering: .relaxed) }

    /// Records that bytes arrived.
    func interrupt(now: NIODeadline) {
        self.lastRead.store(now.uptimeNanoseconds, ordering: .relaxed)
    }

    func requestBegan() {
        self.underWay.wrappingAdd(1, ordering: .relaxed)
    }

    func requestEnded() {
        self.underWay.wrappingSubtract(1, ordering: .relaxed)
    }

    // MARK: Refusals

    /// Whether the last answer, or more, refused the client.
    var isRefused: Bool { self.refusals.load(ordering: .relaxed) > 0 }

    /// How many requests were answered.
    var answerCount: Int { self.answers.load(ordering: .relaxed) }

    /// A request was answered. On the connection's event loop.
    ///
    /// - Returns: How many refusals there were in a row, this one included; 0 for what is none.
    @discardableResult
    package func answered(isRefusal: Bool) -> Int {
        self.answers.store(self.answerCount &+ 1, ordering: .relaxed)
        guard isRefusal, !self.isShared else {
            self.refusals.store(0, ordering: .relaxed)
            return 0
        }
        return self.refusals.wrappingAdd(1, ordering: .relaxed).newValue
    }

    // MARK: Slowness

    /// Looks at what the client takes, soon.
    func observe() {
        self.channel.eventLoop.execute {
            guard let handler = try? self.channel.pipeline.syncOperations.handler(type: Handler.self) else { return }
            self.observe(handler.sent(on: self.channel), now: .now())
        }
    }

    /// - Parameter sent: What the client has taken of all that was ever written, in bytes, and whether something is
    ///   left; nil when that is not known.
    func observe(_ sent: (taken: Int, isWaiting: Bool)?, now: NIODeadline) {
        self.sending.withLock { sending in
            guard let sent, sent.isWaiting else {
                sending = nil
                return
            }
            // What was seen before a pause says nothing of what is sent now.
            if var current = sending, now - current.lastLook <= Sending.longestPause {
                (current.taken, current.lastLook) = (sent.taken, now)
                sending = current
            } else {
                sending = Sending(since: now, takenBefore: sent.taken, taken: sent.taken, lastLook: now)
            }
        }
    }

    /// What the client takes, in bytes a second; nil for one that has taken all, or is not observed for so long yet.
    func rate(observedFor duration: TimeAmount, now: NIODeadline) -> Int? {
        self.sending.withLock { sending in
            guard let sending, now - sending.lastLook <= Sending.longestPause else { return nil }
            let observed = sending.lastLook - sending.since
            guard observed > .zero, observed >= duration else { return nil }
            return Int(Double(sending.taken - sending.takenBefore) / (Double(observed.nanoseconds) / 1e9))
        }
    }

    // MARK: The end

    /// Ends the connection for others, unless its state has changed meanwhile.
    func end(_ reason: Reason) {
        self.channel.eventLoop.execute {
            switch reason {
            case .idle(let since):
                // Something may have come.
                guard self.since == since else { return }
                self.ending.store(true, ordering: .relaxed)
                self.endInOrder()
            case .slowness:
                self.ending.store(true, ordering: .relaxed)
                self.cut()
            }
        }
    }

    /// As a server that stops would.
    private func endInOrder() {
        let pipeline = self.channel.pipeline.syncOperations
        if (try? pipeline.handler(type: HandshakeDeadline.self)) != nil {
            self.channel.close(promise: nil)  // there is no HTTP yet that could be ended
        } else {
            self.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    private func cut() {
        if let end = try? self.channel.pipeline.syncOperations.handler(type: ConnectionDeadlines.SocketHandler.self) {
            end.cut()
        } else {
            self.channel.close(promise: nil)
        }
    }
}
