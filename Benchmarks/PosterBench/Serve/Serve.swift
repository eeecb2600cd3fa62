import ArgumentParser
import Glibc

/// `poster-bench serve`
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The service under load, beside nginx and thumbor where they are installed.",
        discussion: """
            Needs wrk (apt-get install wrk). Everything runs on free loopback ports with data in a folder below \
            TMPDIR, which is deleted at the end. The load generator shares the cores with the servers.
            """)

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case hits
        case notModified = "304s"
        case misses, coalesced, leaving, films
    }

    @Option(help: ArgumentHelp("The service, as built with `make build`.", valueName: "file"))
    var program = ".build/release/onesheet"

    @Option(help: "Connections at once, separated by commas.")
    var connections = "1,32,256,512"

    @Option(help: "Seconds of one measurement of one server.")
    var seconds = 5

    @Option(help: "How often each measurement is made; medians count. The servers take turns.")
    var rounds = 3

    @Option(help: ArgumentHelp("An Accept header for hits and 304s. Default: none.", valueName: "value"))
    var accept: String?

    @Option(help: "Kinds of load, separated by commas: hits, 304s, misses, coalesced, leaving, films. Default: all")
    var cases: String?

    @Flag(help: "A quick run: one round of one second, one size, 1 and 32 connections.")
    var quick = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let kinds = try self.kinds()
        guard self.seconds >= 1, self.rounds >= 1 else { throw BenchError("--seconds and --rounds must be at least 1") }
        guard access(self.program, X_OK) == 0 else {
            throw BenchError("there is no \(self.program): make build, or name another with --program")
        }
        guard Executable.path(of: "wrk") != nil else {
            throw BenchError("the load generator wrk is missing: apt-get install wrk")
        }
        Interruption.watch()
        Self.allowManyFiles()
        try self.output.begin()
        let busy = try CPUTime.busyShare(milliseconds: 500)
        let folder = try WorkFolder()
        let settings = ServeSettings(
            program: self.program, connections: self.quick ? [1, 32] : try self.counts(),
            seconds: self.quick ? 1 : self.seconds, rounds: self.quick ? 1 : self.rounds, accept: self.accept,
            folder: folder.path)
        let cases = kinds.map { self.made($0, settings) }
        var progress = Progress(count: max(1, cases.map(\.stepCount).reduce(0, +)))
        var outcome = Outcome()
        for each in cases { outcome.append(try each.measure(&progress)) }
        progress.finish()
        outcome.notes += Self.notes
        if busy > 0.05 {
            outcome.notes.append(
                "NOT QUIET: other programs used \((100 * busy).fixed(0)) % of the CPU time just before; "
                    + "compare only servers that took turns.")
        }
        try self.output.finish(outcome)
        withExtendedLifetime(folder) {}
    }

    private func made(_ kind: Kind, _ settings: ServeSettings) -> any ServeCase {
        let widths = HitCase.widths
        return switch kind {
        case .hits: HitCase(settings: settings, widths: self.quick ? [widths[1]] : widths, isConditional: false)
        case .notModified: HitCase(settings: settings, widths: [widths[1]], isConditional: true)
        case .misses: MissCase(settings: settings)
        case .coalesced: CoalescedCase(settings: settings)
        case .leaving: LeavingCase(settings: settings)
        case .films: FilmCase(settings: settings)
        }
    }

    private func kinds() throws(BenchError) -> [Kind] {
        guard let cases = self.cases else { return Kind.allCases }
        var kinds: [Kind] = []
        for name in cases.split(separator: ",") {
            guard let kind = Kind(rawValue: String(name)) else {
                throw BenchError("--cases: unknown case '\(name)'; use any of \(Kind.allCases.map(\.rawValue))")
            }
            kinds.append(kind)
        }
        return kinds
    }

    private func counts() throws(BenchError) -> [Int] {
        let counts = self.connections.split(separator: ",").compactMap { Int($0) }
        guard !counts.isEmpty, counts.allSatisfy({ (1...10_000).contains($0) }) else {
            throw BenchError("--connections must be numbers from 1 to 10000, separated by commas")
        }
        return counts
    }

    /// Raises the limit of open files, for hundreds of clients; the servers inherit it.
    private static func allowManyFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static var notes: [String] {
        var notes = [
            "The load generator shares the cores with the servers. It is a closed loop: latencies are those of clients "
                + "that wait for each answer. Medians of rounds in which the servers take turns.",
            "wrk corrects its latencies for requests delayed by slow answers (coordinated omission), for all servers.",
            "Memory and CPU are sums over all processes of a server; shared pages count for each process.",
        ]
        for name in ["nginx", "thumbor"] where Executable.path(of: name) == nil {
            let remedy = name == "nginx" ? "apt-get install nginx-light" : "pip install thumbor"
            notes.append("\(name) is not installed and was left out (\(remedy)).")
        }
        return notes
    }
}
