import Synchronization

/// A `Double` that several threads change.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var current: Double { Double(bitPattern: self.bits.load(ordering: .relaxed)) }

    func set(_ value: Double) {
        self.bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var known = self.bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: known) + amount
            let (isDone, found) = self.bits.weakCompareExchange(
                expected: known, desired: sum.bitPattern, ordering: .relaxed)
            if isDone { return }
            known = found
        }
    }
}
