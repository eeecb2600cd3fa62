import Glibc
public import PosterCodec
public import PosterPipeline

extension LoadedBytes {
    /// Reads a file into memory.
    ///
    /// - Parameter limit: The longest that is read, in bytes.
    /// - Throws: ``FileError``; a directory, pipe or device is refused with `EINVAL`. `CodecError/overLimit` for a longer
    ///   file.
    public static func reading(_ path: String, limit: Int) throws -> LoadedBytes {
        let descriptor = try self.open(path)
        defer { close(descriptor) }
        let length = try FileStamp(of: descriptor, path: path).length
        guard length <= limit else { throw CodecError.overLimit(.bytes, value: length, limit: limit) }
        return try self.contents(of: descriptor, from: 0, to: length, path: path)
    }

    /// Opens a file for reading; a pipe does not hold the caller up.
    ///
    /// - Throws: ``FileError``.
    static func open(_ path: String) throws(FileError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", path) }
        return descriptor
    }

    /// The bytes of an open file from `offset` to `length`, in memory.
    ///
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
    ///
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
