import ArgumentParser

/// `poster-bench cache`
struct Cache: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hit ratios of eviction policies at equal budgets, and the costs of a hit and an insertion.",
        discussion: """
            Synthetic traces over a catalogue of 20000 posters in all widths and formats, and recorded traces. A trace \
            file has lines `key bytes`, or is an access log in the combined format.
            """
    )

    @Option(help: "Requests of the synthetic traces. Default: 10^5 and 10^6, and 10^7 for some at one budget.")
    var requests: Int?

    @Flag(help: "Only 10^5 requests, and fewer rounds.")
    var quick = false

    @Flag(inversion: .prefixedNo, help: "Measure times, too.")
    var times = true

    @Option(help: ArgumentHelp("Recorded traces, repeatable.", valueName: "file"))
    var trace = [Self.recordedTrace]

    @OptionGroup var output: OutputOptions

    private static let posterCount = 20_000
    private static let recordedTrace = "bench-data/traces/wall.trace"
    /// Budgets in percent of the catalogue's bytes.
    private static let shares = [1, 4, 10]
    /// From this number of requests on, only some traces and the middle share are measured, because each takes seconds.
    private static let longCount = 10_000_000
    /// Shares for recorded traces, which are small.
    private static let recordedShares = [10, 30]

    func run() throws {
        if let requests, requests < 1 { throw BenchError("--requests must be at least 1") }
        try self.output.begin()
        let counts = self.requests.map { [$0] }
        try self.output.finish(
            Self.measure(quick: self.quick, counts: counts, traces: self.trace, hasTimes: self.times))
    }

    /// - Parameters:
    ///   - counts: Request counts of the generated traces; `nil` for the defaults.
    ///   - traces: Files of recorded traces.
    static func measure(
        quick: Bool, counts: [Int]? = nil, traces: [String] = [Self.recordedTrace], hasTimes: Bool = true
    ) throws -> Outcome {
        let counts = counts ?? (quick ? [100_000] : [100_000, 1_000_000, 10_000_000])
        let recorded = try traces.map { path throws(BenchError) in try CacheTrace(file: path) }
        let catalogue = VariantCatalogue(posterCount: Self.posterCount)
        let made = counts.flatMap { count in
            (count < Self.longCount ? MadeTrace.all : MadeTrace.long).map { (count: count, trace: $0) }
        }
        var progress = Progress(count: made.count + recorded.count + (hasTimes ? 1 : 0))
        var report = HitRatioReport()
        for trace in recorded {
            progress.step("cache \(trace.name)")
            for share in Self.recordedShares { report.ratios.append(HitRatios(trace, share: share)) }
        }
        for (count, made) in made {
            progress.step("cache \(made.name), \(count) requests")
            let trace = made.trace(of: catalogue, count: count)
            for share in count < Self.longCount ? Self.shares : [Self.shares[1]] {
                report.ratios.append(HitRatios(trace, share: share))
            }
        }
        var outcome = report.outcome
        if hasTimes {
            progress.step("cache times")
            outcome.append(CacheTimes(isQuick: quick).outcome)
        }
        progress.finish()
        return outcome
    }
}
