import FoundationEssentials
import Glibc

/// A folder for one run's files, removed at the end of the value's lifetime.
struct WorkFolder: ~Copyable {
    let path: String

    init() throws(BenchError) {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/poster-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("cannot make a folder in \(root): \(String(cString: strerror(errno)))")
        }
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }
}
