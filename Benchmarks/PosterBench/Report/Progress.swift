import Glibc

/// Shows a measurement's progress on standard error: one line that is redrawn on a terminal, or one line per step.
struct Progress {
    private static let columns = 24

    private let count: Int
    private var done = 0
    private let isTerminal: Bool
    private let start = Clock.now()

    /// - Parameter count: Number of steps, at least 1.
    init(count: Int) {
        self.count = count
        self.isTerminal = isatty(STDERR_FILENO) == 1
    }

    mutating func step(_ name: String) {
        let seconds = (Double(Clock.now() - self.start) / 1e9).fixed(0)
        if self.isTerminal {
            let filled = Self.columns * self.done / self.count
            let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: Self.columns - filled)
            self.write("\r\u{1B}[K\(bar) \(self.done + 1)/\(self.count) \(name) (\(seconds) s)")
        } else {
            self.write("\(self.done + 1)/\(self.count) \(name) (\(seconds) s)\n")
        }
        self.done = min(self.done + 1, self.count)
    }

    func finish() {
        if self.isTerminal { self.write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
