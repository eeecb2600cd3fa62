import NIOCore

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
