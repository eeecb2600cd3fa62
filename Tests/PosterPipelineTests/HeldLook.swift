import Flights
import PosterTesting
import Synchronization

/// A clock that blocks the codec at its nth reading: between groups of rows, and before and after encodings.
final class HeldLook: Sendable {
    let reached = Gate()
    let release = Latch()
    private let looks = Atomic<Int>(0)
    private let stop: Int

    /// - Parameter stop: The reading that blocks, from 1 on; 0 only counts.
    init(at stop: Int) {
        self.stop = stop
    }

    /// The number of readings.
    var count: Int { self.looks.load(ordering: .relaxed) }

    func now() -> UInt64 {
        let look = self.looks.add(1, ordering: .relaxed).newValue
        if look == self.stop {
            self.reached.open()
            self.release.wait()
        }
        return UInt64(look)
    }
}
