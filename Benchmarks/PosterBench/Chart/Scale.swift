import Glibc

/// An axis from 0 to a round number, with a round number of steps.
struct Scale {
    /// At least the largest value.
    let end: Double
    let step: Double

    /// - Parameter largest: The largest value; below 0 it counts as 0.
    init(largest: Double, steps: Double = 5) {
        guard largest > 0, largest.isFinite else {
            self.step = 1
            self.end = 1
            return
        }
        let raw = largest / steps
        let unit = pow(10, log10(raw).rounded(.down))
        self.step = unit * ([1, 2, 2.5, 5, 10].first { $0 * unit >= raw } ?? 10)
        self.end = self.step * (largest / self.step).rounded(.up)
    }

    var marks: [Double] { Array(stride(from: 0, through: self.end * 1.0001, by: self.step)) }

    /// Formats a value with the number of digits that the step needs.
    func label(_ value: Double) -> String {
        value.fixed(self.step >= 1 && self.step == self.step.rounded() ? 0 : self.step * 10 >= 1 ? 1 : 3)
    }
}
