package import PosterCodec

/// Which variants are encoded again, and how much CPU time that may take.
package struct ReencodingLimits: Hashable, Sendable {
    /// The accepted ``uses``: the cache counts to 255.
    package static let useCounts = 1...255
    /// The default of ``queueLimit``: some 3 MB.
    package static let defaultQueueLimit = 4096

    /// Of the codec threads' time, above 0 and at most 1; 75 % by default.
    package var cpuShare = 0.75
    /// How often a variant is sent from memory before it is encoded again; 1 by default.
    package var uses = 1
    /// The most variants that wait to be encoded again; those that were used least often are left out.
    package var queueLimit = ReencodingLimits.defaultQueueLimit

    package init() {}

    /// How often a variant has come to ``uses`` uses, as a power of two, when it is to be noted: at the first such use, and
    /// whenever their number has doubled, so that few uses cost more than a comparison.
    /// - Returns: nil for most uses.
    func level(of count: Int) -> Int? {
        guard count >= self.uses, count.isMultiple(of: self.uses) else { return nil }
        let times = count / self.uses
        return times & (times - 1) == 0 ? times.trailingZeroBitCount : nil
    }
}

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
