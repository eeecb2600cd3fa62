import CoreMetrics
import Glibc

/// The process metrics, set at each scrape, under the standard names of Prometheus's client libraries.
struct ProcessGauges {
    private var cpu: ScrapedCounter
    private let resident: Meter
    private let virtual: Meter
    private let open: Meter
    private let most: Meter
    private let start: Meter

    init(_ metrics: any MetricsFactory, version: String) {
        func meter(_ label: String) -> Meter { Meter(label: label, factory: metrics) }
        self.cpu = ScrapedCounter("process.cpu.seconds", on: metrics)
        self.resident = meter("process.resident.memory.bytes")
        self.virtual = meter("process.virtual.memory.bytes")
        self.open = meter("process.open.fds")
        self.most = meter("process.max.fds")
        self.start = meter("process.start.time.seconds")
        Meter(
            label: "onesheet.build.info", dimensions: [("version", version)], factory: metrics
        ).set(1)
    }

    mutating func set(_ facts: ProcessStatistics) {
        self.cpu.set(facts.cpuSeconds)
        self.resident.set(facts.residentBytes)
        self.virtual.set(facts.virtualBytes)
        self.open.set(facts.openDescriptors)
        self.most.set(facts.maxDescriptors)
        self.start.set(facts.startSeconds)
    }
}

/// The kernel's statistics of this process (proc(5)); zero where they are not available.
struct ProcessStatistics: Hashable, Sendable {
    /// In bytes.
    var residentBytes = 0
    /// In bytes.
    var virtualBytes = 0
    /// User and system time.
    var cpuSeconds = 0.0
    var openDescriptors = 0
    var maxDescriptors = 0
    /// Start time, in seconds since 1970.
    var startSeconds = 0.0

    /// Reads the current values.
    static func current() -> ProcessStatistics {
        var facts = ProcessStatistics()
        let pages = Self.text(of: "/proc/self/statm").split(separator: " ").compactMap { Int($0) }
        if pages.count > 1 {
            let pageLength = sysconf(Int32(_SC_PAGESIZE))
            (facts.virtualBytes, facts.residentBytes) = (pages[0] * pageLength, pages[1] * pageLength)
        }
        var usage = rusage()
        if getrusage(RUSAGE_SELF.rawValue, &usage) == 0 {
            facts.cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        }
        facts.openDescriptors = Self.countDescriptors()
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            facts.maxDescriptors = Int(clamping: limit.rlim_cur)
        }
        facts.startSeconds = Self.start
        return facts
    }

    /// Boot time plus the start's ticks since then, field 22 of `stat`. The command's name before it may contain spaces.
    private static let start: Double = {
        let stat = Self.text(of: "/proc/self/stat")
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let boot = Self.text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 20, let ticks = Double(fields[20]), let second = boot.flatMap({ Double($0.dropFirst(6)) })
        else { return 0 }
        return second + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }

    private static func countDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = -3  // without `.`, `..` and this descriptor
        while readdir(folder) != nil { count += 1 }
        return max(0, count)
    }

    /// The most bytes read of a file.
    private static let lengthLimit = 64 << 10

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < Self.lengthLimit {
            let count = read(file, &part, part.count)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
