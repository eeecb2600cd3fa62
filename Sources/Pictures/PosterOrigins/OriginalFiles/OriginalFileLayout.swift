import Glibc
import PosterPipeline

/// Where originals are: `originals/ab/<SHA-256 of the id>.original`, and in `originals/incoming` while they arrive.
struct OriginalFileLayout: Sendable {
    private static let suffix = ".original"

    /// The folder of all.
    let path: String
    /// Prefix of the names of files that this process writes; files with another one are an earlier process's.
    private let token = String(UInt64.random(in: .min ... .max), radix: 16)

    init(path: String) {
        self.path = path
    }

    var incoming: String { self.path + "/incoming" }

    var index: String { self.path + "/index.sqlite" }

    func temporary(_ number: Int) -> String { "\(self.incoming)/\(self.token)-\(number)" }

    /// A file that is written to find out whether the disk takes any.
    var probe: String { "\(self.incoming)/\(self.token)-probe" }

    func folder(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "\(self.path)/\(digits.count < 2 ? "0" : "")\(digits)"
    }

    func path(of key: Digest) -> String { "\(self.folder(key.bytes[0]))/\(key)\(Self.suffix)" }

    /// The keys of the files in one folder, a 256th of all on average.
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

    /// Files that an earlier process was writing when it ended.
    func leftovers() throws(FileError) -> [String] {
        try FolderNames.read(self.incoming).filter { !$0.hasPrefix(self.token + "-") }
            .map { "\(self.incoming)/\($0)" }
    }

    /// - Returns: Whether there was one.
    func remove(_ path: String) throws(FileError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw FileError("remove", path) }
        return false
    }

    /// Gives a finished file its name, which is not durable yet.
    func place(_ temporary: String, at key: Digest, calls: FileSystemCalls) throws(FileError) {
        let folder = self.folder(key.bytes[0])
        if mkdir(folder, 0o700) == 0 {
            try self.synchronise(self.path, calls)
        } else if errno != EEXIST {
            throw FileError("create", folder)
        }
        guard rename(temporary, self.path(of: key)) == 0 else { throw FileError("rename", temporary) }
    }

    /// Makes additions to and removals from a folder durable (`fsync`).
    func synchronise(_ folder: String, _ calls: FileSystemCalls) throws(FileError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", folder) }
        defer { close(descriptor) }
        try calls.synchronise(descriptor, folder)
    }
}

/// The system calls that a full or failing disk refuses; replaceable by tests.
package struct FileSystemCalls: Sendable {
    /// Makes a file that is not there yet; gives its descriptor.
    var create: @Sendable (_ path: String) throws(FileError) -> Int32
    /// Writes all of the bytes where the descriptor stands.
    var write:
        @Sendable (_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ path: String) throws(FileError) -> Void
    /// Makes what was written durable.
    var synchronise: @Sendable (_ descriptor: Int32, _ path: String) throws(FileError) -> Void

    /// The system's.
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
