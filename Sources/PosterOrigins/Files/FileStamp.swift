import Glibc

/// What changes when a file is replaced or written to.
struct FileStamp: Hashable {
    let device, inode: UInt
    /// In bytes.
    let length: Int
    let changedSeconds, changedNanoseconds: Int

    init(_ status: stat) {
        self.device = UInt(status.st_dev)
        self.inode = UInt(status.st_ino)
        self.length = Int(status.st_size)
        self.changedSeconds = status.st_ctim.tv_sec
        self.changedNanoseconds = status.st_ctim.tv_nsec
    }

    /// Of an open file.
    ///
    /// - Throws: ``FileError``, with `path` for a name; a directory, pipe or device is refused with `EINVAL`.
    init(of descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("read", path, code: EINVAL) }
        self.init(status)
    }

    /// Of whatever has that name; nil when nothing has, or it cannot be told.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
