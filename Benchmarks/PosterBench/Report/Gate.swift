/// When a figure counts as worse than it was.
struct Gate: Codable {
    /// Which direction is good.
    enum Better: String, Codable {
        case lower, higher
    }

    let better: Better
    /// The noise band: the part of the old value that it may be off by, 0.05 for 5 %.
    let band: Double
    /// And so much more, in the figure's own unit, for small values.
    let slack: Double
    /// Whether it says something only when machine and libraries are the same, as counts of instructions do.
    let isPerMachine: Bool

    init(_ better: Better, band: Double, slack: Double = 0, isPerMachine: Bool = false) {
        self.better = better
        self.band = band
        self.slack = slack
        self.isPerMachine = isPerMachine
    }

    /// Whether `new` is worse than `old` by more than the band.
    func isBroken(from old: Double, to new: Double) -> Bool {
        let room = old.magnitude * self.band + self.slack
        return switch self.better {
        case .lower: new > old + room
        case .higher: new < old - room
        }
    }
}
