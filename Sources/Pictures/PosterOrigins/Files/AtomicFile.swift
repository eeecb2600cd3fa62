import Glibc

/// Writes files atomically.
public enum AtomicFile {
    /// The end of temporary names, after the number of the process.
    private static let suffix = ".partial"

    /// Writes to a temporary name beside `path`, then renames. Follows a symbolic link. Writes directly to a device or
    /// a pipe, which must not be replaced.
    ///
    /// - Parameter isDurable: Whether the file is durable on return.
    /// - Throws: ``FileError``; no partial file remains.
    package static func write(_ bytes: [UInt8], to path: String, isDurable: Bool = false) throws(FileError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            try self.write(bytes, opening: path, with: O_WRONLY | O_CLOEXEC, for: path, isDurable: false)
            return
        }
        var target = path
        if exists, let resolved = realpath(path, nil) {
            target = String(cString: resolved)
            free(resolved)
        }
        let temporary = "\(target).\(getpid())\(Self.suffix)"
        do {
            try self.write(
                bytes, opening: temporary, with: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, for: path,
                isDurable: isDurable)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, target) == 0 else {
            let error = FileError("write", path)
            unlink(temporary)
            throw error
        }
        if isDurable { try self.synchronise(folderOf: target) }
    }

    /// Removes the temporary files that ended processes have left in a folder, as far as possible. No other process may
    /// write files there.
    package static func removePartialFiles(in folder: String) {
        for name in (try? FolderNames.read(folder)) ?? [] where self.isPartial(name) { unlink("\(folder)/\(name)") }
    }

    private static func isPartial(_ name: String) -> Bool {
        guard name.hasSuffix(self.suffix) else { return false }
        let parts = name.dropLast(self.suffix.count).split(separator: ".")
        return parts.count > 1 && parts.last.flatMap { pid_t($0) } != nil
    }

    /// Makes the name of a file or folder durable.
    static func synchronise(folderOf path: String) throws(FileError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError("synchronise", folder) }
    }

    private static func write(
        _ bytes: [UInt8], opening name: String, with flags: Int32, for path: String, isDurable: Bool
    ) throws(FileError) {
        let descriptor = open(name, flags, 0o644)
        guard descriptor >= 0 else { throw FileError("create", path) }
        do throws(FileError) {
            try bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in
                try writeAll(buffer, to: descriptor, path: path)
            }
            if isDurable, fsync(descriptor) != 0 { throw FileError("synchronise", path) }
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw FileError("write", path) }
    }

    package static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileError("remove", path) }
    }

    /// Writes all of `bytes` to an open descriptor.
    /// - Throws: ``FileError`` with `name` as its path.
    package static func append(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(FileError) {
        try bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in
            try writeAll(buffer, to: descriptor, path: name)
        }
    }
}
