/// Which variants are encoded again, and how much CPU time that may take.
package struct ReencodingLimits: Hashable, Sendable {
    /// The accepted ``uses``: the cache counts to 255.
    package static let useCounts = 1...255
    /// The default of ``queueLimit``: some 3 MB.
    package static let defaultQueueLimit = 4096

    /// Of the codec threads' time, above 0 and at most 1; 75 % by default.
    package var cpuShare = 0.75
    /// How often a variant is sent to clients before it is encoded again, the response that it was rendered for included; 1 by
    /// default: whatever was requested is encoded again when a thread is idle, the most used first.
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
