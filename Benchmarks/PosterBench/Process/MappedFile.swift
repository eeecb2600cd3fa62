import CPosterBench
import Glibc

/// A file's bytes, mapped read-only until the value goes away.
struct MappedFile: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer: nobody writes to what it points to.
    let bytes: UnsafeRawBufferPointer

    init(_ path: String) throws(BenchError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchError("cannot open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            throw BenchError("cannot read \(path): not a file, or an empty one")
        }
        let count = Int(status.st_size)
        guard let base = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
            throw BenchError("cannot map \(path): \(String(cString: strerror(errno)))")
        }
        self.bytes = UnsafeRawBufferPointer(start: base, count: count)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: self.bytes.baseAddress), self.bytes.count)
    }

    /// Reads a byte of every page, so that all of the file is resident from here on.
    func touch() {
        poster_bench_touch(self.bytes.baseAddress!, self.bytes.count)
    }
}
