import Flights
import PosterTesting
import Synchronization

/// A clock that stops the codec at its nth look: the codec looks between groups of rows, and before and after encodings.
final class HeldLook: Sendable {
    let reached = Gate()
    let release = Latch()
    private let looks = Atomic<Int>(0)
    private let stop: Int

    /// - Parameter stop: From 1 on; 0 stops at none, and only counts.
    init(at stop: Int) {
        self.stop = stop
    }

    /// How often the codec has looked.
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
