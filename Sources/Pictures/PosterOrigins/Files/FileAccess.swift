import Glibc
import PosterCodec
package import PosterPipeline

extension LoadedBytes {
    /// Reads a file into memory.
    /// - Parameter limit: The longest that is read, in bytes.
    /// - Throws: ``FileError``; a directory, pipe or device is refused with `EINVAL`. `CodecError/overLimit` for a
    ///   longer file.
    package static func reading(_ path: String, limit: Int) throws -> LoadedBytes {
        let descriptor = try self.open(path)
        defer { close(descriptor) }
        let length = try FileStamp(of: descriptor, path: path).length
        guard length <= limit else { throw CodecError.overLimit(.bytes, value: length, limit: limit) }
        return try self.contents(of: descriptor, from: 0, to: length, path: path)
    }

    /// Opens a file for reading; a pipe does not hold the caller up.
    static func open(_ path: String) throws(FileError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", path) }
        return descriptor
    }

    /// The bytes of an open file from `offset` to `length`, in memory.
    /// - Throws: ``FileError``; `EIO` when the file is shorter.
    static func contents(
        of descriptor: Int32, from offset: Int, to length: Int, path: String
    ) throws(FileError) -> LoadedBytes {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length - offset, alignment: 16)
        do {
            try self.read(descriptor, from: offset, into: memory, path: path)
        } catch {
            memory.deallocate()
            throw error
        }
        return LoadedBytes(taking: memory)
    }

    /// Fills a buffer with an open file's bytes.
    /// - Throws: ``FileError``; `EIO` when the file ends before.
    static func read(
        _ descriptor: Int32, from offset: Int, into buffer: UnsafeMutableRawBufferPointer, path: String
    ) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path) }
            guard count > 0 else { throw FileError("read", path, code: EIO) }
            done += count
        }
    }
}

/// Writes all of `buffer` where the descriptor stands.
func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(FileError) {
    var rest = buffer
    while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw FileError("write", path) }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
}

/// What changes when a file is replaced or written to.
struct FileStamp: Hashable {
    let device, inode: UInt
    /// In bytes.
    let length: Int
    /// In nanoseconds since 1970.
    let changedAt: Int
    /// Unlike the change of anything, that of the content alone: another name, or none, changes the file as well.
    let modifiedAt: Int

    init(_ status: stat) {
        self.device = UInt(status.st_dev)
        self.inode = UInt(status.st_ino)
        self.length = Int(status.st_size)
        self.changedAt = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
        self.modifiedAt = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
    }

    /// Whether it is the same file, whatever became of its content.
    func isSameFile(as other: FileStamp) -> Bool {
        self.device == other.device && self.inode == other.inode
    }

    /// Whether nothing was written to the file in between.
    func hasSameContent(as other: FileStamp) -> Bool {
        self.isSameFile(as: other) && self.length == other.length && self.modifiedAt == other.modifiedAt
    }

    /// Of an open file.
    /// - Throws: ``FileError``, with `path` for a name; a directory, pipe or device is refused with `EINVAL`.
    init(of descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("read", path, code: EINVAL) }
        self.init(status)
    }

    /// Of the file, folder or link with that name; nil when there is none, or it cannot be read.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// A file operation that failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, as a verb: "open".
    package let action: String
    package let path: String
    /// The C library's error number.
    package let code: Int32

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
