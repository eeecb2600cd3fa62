import CPosterBench
import Glibc

/// A file's bytes, mapped read-only for the lifetime of the value.
struct MappedFile: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer: the mapping is never written to.
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

    /// Reads a byte of every page, so that the whole file is resident.
    func touch() {
        poster_bench_touch(self.bytes.baseAddress!, self.bytes.count)
    }
}
