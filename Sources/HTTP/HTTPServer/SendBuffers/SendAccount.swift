package import NIOCore
import Synchronization

/// An HTTP/1.1 connection or HTTP/2 stream in a ``SendBudget``.
struct SendAccount: Sendable {
    /// An outbound event that ends a channel's response immediately, dropping unsent bytes; handled by the handler next
    /// to the socket or stream.
    struct End: Sendable {}

    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// The channel's identity: there is one account for each.
    var id: ObjectIdentifier { ObjectIdentifier(self.channel as AnyObject) }

    /// Ends the response. Thread-safe. Asynchronous, because the caller may be the channel's own handler while it
    /// iterates over its bodies.
    func end() {
        let channel = self.channel
        channel.eventLoop.execute { channel.triggerUserOutboundEvent(End(), promise: nil) }
    }
}

/// Accounts for the memory of a client's response before it is written: a body queued behind others of its connection
/// is in no channel's buffer. Thread-safe.
///
/// ``UnsentBodies`` accounts for written bytes.
package final class ResponseAccount: Sendable {
    /// A body that is about to be written.
    package enum Body {
        case buffer(ByteBuffer)
        /// Read piece by piece as it can be sent, and accounted for then.
        case pieces
    }

    /// Maximum length of a body that is not accounted for, in bytes.
    private static let freeLength = 4 << 10

    private let budget: SendBudget
    private let account: SendAccount
    /// The announced body of the next response.
    private let announced = Mutex<Body?>(nil)

    init(_ budget: SendBudget, _ channel: any Channel) {
        self.budget = budget
        self.account = SendAccount(channel)
    }

    /// Announces the body of the next response; without it, only its length is known.
    package func announce(_ body: Body) {
        self.announced.withLock { $0 = body }
    }

    /// Holds the body of the next response to be written.
    ///
    /// - Returns: The allocation to release once it is written; `nil` if the body is not accounted for.
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

/// Bodies of one connection or stream that were written and are not sent yet. Confined to the channel's event loop.
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
    /// Memory held in addition to the bodies: TLS's copies, and small writes.
    private var buffered: SendBudget.Allocation?

    init(_ budget: SendBudget, of channel: any Channel) {
        self.budget = budget
        self.account = SendAccount(channel)
    }

    var isEmpty: Bool { self.bodies.isEmpty }

    /// - Returns: The body's number, for ``remove(_:)``.
    func add(_ body: ByteBuffer) -> Int {
        self.lastNumber += 1
        self.bodies.append(Body(number: self.lastNumber, allocation: SendBudget.Allocation(of: body)))
        self.hasNew = true
        return self.lastNumber
    }

    /// - Parameter sent: Completed when the last byte has been sent.
    func add(_ body: ByteBuffer, sent: EventLoopFuture<Void>) {
        let number = self.add(body)
        // Also called if it fails, because the connection has ended.
        sent.assumeIsolated().whenComplete { _ in self.remove(number) }
    }

    /// Holds the bodies that a flush has not sent. Call it after the flush.
    func holdWhatIsLeft() {
        guard self.hasNew else { return }
        self.hasNew = false
        self.hasHeld = !self.bodies.isEmpty || self.hasHeld
        for index in self.bodies.indices where !self.bodies[index].isHeld {
            self.bodies[index].isHeld = true
            self.budget.hold(self.bodies[index].allocation, for: self.account)
        }
    }

    /// - Parameter byteCount: Number of bytes buffered in addition to the bodies; replaces the previous value.
    func note(buffered byteCount: Int) {
        guard byteCount != self.buffered?.byteCount ?? 0 else { return }
        self.hasHeld = true
        let before = self.buffered
        self.buffered = byteCount > 0 ? SendBudget.Allocation(byteCount, of: self) : nil
        if let before { self.budget.release(before, of: self.account) }
        if let buffered { self.budget.hold(buffered, for: self.account) }
    }

    /// Releases everything when the channel has closed.
    func close() {
        if self.hasHeld { self.budget.close(self.account) }
    }

    /// Releases a body that nothing refers to any more.
    func remove(_ number: Int) {
        guard let index = self.bodies.firstIndex(where: { $0.number == number }) else { return }
        let body = self.bodies.remove(at: index)
        if body.isHeld { self.budget.release(body.allocation, of: self.account) }
    }
}
