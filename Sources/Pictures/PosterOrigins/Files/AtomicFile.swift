import Glibc

/// Writes whole files: they appear complete, or not at all.
public enum AtomicFile {
    /// Writes to a temporary name beside `path`, then renames. A symbolic link is followed; a device or a pipe, which
    /// must not be replaced, is written to as it is.
    ///
    /// - Throws: ``FileError``; nothing is left behind then.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            try self.write(bytes, opening: path, with: O_WRONLY | O_CLOEXEC, for: path)
            return
        }
        var target = path
        if exists, let resolved = realpath(path, nil) {
            target = String(cString: resolved)
            free(resolved)
        }
        let temporary = "\(target).\(getpid()).partial"
        do {
            try self.write(bytes, opening: temporary, with: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, for: path)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, target) == 0 else {
            let error = FileError("write", path)
            unlink(temporary)
            throw error
        }
    }

    private static func write(
        _ bytes: [UInt8], opening name: String, with flags: Int32, for path: String
    ) throws(FileError) {
        let descriptor = open(name, flags, 0o644)
        guard descriptor >= 0 else { throw FileError("create", path) }
        do {
            try bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in
                try writeAll(buffer, to: descriptor, path: path)
            }
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw FileError("write", path) }
    }

    /// Writes all of `bytes` to an open descriptor.
    /// - Throws: ``FileError``, with `name` for a path.
    package static func append(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(FileError) {
        try bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in
            try writeAll(buffer, to: descriptor, path: name)
        }
    }
}
