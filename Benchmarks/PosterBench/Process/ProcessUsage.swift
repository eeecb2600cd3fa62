import Glibc

/// Resource usage of a process and all of its descendants.
struct ProcessUsage {
    /// User and system time of the running processes since their starts, in seconds.
    let cpuSeconds: Double
    /// Resident memory in bytes, `VmRSS`; shared pages count for each process.
    let resident: Int
    /// Peak since the start or ``forgetPeak(of:)``, `VmHWM`: the sum of the processes' peaks.
    let peak: Int

    /// - Parameter root: The ancestor of all processes that count.
    init(of root: pid_t) throws(BenchError) {
        var (seconds, resident, peak) = (0.0, 0, 0)
        for id in Self.family(of: root) {
            var clock = clockid_t()
            var time = timespec()
            // In nanoseconds; /proc/*/stat has hundredths of seconds.
            guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0,
                let lines = try? TextFile.lines("/proc/\(id)/status")
            else { continue }  // it ended meanwhile
            seconds += Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            resident += Self.bytes("VmRSS:", in: lines)
            peak += Self.bytes("VmHWM:", in: lines)
        }
        guard seconds > 0 else { throw BenchError("process \(root) ended in the middle of the measurement") }
        (self.cpuSeconds, self.resident, self.peak) = (seconds, resident, peak)
    }

    /// Resets the peaks (proc(5), clear_refs).
    static func forgetPeak(of root: pid_t) {
        for id in self.family(of: root) {
            let descriptor = open("/proc/\(id)/clear_refs", O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            _ = write(descriptor, "5", 1)
            close(descriptor)
        }
    }

    /// Returns `root` and its running descendants.
    private static func family(of root: pid_t) -> [pid_t] {
        var parents: [pid_t: pid_t] = [:]
        guard let folder = opendir("/proc") else { return [root] }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let id = pid_t(name), let line = try? TextFile.lines("/proc/\(id)/stat").first,
                // The program's name is in parentheses and may contain any character.
                let fields = line.lastIndex(of: ")").map({ line[$0...].split(separator: " ") }), fields.count > 2
            else { continue }
            parents[id] = pid_t(fields[2])
        }
        closedir(folder)
        var family = [root]
        var next = 0
        while next < family.count {
            family += parents.filter { $0.value == family[next] }.map(\.key)
            next += 1
        }
        return family
    }

    private static func bytes(_ name: String, in lines: [Substring]) -> Int {
        let words = lines.first { $0.hasPrefix(name) }?.split { $0 == " " || $0 == "\t" } ?? []
        return words.count == 3 ? (Int(words[1]) ?? 0) << 10 : 0
    }
}
