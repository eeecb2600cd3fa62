package import PosterCodec

/// Counts of re-encodings since the start, and the queue's length.
package struct ReencodingStatus: Hashable, Sendable {
    package struct Format: Hashable, Sendable {
        /// The format of the new encodings.
        package let format: OutputFormat
        /// Encodings that replaced others.
        package var count = 0
        /// Total bytes saved by them.
        package var savedBytes = 0
        package var declined = 0
    }

    package var waiting = 0
    package var running = 0
    package var formats: [Format] = OutputFormat.allCases.filter { $0 != .png }.map { Format(format: $0) }
    /// Encodings stopped in favour of requests.
    package var cancelled = 0
    /// Encodings that failed or had become useless.
    package var dropped = 0
    package var cpuNanoseconds: UInt64 = 0

    package init() {}

    mutating func note(_ format: OutputFormat, _ change: (inout Format) -> Void) {
        if let index = self.formats.firstIndex(where: { $0.format == format }) { change(&self.formats[index]) }
    }
}
