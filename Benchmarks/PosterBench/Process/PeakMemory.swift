import Glibc

/// Resident memory in `/proc/self/status`, in bytes.
///
/// The kernel adds up its counts per CPU in batches of pages, so a single figure can be off by some 100 KiB.
enum PeakMemory {
    /// The peak so far, `VmHWM`.
    static func ofThisProcess() throws(BenchError) -> Int {
        try self.value(of: "VmHWM:")
    }

    /// The current value, `VmRSS`.
    static func residentOfThisProcess() throws(BenchError) -> Int {
        try self.value(of: "VmRSS:")
    }

    /// The current `RssAnon`: without pages of files, which processes share and the kernel can reclaim.
    static func anonymousOfThisProcess() throws(BenchError) -> Int {
        try self.value(of: "RssAnon:")
    }

    /// The current `RssAnon` of another process.
    static func anonymous(of process: Int32) throws(BenchError) -> Int {
        try self.value(of: "RssAnon:", in: "/proc/\(process)/status")
    }

    /// Resets the peak (proc(5), clear_refs).
    static func beginAnew() throws(BenchError) {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, write(descriptor, "5", 1) == 1 else {
            throw BenchError("the kernel does not reset VmHWM (/proc/self/clear_refs)")
        }
    }

    private static func value(of name: String, in path: String = "/proc/self/status") throws(BenchError) -> Int {
        for line in try TextFile.lines(path) where line.hasPrefix(name) {
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) { return kibibytes << 10 }
        }
        throw BenchError("/proc/self/status has no \(name)")
    }
}
