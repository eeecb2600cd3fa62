import Glibc
public import PosterPipeline

extension OriginalBytes {
    /// Maps a file's bytes, from `offset` to its end.
    ///
    /// Nobody may shorten the file while the bytes are held; files that are replaced must be renamed over.
    ///
    /// - Throws: ``FileError``; a directory, pipe or device is refused with `EINVAL`.
    public static func mapping(_ path: String, from offset: Int = 0) throws(FileError) -> OriginalBytes {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("map", path, code: EINVAL) }
        let length = Int(status.st_size)
        guard length > offset else { return OriginalBytes(copying: []) }
        guard let base = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
            throw FileError("map", path)
        }
        let address = UInt(bitPattern: base)
        return OriginalBytes(UnsafeRawBufferPointer(start: base + offset, count: length - offset)) {
            munmap(UnsafeMutableRawPointer(bitPattern: address), length)
        }
    }
}
