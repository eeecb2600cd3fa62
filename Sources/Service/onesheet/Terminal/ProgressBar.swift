import Flights
import Glibc

/// The progress of a command: on a terminal one line that is redrawn, in a log one line per tenth.
struct ProgressBar {
    private static let columns = 24
    /// Minimum time between two redraws on a terminal, in nanoseconds.
    private static let interval: UInt64 = 100_000_000
    /// The maximum length of a note, in characters: a line that wraps could not be redrawn.
    private static let noteLimit = 40

    private let isTerminal: Bool
    private let now: () -> UInt64
    private let write: (String) -> Void
    private var drawn: UInt64?
    /// The next milestone to be logged: a tenth of the total, or a count without a total.
    private var nextTenth = 1
    private var nextCount = 1

    /// - Parameters:
    ///   - now: Nanoseconds of a monotonic clock.
    ///   - write: Writes text unchanged.
    init(isTerminal: Bool, now: @escaping () -> UInt64, write: @escaping (String) -> Void) {
        self.isTerminal = isTerminal
        self.now = now
        self.write = write
    }

    static func onStandardError() -> ProgressBar {
        ProgressBar(
            isTerminal: isatty(STDERR_FILENO) == 1, now: Uptime.nanoseconds,
            write: { StandardError.write($0, terminator: "") })
    }

    /// Shows the progress and the current item, at most every 100 ms on a terminal.
    /// - Parameter total: `nil` while it is unknown.
    mutating func show(done: Int, total: Int?, note: String? = nil) {
        let text = Self.count(done, total) + (note.map { " " + Self.printable($0) } ?? "")
        if self.isTerminal {
            let now = self.now()
            let isLast = total.map { done >= $0 } ?? false
            if let drawn = self.drawn, !isLast, now - drawn < Self.interval { return }
            self.drawn = now
            self.write("\r\u{1B}[K" + (total.map { Self.bar(done, of: $0) + " " } ?? "") + text)
        } else if self.reachesMilestone(done, total) {
            self.write(text + "\n")
        }
    }

    /// Erases the bar before the result is printed.
    func finish() {
        if self.isTerminal, self.drawn != nil { self.write("\r\u{1B}[K") }
    }

    private mutating func reachesMilestone(_ done: Int, _ total: Int?) -> Bool {
        guard let total else {
            // Without a total, logs each time the count has doubled.
            guard done >= self.nextCount else { return false }
            while self.nextCount <= done, self.nextCount <= Int.max / 2 { self.nextCount *= 2 }
            return true
        }
        let tenth = total > 0 ? Int(10 * Double(min(done, total)) / Double(total)) : 10
        guard tenth >= self.nextTenth else { return false }
        self.nextTenth = tenth + 1
        return true
    }

    private static func bar(_ done: Int, of total: Int) -> String {
        let part = total > 0 ? Double(min(max(done, 0), total)) / Double(total) : 1
        let filled = Int(part * Double(Self.columns))
        return String(repeating: "█", count: filled) + String(repeating: "·", count: Self.columns - filled)
    }

    private static func count(_ done: Int, _ total: Int?) -> String {
        total.map { "\(done)/\($0)" } ?? "\(done)"
    }

    /// Replaces control characters, which could move the cursor.
    private static func printable(_ note: String) -> String {
        let scalars = note.unicodeScalars.prefix(Self.noteLimit)
        return String(scalars.map { $0.properties.generalCategory == .control ? "?" : Character($0) })
    }
}
