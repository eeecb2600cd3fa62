import CPosterBench
import Glibc

/// The code and constants of this program and its libraries.
enum ProgramCode {
    /// Loads all of it, so that first accesses do not count as memory of the measured work: these pages belong to files
    /// and are shared by all processes, and how many of them one call loads depends on the linker's layout.
    static func load() throws(BenchError) {
        for line in try TextFile.lines("/proc/self/maps") {
            // 7f00-7f10 r-xp 00000000 fe:01 1234   /usr/lib/libjpeg.so (proc_pid_maps(5))
            let words = line.split(separator: " ")
            guard words.count >= 6, words[5].hasPrefix("/"), words[1].hasPrefix("r-") else { continue }
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, let start = UnsafeMutableRawPointer(bitPattern: ends[0]) else { continue }
            let count = Int(ends[1] - ends[0])
            // MADV_POPULATE_READ; kernels before 5.14 do not support it.
            guard madvise(start, count, 22) != 0 else { continue }
            poster_bench_touch(start, count)
        }
    }
}
