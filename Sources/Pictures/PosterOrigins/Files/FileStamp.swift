import Glibc

/// What changes when a file is replaced or written to.
struct FileStamp: Hashable {
    let device, inode: UInt
    /// In bytes.
    let length: Int
    let changedSeconds, changedNanoseconds: Int
    /// Unlike the change of anything, that of the content alone: another name, or none, changes the file as well.
    let modifiedSeconds, modifiedNanoseconds: Int

    init(_ status: stat) {
        self.device = UInt(status.st_dev)
        self.inode = UInt(status.st_ino)
        self.length = Int(status.st_size)
        self.changedSeconds = status.st_ctim.tv_sec
        self.changedNanoseconds = status.st_ctim.tv_nsec
        self.modifiedSeconds = status.st_mtim.tv_sec
        self.modifiedNanoseconds = status.st_mtim.tv_nsec
    }

    /// Whether it is the same file, whatever became of its content.
    func isSameFile(as other: FileStamp) -> Bool {
        self.device == other.device && self.inode == other.inode
    }

    /// Whether nothing was written to the file in between.
    func hasSameContent(as other: FileStamp) -> Bool {
        self.isSameFile(as: other) && self.length == other.length && self.modifiedSeconds == other.modifiedSeconds
            && self.modifiedNanoseconds == other.modifiedNanoseconds
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
