package import Logging
import Synchronization

/// The latest warnings and errors of the log, for the operator's page. Safe from any thread.
package final class RecentLog: Sendable {
    package struct Entry: Hashable, Sendable {
        /// Seconds since 1970.
        package let time: Int64
        package let level: Logger.Level
        package let message: String
        /// The metadata as `name=value`, separated by commas; cut off at ``RecentLog/detailLimit`` scalars.
        package let detail: String
    }

    /// Number of entries; the oldest is dropped.
    package static let countLimit = 50
    package static let detailLimit = 500

    private let stored = Mutex<[Entry]>([])

    package init() {}

    /// The newest first.
    package var entries: [Entry] { self.stored.withLock { $0.reversed() } }

    /// By scalars: a character may have any number of combining marks.
    private static func limited(_ text: String) -> String {
        String(text.unicodeScalars.prefix(self.detailLimit))
    }

    /// Stores warnings and errors; ignores other levels.
    /// - Parameter time: Seconds since 1970.
    func add(_ level: Logger.Level, _ message: String, _ metadata: [(key: String, value: String)], at time: Int64) {
        guard level >= .warning else { return }
        let detail = metadata.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
        let entry = Entry(
            time: time, level: level, message: Self.limited(message), detail: Self.limited(detail))
        self.stored.withLock { entries in
            if entries.count >= Self.countLimit { entries.removeFirst() }
            entries.append(entry)
        }
    }
}
