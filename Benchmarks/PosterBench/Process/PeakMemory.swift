import Glibc

/// The peak of resident memory, `VmHWM` in `/proc/self/status`.
enum PeakMemory {
    /// So far, in bytes.
    ///
    /// The kernel adds up its counts per CPU in batches of pages, so a single figure can be off by some 100 KiB.
    static func ofThisProcess() throws(BenchError) -> Int {
        for line in try TextFile.lines("/proc/self/status") where line.hasPrefix("VmHWM:") {
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) { return kibibytes << 10 }
        }
        throw BenchError("/proc/self/status has no VmHWM")
    }
}
