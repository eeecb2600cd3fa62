package import NIOCore
import Synchronization

/// A connection of HTTP/1.1 or a stream of HTTP/2 in a ``SendBudget``.
struct SendAccount: Sendable {
    /// What ends the response of a channel at once, whatever was written; the handler next to the socket, or to the
    /// stream, takes it.
    struct End: Sendable {}

    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// The channel's: there is one account for each.
    var id: ObjectIdentifier { ObjectIdentifier(self.channel as AnyObject) }

    /// From any thread. Not at once: the caller may be the channel's own handler, in the midst of its bodies.
    func end() {
        let channel = self.channel
        channel.eventLoop.execute { channel.triggerUserOutboundEvent(End(), promise: nil) }
    }
}

/// What the response of one client keeps in memory before it is written: a body that is queued behind others of its
/// connection is in no channel's buffer. Safe from any thread.
///
/// What was written is accounted for where it is sent, by ``UnsentBodies``.
package final class ResponseAccount: Sendable {
    /// A body that is about to be written.
    package enum Body {
        /// In memory.
        case buffer(ByteBuffer)
        /// It is read when it can be sent, and accounted for then.
        case pieces
    }

    /// The longest body that is not accounted for, in bytes.
    private static let freeLength = 4 << 10

    private let budget: SendBudget
    private let account: SendAccount
    /// Of the response that is being made.
    private let announced = Mutex<Body?>(nil)

    init(_ budget: SendBudget, _ channel: any Channel) {
        self.budget = budget
        self.account = SendAccount(channel)
    }

    /// What the response that is being made will be; without it only its length is known.
    package func announce(_ body: Body) {
        self.announced.withLock { $0 = body }
    }

    /// Holds the body of the response that is written next.
    ///
    /// - Returns: What to release when it was written; nil for what is not worth it.
    func hold(byteCount: Int?) -> SendBudget.Allocation? {
        let announced = self.announced.withLock { announced in
            defer { announced = nil }
            return announced
        }
        if case .pieces? = announced { return nil }
        guard let byteCount, byteCount > Self.freeLength else { return nil }
        guard case .buffer(let bytes)? = announced else { return self.hold(.init(byteCount, of: self)) }
        return self.hold(bytes)
    }

    /// Holds a piece that is written next.
    package func hold(_ piece: ByteBuffer) -> SendBudget.Allocation {
        self.hold(.init(of: piece))
    }

    private func hold(_ allocation: SendBudget.Allocation) -> SendBudget.Allocation {
        self.budget.hold(allocation, for: self.account)
        return allocation
    }

    package func release(_ allocation: SendBudget.Allocation?) {
        if let allocation { self.budget.release(allocation, of: self.account) }
    }
}

/// Bodies of one connection or stream that were written and are not sent yet. Belongs to the channel's event loop.
final class UnsentBodies {
    private struct Body {
        let number: Int
        let allocation: SendBudget.Allocation
        var isHeld = false
    }

    private let budget: SendBudget
    private let account: SendAccount
    private var bodies: [Body] = []
    private var lastNumber = 0
    private var hasNew = false
    private var hasHeld = false
    /// What is held beside the bodies: copies that TLS has made, and small writes.
    private var buffered: SendBudget.Allocation?

    init(_ budget: SendBudget, of channel: any Channel) {
        self.budget = budget
        self.account = SendAccount(channel)
    }

    var isEmpty: Bool { self.bodies.isEmpty }

    /// - Returns: Its number, for ``remove(_:)``.
    func add(_ body: ByteBuffer) -> Int {
        self.lastNumber += 1
        self.bodies.append(Body(number: self.lastNumber, allocation: SendBudget.Allocation(of: body)))
        self.hasNew = true
        return self.lastNumber
    }

    /// - Parameter sent: Succeeds when the last byte has been sent.
    func add(_ body: ByteBuffer, sent: EventLoopFuture<Void>) {
        let number = self.add(body)
        // One that fails is of a connection that has ended.
        sent.assumeIsolated().whenComplete { _ in self.remove(number) }
    }

    /// To be called after a flush: what was not sent by it is held from now on.
    func holdWhatIsLeft() {
        guard self.hasNew else { return }
        self.hasNew = false
        self.hasHeld = !self.bodies.isEmpty || self.hasHeld
        for index in self.bodies.indices where !self.bodies[index].isHeld {
            self.bodies[index].isHeld = true
            self.budget.hold(self.bodies[index].allocation, for: self.account)
        }
    }

    /// - Parameter byteCount: What is buffered beside the bodies; replaces the previous value.
    func note(buffered byteCount: Int) {
        guard byteCount != self.buffered?.byteCount ?? 0 else { return }
        self.hasHeld = true
        let before = self.buffered
        self.buffered = byteCount > 0 ? SendBudget.Allocation(byteCount, of: self) : nil
        if let before { self.budget.release(before, of: self.account) }
        if let buffered { self.budget.hold(buffered, for: self.account) }
    }

    /// The channel has ended.
    func close() {
        if self.hasHeld { self.budget.close(self.account) }
    }

    /// Nothing refers to the body any more.
    func remove(_ number: Int) {
        guard let index = self.bodies.firstIndex(where: { $0.number == number }) else { return }
        let body = self.bodies.remove(at: index)
        if body.isHeld { self.budget.release(body.allocation, of: self.account) }
    }
}
