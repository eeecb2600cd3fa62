package import CoreMetrics
import NIOCore
import Synchronization

/// How much memory responses may keep together until their clients have taken it.
///
/// What is sent at once is not counted; a buffer counts from the moment that it could not be sent, or waits to be
/// written, until it was sent. It counts with all that was allocated for it, and once however many clients it is sent
/// to: many slow readers of one poster cost as much as one. Above the limit those responses end that have made no
/// progress for longest: first those that free memory by it, then others. One response alone is never ended.
///
/// The lock guards the table of what is held; it is taken for responses that wait, never for a hit that is sent at
/// once.
package final class SendBudget: Sendable {
    /// Unless configured otherwise, in bytes.
    package static let defaultLimit = 64 << 20
    /// What a response that waits costs beside its body, in bytes: its handlers, tasks and buffers. An estimate.
    static let overhead = 32 << 10

    /// What is allocated for a body, or a part of it.
    package struct Allocation: Sendable {
        /// Of the object that owns the memory.
        let id: ObjectIdentifier
        let byteCount: Int

        /// All that `buffer` keeps in memory, also when it is a slice.
        init(of buffer: ByteBuffer) {
            self.id = buffer.withUnsafeReadableBytesWithStorageManagement { ObjectIdentifier($1.takeUnretainedValue()) }
            self.byteCount = buffer.storageCapacity
        }

        /// Bytes of which nothing is known but their number.
        ///
        /// - Parameter owner: Has no other allocation.
        init(_ byteCount: Int, of owner: AnyObject) {
            self.id = ObjectIdentifier(owner)
            self.byteCount = byteCount
        }
    }

    let limit: Int
    private let state = Mutex(SendLedger())
    private let held: Meter
    private let ended: Counter

    /// - Parameters:
    ///   - limit: In bytes.
    ///   - metrics: Where is recorded how much is held, and how often the limit was reached.
    package init(limit: Int = SendBudget.defaultLimit, metrics: any MetricsFactory = MetricsSystem.factory) {
        self.limit = limit
        self.held = Meter(label: "onesheet.send.held.bytes", factory: metrics)
        self.ended = Counter(label: "onesheet.send.ended", factory: metrics)
        self.held.set(0)
        Meter(label: "onesheet.send.budget.bytes", factory: metrics).set(limit)
    }

    /// What responses keep now, in bytes.
    package var heldByteCount: Int { self.state.withLock { $0.held } }

    /// How many connections and streams keep something.
    package var accountCount: Int { self.state.withLock { $0.accountCount } }

    func hold(_ allocation: Allocation, for account: SendAccount, now: NIODeadline = .now()) {
        self.change { $0.hold(allocation, for: account, now: now) }
    }

    func release(_ allocation: Allocation, of account: SendAccount, now: NIODeadline = .now()) {
        self.change { $0.release(allocation.id, of: account, now: now) }
    }

    /// Nothing is sent any more.
    func close(_ account: SendAccount) {
        self.change { $0.remove(account) }
    }

    private func change(_ body: (inout SendLedger) -> Void) {
        let (difference, slowest) = self.state.withLock { ledger in
            let before = ledger.held
            body(&ledger)
            let slowest = ledger.held > self.limit ? ledger.removeSlowest(limit: self.limit) : []
            return (ledger.held - before, slowest)
        }
        if difference > 0 { self.held.increment(by: Double(difference)) }
        if difference < 0 { self.held.decrement(by: Double(-difference)) }
        guard !slowest.isEmpty else { return }
        self.ended.increment(by: slowest.count)
        for account in slowest { account.end() }
    }
}

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

    /// From any thread.
    func end() {
        self.channel.triggerUserOutboundEvent(End(), promise: nil)
    }
}
