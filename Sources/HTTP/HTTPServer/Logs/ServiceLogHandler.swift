import Glibc
package import Logging
import Synchronization

/// Writes the service's log to standard error, one line per event whatever the values contain.
package struct ServiceLogHandler: LogHandler {
    private let label: String
    private let format: LogFormat
    private let threshold: ReloadableLogLevel
    private let recent: RecentLog?
    private let write: @Sendable (String) -> Void
    /// Level of this handler alone; `nil` if the shared threshold applies.
    private var ownLevel: Logger.Level?

    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    /// - Parameters:
    ///   - threshold: The shared level; has no effect on a logger with its own level.
    ///   - recent: Receives the events too; `nil` for none.
    ///   - write: Writes a line; to standard error by default.
    package init(
        label: String, format: LogFormat, threshold: ReloadableLogLevel, recent: RecentLog? = nil,
        write: @escaping @Sendable (String) -> Void = ServiceLogHandler.writeToStandardError
    ) {
        self.label = label
        self.format = format
        self.threshold = threshold
        self.recent = recent
        self.write = write
    }

    package var logLevel: Logger.Level {
        get { self.ownLevel ?? self.threshold.level }
        set { self.ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var metadata = self.metadata
        if let provided = self.metadataProvider?.get() { metadata.merge(provided) { $1 } }
        if let given = event.metadata { metadata.merge(given) { $1 } }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var line = LogLine(self.format)
        line.add("time", LogTime.text(time))
        line.add("level", event.level.rawValue)
        line.add("logger", self.label)
        line.add("message", event.message.description)
        var values = metadata.sorted { $0.key < $1.key }.map { (key: Self.key($0.key), value: $0.value.description) }
        if let error = event.error { values.insert((key: "error", value: "\(error)"), at: 0) }
        for (key, value) in values { line.add(key, value) }
        self.recent?.add(event.level, event.message.description, values, at: Int64(time.tv_sec))
        self.write(line.ended)
    }

    /// Replaces characters that would end a value's name.
    private static func key(_ key: String) -> String {
        String(key.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }

    /// Writes a line with one call, so that lines of several threads do not mix.
    @Sendable package static func writeToStandardError(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let base = rest.baseAddress, !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, base, rest.count)
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno != EINTR {
                    return  // it has no reader, and there is nowhere to report that
                }
            }
        }
    }
}

/// The level of all loggers of the process; may change while they are in use.
package final class ReloadableLogLevel: Sendable {
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) {
        self.index = Atomic(Self.index(of: level))
    }

    package var level: Logger.Level {
        get { Logger.Level.allCases[self.index.load(ordering: .relaxed)] }
        set { self.index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int {
        Logger.Level.allCases.firstIndex(of: level) ?? 0
    }
}
