import Glibc

/// Writes whole files: they appear complete, or not at all.
public enum AtomicFile {
    /// Writes to a temporary name beside `path`, then renames.
    ///
    /// - Throws: ``FileError``; nothing is left behind then.
    public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let temporary = "\(path).\(getpid()).partial"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError("create", path) }
        do {
            try bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in
                try self.writeAll(buffer, to: descriptor, path: path)
            }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        guard close(descriptor) == 0, rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw FileError("write", path, code: code)
        }
    }

    /// Writes all of `buffer` where the descriptor stands.
    static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(FileError) {
        var rest = buffer
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError("write", path) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }
}
