/// The condition under which a figure counts as worse.
struct Gate: Codable {
    enum Better: String, Codable {
        case lower, higher
    }

    let better: Better
    /// The noise band as a share of the old value, 0.05 for 5 %.
    let band: Double
    /// Additional tolerance for small values, in the figure's unit.
    let slack: Double
    /// Whether the figure is comparable only between equal machines and libraries, as instruction counts are.
    let isPerMachine: Bool

    init(_ better: Better, band: Double, slack: Double = 0, isPerMachine: Bool = false) {
        self.better = better
        self.band = band
        self.slack = slack
        self.isPerMachine = isPerMachine
    }

    func isBroken(from old: Double, to new: Double) -> Bool {
        let room = old.magnitude * self.band + self.slack
        return switch self.better {
        case .lower: new > old + room
        case .higher: new < old - room
        }
    }
}
