import CoreMetrics
import Glibc

extension ScrapedMetrics<ProcessStatistics> {
    /// The process metrics under the standard names of Prometheus's client libraries.
    init(_ metrics: any MetricsFactory) {
        self.init(
            gauges: [
                ("process.resident.memory.bytes", { Double($0.residentBytes) }),
                ("process.virtual.memory.bytes", { Double($0.virtualBytes) }),
                ("process.open.fds", { Double($0.openDescriptors) }),
                ("process.max.fds", { Double($0.maxDescriptors) }),
                ("process.start.time.seconds", { $0.startSeconds }),
            ], counters: [("process.cpu.seconds", { $0.cpuSeconds })], on: metrics)
    }
}

/// The kernel's statistics of this process (proc(5)); zero if unavailable.
package struct ProcessStatistics: Hashable, Sendable {
    package var residentBytes = 0
    var virtualBytes = 0
    /// User and system time.
    var cpuSeconds = 0.0
    var openDescriptors = 0
    var maxDescriptors = 0
    /// Start time, in seconds since 1970.
    var startSeconds = 0.0

    static func current() -> ProcessStatistics {
        var facts = ProcessStatistics.memory()
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

    /// Statistics with only ``virtualBytes`` and ``residentBytes``.
    package static func memory() -> ProcessStatistics {
        var facts = ProcessStatistics()
        let pages = ProcFile.text("/proc/self/statm").split(separator: " ").compactMap { Int($0) }
        if pages.count > 1 {
            let pageLength = sysconf(Int32(_SC_PAGESIZE))
            (facts.virtualBytes, facts.residentBytes) = (pages[0] * pageLength, pages[1] * pageLength)
        }
        return facts
    }

    /// Boot time plus the process's start in ticks, field 22 of `stat`. The command's name before it may contain
    /// spaces.
    private static let start: Double = {
        let stat = ProcFile.text("/proc/self/stat")
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let boot = ProcFile.text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
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
}
