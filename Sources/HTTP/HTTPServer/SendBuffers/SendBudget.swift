package import CoreMetrics
import NIOCore
import Synchronization

/// Bounds the total memory of responses that their clients have not taken yet.
///
/// A buffer counts from the moment that it could not be sent, or waits to be written, until it has been sent; bytes
/// that are sent immediately are not counted. It counts with its whole allocation, and once however many clients it is
/// sent to: many slow readers of one poster cost as much as one. Above the limit, the responses without progress for
/// longest are ended: first those that free memory by it, then others. A single response is never ended.
///
/// The lock is taken for responses that wait, never for a hit that is sent immediately.
package final class SendBudget: Sendable {
    /// Default limit, in bytes.
    package static let defaultLimit = 64 << 20
    /// Estimated cost of a waiting response in addition to its body, in bytes: its handlers, tasks and buffers.
    static let overhead = 32 << 10

    /// The memory of a body, or of a part of it.
    package struct Allocation: Sendable {
        /// Identity of the object that owns the memory.
        let id: ObjectIdentifier
        let byteCount: Int

        /// The whole storage of `buffer`, also if it is a slice.
        init(of buffer: ByteBuffer) {
            self.id = buffer.withUnsafeReadableBytesWithStorageManagement { ObjectIdentifier($1.takeUnretainedValue()) }
            self.byteCount = buffer.storageCapacity
        }

        /// An allocation of unknown identity.
        ///
        /// - Parameter owner: Stands for it; must have no other allocation.
        init(_ byteCount: Int, of owner: AnyObject) {
            self.id = ObjectIdentifier(owner)
            self.byteCount = byteCount
        }
    }

    private let limit: Int
    private let state = Mutex(SendLedger())
    private let held: Meter
    private let ended: Counter

    /// - Parameters:
    ///   - limit: Maximum number of bytes held.
    ///   - metrics: Records the bytes held and the number of ended responses.
    package init(limit: Int = SendBudget.defaultLimit, metrics: any MetricsFactory = MetricsSystem.factory) {
        self.limit = limit
        self.held = Meter(label: "onesheet.send.held.bytes", factory: metrics)
        self.ended = Counter(label: "onesheet.send.ended", factory: metrics)
        self.held.set(0)
        Meter(label: "onesheet.send.budget.bytes", factory: metrics).set(limit)
    }

    package var heldByteCount: Int { self.state.withLock { $0.held } }

    /// Number of connections and streams that hold memory.
    package var accountCount: Int { self.state.withLock { $0.accountCount } }

    func hold(_ allocation: Allocation, for account: SendAccount) {
        self.change { $0.hold(allocation, for: account, now: .now()) }
    }

    func release(_ allocation: Allocation, of account: SendAccount) {
        self.change { $0.release(allocation.id, of: account, now: .now()) }
    }

    /// Releases everything that an account holds; it has ended.
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

/// The table of ``SendBudget``: which account refers to which allocation. A value without lock and clock.
struct SendLedger {
    private struct Entry {
        let account: SendAccount
        /// Number of references to each allocation.
        var allocations: [ObjectIdentifier: Int] = [:]
        /// The time when the account began to hold memory, or last released some.
        var since: NIODeadline
    }

    private struct Memory {
        let byteCount: Int
        /// Number of accounts that refer to it.
        var accountCount: Int
    }

    /// Total in bytes: each allocation once, and ``SendBudget/overhead`` for each account.
    private(set) var held = 0
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var memory: [ObjectIdentifier: Memory] = [:]

    var accountCount: Int { self.entries.count }

    mutating func hold(_ allocation: SendBudget.Allocation, for account: SendAccount, now: NIODeadline) {
        let id = account.id
        if self.entries[id] == nil {
            self.entries[id] = Entry(account: account, since: now)
            self.held += SendBudget.overhead
        }
        let count = self.entries[id]!.allocations[allocation.id, default: 0]
        self.entries[id]!.allocations[allocation.id] = count + 1
        guard count == 0 else { return }
        if self.memory[allocation.id] == nil {
            self.memory[allocation.id] = Memory(byteCount: allocation.byteCount, accountCount: 0)
            self.held += allocation.byteCount
        }
        self.memory[allocation.id]!.accountCount += 1
    }

    /// Has no effect on a removed account.
    mutating func release(_ allocation: ObjectIdentifier, of account: SendAccount, now: NIODeadline) {
        let id = account.id
        guard let count = self.entries[id]?.allocations[allocation] else { return }
        self.entries[id]!.since = now
        guard count == 1 else {
            self.entries[id]!.allocations[allocation] = count - 1
            return
        }
        self.entries[id]!.allocations[allocation] = nil
        self.forget(allocation)
        if self.entries[id]!.allocations.isEmpty { self.remove(account) }
    }

    mutating func remove(_ account: SendAccount) {
        guard let entry = self.entries.removeValue(forKey: account.id) else { return }
        self.held -= SendBudget.overhead
        for allocation in entry.allocations.keys { self.forget(allocation) }
    }

    /// Removes the accounts without progress for longest until an eighth of the limit is free, so that the table is not
    /// searched for each byte above it. The last one stays.
    ///
    /// - Returns: The removed accounts; the caller ends their responses.
    mutating func removeSlowest(limit: Int) -> [SendAccount] {
        let enough = limit - limit / 8
        let slowest = self.entries.values.sorted { $0.since < $1.since }
        var removed: [SendAccount] = []
        for frees in [true, false] {
            for entry in slowest where self.held > enough && self.entries.count > 1 {
                guard self.entries[entry.account.id] != nil, !frees || self.isFreeing(entry) else {
                    continue
                }
                self.remove(entry.account)
                removed.append(entry.account)
            }
        }
        return removed
    }

    /// Whether it holds an allocation that no other account holds.
    private func isFreeing(_ entry: Entry) -> Bool {
        entry.allocations.keys.contains { self.memory[$0]?.accountCount == 1 }
    }

    private mutating func forget(_ allocation: ObjectIdentifier) {
        guard var memory = self.memory[allocation] else { return }
        memory.accountCount -= 1
        self.memory[allocation] = memory.accountCount > 0 ? memory : nil
        if memory.accountCount == 0 { self.held -= memory.byteCount }
    }
}
