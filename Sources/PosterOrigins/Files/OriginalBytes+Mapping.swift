import Glibc
public import PosterPipeline

extension OriginalBytes {
    /// Up to this many bytes of a file are read into memory instead of mapped: when somebody shortens a mapped file, the
    /// next one who touches what is gone ends the process. Larger originals are rare enough to take that risk.
    static let readLimit = 4 << 20

    /// Maps a file's bytes.
    ///
    /// Nobody may shorten the file while the bytes are held; files that are replaced must be renamed over.
    ///
    /// - Throws: ``FileError``; a directory, pipe or device is refused with `EINVAL`.
    public static func mapping(_ path: String) throws(FileError) -> OriginalBytes {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", path) }
        defer { close(descriptor) }
        let stamp = try FileStamp(of: descriptor, path: path)
        return try self.mapping(descriptor, length: stamp.length, path: path)
    }

    /// The bytes of an open file from `offset` to `length`: read up to ``readLimit``, mapped beyond.
    ///
    /// - Throws: ``FileError``; `EIO` when the file is shorter.
    static func contents(
        of descriptor: Int32, from offset: Int, to length: Int, path: String
    ) throws(FileError) -> OriginalBytes {
        guard length - offset <= self.readLimit else {
            return try self.mapping(descriptor, length: length, path: path).dropFirst(offset)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length - offset, alignment: 16)
        do {
            try self.read(descriptor, from: offset, into: buffer, path: path)
        } catch {
            buffer.deallocate()
            throw error
        }
        let address = UInt(bitPattern: buffer.baseAddress)
        return OriginalBytes(UnsafeRawBufferPointer(buffer)) {
            UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        }
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

    private static func mapping(
        _ descriptor: Int32, length: Int, path: String
    ) throws(FileError) -> OriginalBytes {
        guard length > 0 else { return OriginalBytes(copying: []) }
        // Populated here, on a thread that may wait for the disk, so that later readers do not.
        let flags = MAP_PRIVATE | Int32(MAP_POPULATE)
        guard let base = mmap(nil, length, PROT_READ, flags, descriptor, 0), base != MAP_FAILED else {
            throw FileError("map", path)
        }
        let address = UInt(bitPattern: base)
        return OriginalBytes(UnsafeRawBufferPointer(start: base, count: length)) {
            munmap(UnsafeMutableRawPointer(bitPattern: address), length)
        }
    }
}
