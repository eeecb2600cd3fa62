import Glibc

enum CPUTime {
    /// The busy share of all cores over an interval; 0...1.
    static func busyShare(milliseconds: Int) throws(BenchError) -> Double {
        let before = try Self.ticks()
        try Interruption.sleep(milliseconds: milliseconds)
        let after = try Self.ticks()
        let total = after.total - before.total
        return total > 0 ? 1 - Double(after.idle - before.idle) / Double(total) : 0
    }

    /// Busy seconds of all cores since the machine started.
    static func busySeconds() throws(BenchError) -> Double {
        let ticks = try Self.ticks()
        return Double(ticks.total - ticks.idle) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Ticks of all cores since the machine started (proc_stat(5)).
    private static func ticks() throws(BenchError) -> (idle: Int, total: Int) {
        let fields = try TextFile.lines("/proc/stat").first?.split(separator: " ").dropFirst().compactMap { Int($0) }
        // user, nice, system, idle, iowait, irq, softirq, steal; user already includes the guests' time.
        guard let fields, fields.count >= 8 else { throw BenchError("/proc/stat has an unexpected format") }
        return (fields[3] + fields[4], fields.prefix(8).reduce(0, +))
    }
}
