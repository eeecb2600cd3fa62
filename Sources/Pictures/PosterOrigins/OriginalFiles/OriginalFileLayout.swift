import Glibc
import PosterPipeline

/// The paths of originals, and the system calls for their files.
///
/// An original is `originals/ab/<SHA-256 of the id>.original`, and in `originals/incoming` while it arrives.
struct OriginalFileLayout: Sendable {
    private static let suffix = ".original"

    let path: String
    let calls: FileSystemCalls
    /// Prefix of this process's temporary files; files with other prefixes belong to earlier processes.
    private let token = String(UInt64.random(in: .min ... .max), radix: 16)

    init(path: String, calls: FileSystemCalls) {
        self.path = path
        self.calls = calls
    }

    var incoming: String { self.path + "/incoming" }

    var index: String { self.path + "/index.sqlite" }

    func temporary(_ number: Int) -> String { "\(self.incoming)/\(self.token)-\(number)" }

    /// A file for testing whether the disk accepts writes.
    var probe: String { "\(self.incoming)/\(self.token)-probe" }

    func folder(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "\(self.path)/\(digits.count < 2 ? "0" : "")\(digits)"
    }

    func path(of key: Digest) -> String { "\(self.folder(key.bytes[0]))/\(key)\(Self.suffix)" }

    /// The keys of the files in one folder, on average a 256th of all.
    func keys(beginningWith byte: UInt8) throws(FileError) -> Set<Digest> {
        Set(
            try FolderNames.read(self.folder(byte)).compactMap { name in
                guard name.hasSuffix(Self.suffix),
                    let key = Digest(hexadecimal: String(name.dropLast(Self.suffix.count))),
                    key.bytes[0] == byte, "\(key)\(Self.suffix)" == name
                else { return nil }
                return key
            })
    }

    /// Incomplete files of earlier processes.
    func leftovers() throws(FileError) -> [String] {
        try FolderNames.read(self.incoming).filter { !$0.hasPrefix(self.token + "-") }
            .map { "\(self.incoming)/\($0)" }
    }

    /// Removes a file.
    /// - Returns: Whether there was one.
    func remove(_ path: String) throws(FileError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw FileError("remove", path) }
        return false
    }

    /// Renames a finished file to its final name, not yet durably.
    func place(_ temporary: String, at key: Digest) throws(FileError) {
        let folder = self.folder(key.bytes[0])
        if mkdir(folder, 0o700) == 0 {
            try self.synchronise(self.path)
        } else if errno != EEXIST {
            throw FileError("create", folder)
        }
        guard rename(temporary, self.path(of: key)) == 0 else { throw FileError("rename", temporary) }
    }

    /// Makes additions to and removals from a folder durable (`fsync`).
    func synchronise(_ folder: String) throws(FileError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", folder) }
        defer { close(descriptor) }
        try self.calls.synchronise(descriptor, folder)
    }
}

/// The system calls that a full or failing disk rejects; replaceable by tests.
package struct FileSystemCalls: Sendable {
    /// Creates a file that must not exist; returns its descriptor.
    var create: @Sendable (_ path: String) throws(FileError) -> Int32
    /// Writes all bytes at the descriptor's position.
    var write:
        @Sendable (_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ path: String) throws(FileError) -> Void
    var synchronise: @Sendable (_ descriptor: Int32, _ path: String) throws(FileError) -> Void

    package static let system = FileSystemCalls(
        create: { (path) throws(FileError) in
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileError("create", path) }
            return descriptor
        },
        write: { (bytes, descriptor, path) throws(FileError) in
            try writeAll(bytes, to: descriptor, path: path)
        },
        synchronise: { (descriptor, path) throws(FileError) in
            guard fsync(descriptor) == 0 else { throw FileError("synchronise", path) }
        })
}
