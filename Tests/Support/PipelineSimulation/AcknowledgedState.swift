import PosterCodec

/// The state that a schedule has promised to its clients, which later responses are checked against. Used on one thread
/// only.
final class AcknowledgedState: @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    private let machine: SimulatedMachine
    /// By poster: the earliest version that no acknowledged purge has removed.
    private var leastVersions: [Int]
    /// By poster: responses of earlier clients.
    private(set) var held: [[HeldBytes]]
    /// The origin must have confirmed an original since, in seconds.
    private(set) var validationFloor = Int64.min
    /// The number of crashes: a node that has crashed acknowledges nothing more.
    private(set) var generation = 0

    init(posterCount: Int, machine: SimulatedMachine) {
        self.machine = machine
        self.leastVersions = [Int](repeating: 0, count: posterCount)
        self.held = [[HeldBytes]](repeating: [], count: posterCount)
    }

    func crash() { self.generation += 1 }

    /// A purge of all versions before `least` has ended.
    /// - Parameter generation: ``generation`` when the purge began.
    func purged(_ poster: Int, before least: Int, _ generation: Int) {
        guard generation == self.generation else { return }
        self.machine.note("purged p\(poster) before version \(least)")
        self.leastVersions[poster] = max(self.leastVersions[poster], least)
    }

    /// Originals that the origin confirmed until `moment` are not used any more.
    /// - Parameter generation: ``generation`` when that was requested.
    func distrusted(until moment: Int64, _ generation: Int) {
        guard generation == self.generation else { return }
        self.validationFloor = max(self.validationFloor, moment)
    }

    func hold(_ bytes: HeldBytes, of poster: Int) { self.held[poster].append(bytes) }

    /// The check of the response to a request that begins now.
    func check(_ poster: Int, _ target: RenderTarget?) -> ResponseCheck {
        ResponseCheck(
            poster: poster, target: target, held: self.held[poster], leastVersion: self.leastVersions[poster],
            start: self.machine.seconds, validationFloor: self.validationFloor)
    }
}
