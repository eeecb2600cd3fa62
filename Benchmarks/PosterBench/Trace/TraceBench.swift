import ArgumentParser
import Glibc
import PosterCodec

/// `poster-bench trace`
struct TraceBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "A day of a catalogue's visitors in a few minutes, with other shares of memory for decoded planes.",
        discussion: """
            Walls, lists and films, on screens of three kinds, mostly WebP; posters by Zipf's law, some of them \
            popular for a while. Real renders, through the service's own pipeline: CPU time of a thousand requests, \
            hits, and the latency of misses. All rows play the same two days, the first as fast as possible, to fill \
            the caches.
            """)

    @Option(help: "Minutes that the day is compressed into.")
    var minutes = 10.0

    @Option(help: "Requests a second, on average.")
    var rate = 150.0

    @Option(help: "Requests of the day before.")
    var warm = 60_000

    @Option(help: "Posters of the catalogue.")
    var posters = 20_000

    @Option(help: "Memory of variants and decoded planes together, in MiB.")
    var memoryBudget = 256

    @Option(help: "The planes' shares of --memory-budget in percent, separated by commas.")
    var planes = "0,6,12,25"

    @Flag(help: "Leave out the rows that render in advance at targets requested for other posters.")
    var noAhead = false

    @Option(help: "Codec threads; default: one for each core.")
    var threads: Int?

    @Option(help: ArgumentHelp("Every JPEG, PNG, WebP, AVIF and GIF below this folder instead.", valueName: "folder"))
    var corpus: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.minutes > 0, self.rate > 0 else { throw BenchError("--minutes and --rate must be above 0") }
        guard self.posters >= 100 else { throw BenchError("--posters must be at least 100") }
        guard self.memoryBudget >= 1, self.warm >= 0 else {
            throw BenchError("--memory-budget must be at least 1, and --warm at least 0")
        }
        if let threads = self.threads, threads < 1 { throw BenchError("--threads must be at least 1") }
        let shares = self.planes.split(separator: ",").compactMap { Int($0) }
        guard !shares.isEmpty, shares.allSatisfy({ (0..<100).contains($0) }) else {
            throw BenchError("--planes must be numbers from 0 to 99, separated by commas")
        }
        ProcessHeap.configure()
        try self.output.begin()
        let files = try PictureFiles.below(self.corpus ?? PictureFiles.posters)
        let originals = try MappedOriginals(files: files, count: self.posters)
        let seconds = 60 * self.minutes
        let before = DayTrace(posterCount: self.posters, seconds: seconds, requestCount: self.warm, seed: 1)
        let day = DayTrace(
            posterCount: self.posters, seconds: seconds, requestCount: Int(seconds * self.rate), seed: 2)
        let rows = TraceRow.all(planes: shares, ahead: self.noAhead ? [false] : [false, true])
        var table = TraceTable()
        var progress = Progress(count: rows.count)
        for row in rows {
            progress.step(row.name)
            let load = TraceLoad(
                originals: originals, memoryBudget: self.memoryBudget << 20,
                threads: self.threads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), row: row)
            table.add(try load.measure(day, after: before), of: row)
            load.shutDown()
        }
        progress.finish()
        var outcome = table.outcome
        outcome.notes.append(
            "\(day.requestCount) requests of \(day.sessions.count) visitors for \(self.posters) posters, after "
                + "\(before.requestCount) the day before; \(self.memoryBudget) MiB.")
        try self.output.finish(outcome)
    }
}
