import Glibc

/// Small text files, such as the ones in `/proc`.
enum TextFile {
    /// All non-empty lines without their ends.
    static func lines(_ path: String) throws(BenchError) -> [Substring] {
        var status = stat()
        // Reading a device might never end.
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw BenchError("\(path) is not a file")
        }
        guard let file = fopen(path, "re") else {
            throw BenchError("cannot open \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        return self.read(file).split(separator: "\n")
    }

    /// Everything up to the end of `file`.
    static func read(_ file: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        var byte = getc(file)
        while byte != EOF {
            bytes.append(UInt8(truncatingIfNeeded: byte))
            byte = getc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
