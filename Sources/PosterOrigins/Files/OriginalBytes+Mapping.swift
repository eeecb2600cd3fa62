import Glibc
public import PosterPipeline

/// A file's bytes, mapped, and what tells whether the file has changed since.
struct MappedFile {
    /// What changes when a file is replaced or written to.
    struct Stamp: Hashable {
        let device, inode: UInt
        let length: Int
        let changedSeconds, changedNanoseconds: Int
    }

    let bytes: OriginalBytes
    let stamp: Stamp

    /// Nobody may shorten the file while the bytes are held; files that are replaced must be renamed over.
    ///
    /// - Throws: ``FileError``; a directory, pipe or device is refused with `EINVAL`.
    init(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("map", path, code: EINVAL) }
        let length = Int(status.st_size)
        self.stamp = Stamp(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), length: length,
            changedSeconds: status.st_ctim.tv_sec, changedNanoseconds: status.st_ctim.tv_nsec)
        guard length > 0 else {
            self.bytes = OriginalBytes(copying: [])
            return
        }
        // Populated here, on a thread that may wait for the disk, so that later readers do not.
        let flags = MAP_PRIVATE | Int32(MAP_POPULATE)
        guard let base = mmap(nil, length, PROT_READ, flags, descriptor, 0), base != MAP_FAILED else {
            throw FileError("map", path)
        }
        let address = UInt(bitPattern: base)
        self.bytes = OriginalBytes(UnsafeRawBufferPointer(start: base, count: length)) {
            munmap(UnsafeMutableRawPointer(bitPattern: address), length)
        }
    }
}

extension OriginalBytes {
    /// Maps a file's bytes, from `offset` to its end.
    ///
    /// Nobody may shorten the file while the bytes are held; files that are replaced must be renamed over.
    ///
    /// - Throws: ``FileError``; a directory, pipe or device is refused with `EINVAL`.
    public static func mapping(_ path: String, from offset: Int = 0) throws(FileError) -> OriginalBytes {
        try MappedFile(path).bytes.dropFirst(offset)
    }
}
