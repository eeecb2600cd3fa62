/// The time of each stage: nanoseconds of one run, or median milliseconds of many.
struct StageTimes<Time> {
    /// Reading the header and planning.
    var probe: Time
    var decode: Time
    var resample: Time
    /// Encoding, including conversions of the pixels.
    var encode: Time
    /// From the original's bytes to the poster's, including the steps between the stages.
    var total: Time
}

extension StageTimes<UInt64> {
    init() {
        self.init(probe: 0, decode: 0, resample: 0, encode: 0, total: 0)
    }
}

extension StageTimes<Double> {
    /// Each stage's median in milliseconds.
    ///
    /// Medians do not add up exactly.
    ///
    /// - Parameter runs: At least one.
    init(mediansOf runs: [StageTimes<UInt64>]) {
        func median(_ stage: KeyPath<StageTimes<UInt64>, UInt64>) -> Double {
            Median.of(runs.map { Double($0[keyPath: stage]) / 1e6 })
        }
        self.init(
            probe: median(\.probe),
            decode: median(\.decode),
            resample: median(\.resample),
            encode: median(\.encode),
            total: median(\.total)
        )
    }
}

extension StageTimes: Encodable where Time: Encodable {}
