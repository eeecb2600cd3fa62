import NIOCore

/// The table of ``SendBudget``: which account refers to which allocation. A value without a lock and a clock.
struct SendLedger {
    private struct Entry {
        let account: SendAccount
        /// How often it refers to each allocation.
        var allocations: [ObjectIdentifier: Int] = [:]
        /// When it last began to keep something, or got rid of it.
        var since: NIODeadline
    }

    private struct Memory {
        let byteCount: Int
        /// Those that refer to it.
        var accountCount: Int
    }

    /// In bytes, each allocation once, and ``SendBudget/overhead`` for each account.
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

    /// Of no effect for an account that was removed.
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

    /// Removes those that have made no progress for longest until an eighth of the limit is free, so that the table is
    /// not searched for each byte over it. The last one stays.
    ///
    /// - Returns: Those to end.
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

    /// Whether it keeps what no other one does.
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
