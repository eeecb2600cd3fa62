import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServer

struct SendLedgerTests {
    private let channels = (0..<4).map { _ in EmbeddedChannel() }

    private var accounts: [SendAccount] { self.channels.map { SendAccount($0) } }

    private static func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(1) + .seconds(seconds) }

    private static func buffer(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 1, count: count) }

    @Test("a buffer counts once however many clients it is sent to, and with all that was allocated for it")
    func shared() {
        var ledger = SendLedger()
        let buffer = Self.buffer(1 << 20)
        let part = buffer.getSlice(at: 0, length: 1)!
        for account in self.accounts {
            ledger.hold(.init(of: buffer), for: account, now: Self.at(0))
            ledger.hold(.init(of: part), for: account, now: Self.at(0))
        }
        #expect(ledger.held == buffer.storageCapacity + 4 * SendBudget.overhead)
        let whole = SendBudget.Allocation(of: buffer)
        for account in self.accounts { ledger.release(whole.id, of: account, now: Self.at(1)) }
        #expect(ledger.held == buffer.storageCapacity + 4 * SendBudget.overhead, "the slices are not sent")
        ledger.remove(self.accounts[0])
        for account in self.accounts { ledger.release(whole.id, of: account, now: Self.at(2)) }
        #expect(ledger.held == 0 && ledger.accountCount == 0)
    }

    @Test("those without progress for longest go first, and only as many as it takes")
    func slowest() {
        var ledger = SendLedger()
        let bodies = (0..<4).map { _ in Self.buffer(1 << 20) }
        let buffers = bodies.map { SendBudget.Allocation(of: $0) }
        for (index, account) in self.accounts.enumerated() {
            ledger.hold(buffers[index], for: account, now: Self.at(Int64(index)))
        }
        // The first reader has taken a piece in the meantime and received the next one.
        ledger.hold(buffers[3], for: self.accounts[0], now: Self.at(9))
        ledger.release(buffers[3].id, of: self.accounts[0], now: Self.at(9))
        let gone = ledger.removeSlowest(limit: 3 << 20)
        #expect(gone.map(\.id) == [self.accounts[1].id, self.accounts[2].id])
        #expect(ledger.accountCount == 2)
        withExtendedLifetime(bodies) {}
    }

    @Test("readers of one poster stay as long as others keep memory of their own")
    func popular() {
        var ledger = SendLedger()
        let bodies = [Self.buffer(1 << 20), Self.buffer(4 << 20)]
        let popular = SendBudget.Allocation(of: bodies[0])
        for account in self.accounts.prefix(3) { ledger.hold(popular, for: account, now: Self.at(0)) }
        let own = SendBudget.Allocation(of: bodies[1])
        ledger.hold(own, for: self.accounts[3], now: Self.at(50))
        #expect(ledger.removeSlowest(limit: 3 << 20).map(\.id) == [self.accounts[3].id])
        #expect(ledger.accountCount == 3)
        withExtendedLifetime(bodies) {}
    }

    @Test("one response alone is never ended")
    func alone() {
        var ledger = SendLedger()
        ledger.hold(.init(of: Self.buffer(4 << 20)), for: self.accounts[0], now: Self.at(0))
        #expect(ledger.removeSlowest(limit: 1 << 20).isEmpty)
        #expect(ledger.accountCount == 1)
    }

    @Test("what is given back after the end of its response counts no more")
    func late() {
        var ledger = SendLedger()
        let allocation = SendBudget.Allocation(of: Self.buffer(1000))
        ledger.hold(allocation, for: self.accounts[0], now: Self.at(0))
        ledger.remove(self.accounts[0])
        ledger.release(allocation.id, of: self.accounts[0], now: Self.at(1))
        #expect(ledger.held == 0)
    }
}
