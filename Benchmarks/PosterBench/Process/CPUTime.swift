import Glibc

/// What the machine's cores do.
enum CPUTime {
    /// The part of all cores' time that is used by anybody, watched for a while; 0...1.
    static func busyShare(milliseconds: Int) throws(BenchError) -> Double {
        let before = try Self.ticks()
        try Interruption.sleep(milliseconds: milliseconds)
        let after = try Self.ticks()
        let total = after.total - before.total
        return total > 0 ? 1 - Double(after.idle - before.idle) / Double(total) : 0
    }

    /// That all cores were used by anybody, since the start of the machine.
    static func busySeconds() throws(BenchError) -> Double {
        let ticks = try Self.ticks()
        return Double(ticks.total - ticks.idle) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Since the start of the machine, over all cores (proc_stat(5)).
    private static func ticks() throws(BenchError) -> (idle: Int, total: Int) {
        let fields = try TextFile.lines("/proc/stat").first?.split(separator: " ").dropFirst().compactMap { Int($0) }
        // user, nice, system, idle, iowait, irq, softirq, steal; the guests' are in user's already.
        guard let fields, fields.count >= 8 else { throw BenchError("/proc/stat is not as expected") }
        return (fields[3] + fields[4], fields.prefix(8).reduce(0, +))
    }
}
