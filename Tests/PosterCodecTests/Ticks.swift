import Synchronization

@testable import PosterCodec

/// A clock that advances by one at each reading, and can raise a stop flag at a given one.
final class Ticks: Sendable {
    private let readings = Atomic<UInt64>(0)
    private let fatal: UInt64?
    let stop = StopFlag()

    /// - Parameter fatal: The reading, counted from 1, that raises ``stop``.
    init(raisingAt fatal: UInt64? = nil) {
        self.fatal = fatal
    }

    /// The number of readings.
    var count: UInt64 { self.readings.load(ordering: .relaxed) }

    var control: RenderControl {
        RenderControl(stop: self.stop, now: { self.next() })
    }

    func next() -> UInt64 {
        let reading = self.readings.wrappingAdd(1, ordering: .relaxed).newValue
        if reading == self.fatal { self.stop.raise() }
        return reading
    }
}
