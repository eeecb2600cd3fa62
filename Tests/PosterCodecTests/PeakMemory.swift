import CPosterCodecs
import Glibc

/// The peak of this process's resident memory, in bytes.
enum PeakMemory {
    /// Whether AddressSanitizer is active, which takes more memory itself than the code under test.
    static let isHidden = dlsym(nil, "__asan_init") != nil

    /// Whether the kernel can reset the peak (proc(5), clear_refs).
    static let isAvailable = Self.resetPeak() && Self.value(of: "VmHWM:") != nil

    /// The growth of the peak during `body`; `nil` if the kernel cannot reset the peak (proc(5), clear_refs).
    ///
    /// Without pages of the program that `body` loads, also after the peak: a first run loads up to 3 MB, by the state
    /// of the kernel's cache of files.
    static func growth(during body: () throws -> Void) rethrows -> Int? {
        poster_heap_trim()
        guard self.resetPeak(), let before = self.value(of: "VmRSS:"), let loaded = self.value(of: "RssFile:") else {
            return nil
        }
        try body()
        guard let peak = self.value(of: "VmHWM:"), let loadedSince = self.value(of: "RssFile:") else { return nil }
        return peak - before - max(loadedSince - loaded, 0)
    }

    private static func resetPeak() -> Bool {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return write(descriptor, "5", 1) == 1
    }

    private static func value(of name: String) -> Int? {
        guard let file = fopen("/proc/self/status", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split {
                $0 == " " || $0 == "\t" || $0 == "\n"
            }
            if words.count == 3, words[0] == name, let kibibytes = Int(words[1]) { return kibibytes << 10 }
        }
        return nil
    }
}
