import Glibc

/// Writes whole files: they appear complete, or not at all.
public enum AtomicFile {
    /// Writes to a temporary name beside `path`, then renames. A symbolic link is followed; a device or a pipe, which
    /// must not be replaced, is written to as it is.
    ///
    /// - Throws: ``FileError``; nothing is left behind then.
    public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
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
                try self.writeAll(buffer, to: descriptor, path: path)
            }
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw FileError("write", path) }
    }

    /// Writes all of `bytes` to an open descriptor.
    ///
    /// - Throws: ``FileError``, with `name` for a path.
    public static func append(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(FileError) {
        try bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in
            try self.writeAll(buffer, to: descriptor, path: name)
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

/// A file operation that failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, as a verb: "open".
    public let action: String
    /// The file or folder.
    public let path: String
    /// The C library's error number.
    public let code: Int32

    init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// A sentence such as "cannot open /x: No such file or directory".
    public var description: String {
        "cannot \(self.action) \(self.path): \(String(cString: strerror(self.code)))"
    }
}
