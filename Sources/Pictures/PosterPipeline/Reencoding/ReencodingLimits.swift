/// Selects the variants to encode again, and bounds the CPU time spent on them.
package struct ReencodingLimits: Hashable, Sendable {
    /// The accepted ``uses``; the cache counts to 255.
    package static let useCounts = 1...255
    /// The default of ``queueLimit``: some 3 MB.
    package static let defaultQueueLimit = 4096

    /// Share of the codec threads' time, above 0 and at most 1; 75 % by default.
    package var cpuShare = 0.75
    /// Number of times a variant is sent before it is encoded again, including the response that it was rendered for; 1
    /// by default: every requested variant is encoded again when a thread is idle, the most used first.
    package var uses = 1
    /// Maximum number of queued variants; the least used are dropped.
    package var queueLimit = ReencodingLimits.defaultQueueLimit

    package init() {}

    /// The binary logarithm of `count / uses` if that is a power of two: a variant is queued at its first ``uses`` uses
    /// and whenever their number has doubled, so that most uses cost only a comparison.
    /// - Returns: `nil` for most counts.
    func level(of count: Int) -> Int? {
        guard count >= self.uses, count.isMultiple(of: self.uses) else { return nil }
        let times = count / self.uses
        return times & (times - 1) == 0 ? times.trailingZeroBitCount : nil
    }
}
