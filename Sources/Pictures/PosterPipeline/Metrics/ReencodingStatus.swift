package import PosterCodec

/// What was encoded again since the start, and what waits for it.
package struct ReencodingStatus: Hashable, Sendable {
    package struct Format: Hashable, Sendable {
        /// Of the new encoding.
        package let format: OutputFormat
        /// Encodings that took the place of larger ones.
        package var count = 0
        /// By how much they are smaller, in bytes.
        package var savedBytes = 0
        /// Encodings that were not smaller.
        package var declined = 0
    }

    /// Variants that wait.
    package var waiting = 0
    package var running = 0
    package var formats: [Format] = OutputFormat.allCases.filter { $0 != .png }.map { Format(format: $0) }
    /// Encodings that gave way to requests.
    package var cancelled = 0
    /// Encodings that failed, or that were of no use any more.
    package var dropped = 0
    /// The CPU time of all, in nanoseconds.
    package var cpuNanoseconds: UInt64 = 0

    package init() {}

    mutating func note(_ format: OutputFormat, _ change: (inout Format) -> Void) {
        if let index = self.formats.firstIndex(where: { $0.format == format }) { change(&self.formats[index]) }
    }
}
