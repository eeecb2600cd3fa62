import Glibc
import PosterCodec
package import PosterPipeline

extension LoadedBytes {
    /// Reads a file into memory.
    /// - Parameter limit: Maximum length in bytes.
    /// - Throws: ``FileError``, with `EINVAL` for a directory, pipe or device; `CodecError/overLimit` for a longer
    ///   file.
    package static func reading(_ path: String, limit: Int) throws -> LoadedBytes {
        let descriptor = try self.open(path)
        defer { close(descriptor) }
        let length = try FileStamp(of: descriptor, path: path).length
        guard length <= limit else { throw CodecError.overLimit(.bytes, value: length, limit: limit) }
        return try self.contents(of: descriptor, from: 0, to: length, path: path)
    }

    /// Opens a file for reading; does not block on a pipe.
    static func open(_ path: String) throws(FileError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", path) }
        return descriptor
    }

    /// Reads the bytes of an open file from `offset` to `length` into memory.
    /// - Throws: ``FileError``, with `EIO` if the file is shorter.
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

    /// Fills a buffer with bytes of an open file.
    /// - Throws: ``FileError``, with `EIO` if the file ends before.
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

/// Writes all of `buffer` at the descriptor's position.
func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(FileError) {
    var rest = buffer
    while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw FileError("write", path) }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
}

/// The attributes that change when a file is replaced or written to.
struct FileStamp: Hashable {
    let device, inode: UInt
    let length: Int
    /// Any change of the file, including its names, in nanoseconds since 1970.
    let changedAt: Int
    /// The last change of the content, in nanoseconds since 1970.
    let modifiedAt: Int

    init(_ status: stat) {
        self.device = UInt(status.st_dev)
        self.inode = UInt(status.st_ino)
        self.length = Int(status.st_size)
        self.changedAt = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
        self.modifiedAt = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
    }

    /// Whether it is the same file, whatever its content.
    func isSameFile(as other: FileStamp) -> Bool {
        self.device == other.device && self.inode == other.inode
    }

    /// Whether the content has not been written to in between.
    func hasSameContent(as other: FileStamp) -> Bool {
        self.isSameFile(as: other) && self.length == other.length && self.modifiedAt == other.modifiedAt
    }

    /// The stamp of an open file.
    /// - Throws: ``FileError`` with `path` as its path, and `EINVAL` for a directory, pipe or device.
    init(of descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("read", path, code: EINVAL) }
        self.init(status)
    }

    /// The stamp of the file, folder or link with that name; `nil` if there is none or it cannot be read.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// A failed file operation.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempted action, as a verb: "open".
    package let action: String
    package let path: String
    /// The C library's error number.
    package let code: Int32

    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// For example, "cannot open /x: No such file or directory".
    public var description: String {
        "cannot \(self.action) \(self.path): \(String(cString: strerror(self.code)))"
    }
}
