import Glibc
import PosterPipeline

/// Where originals are: `originals/ab/<SHA-256 of the id>.original`, and in `originals/incoming` while they arrive.
struct OriginalFiles: Sendable {
    private static let suffix = ".original"

    /// The folder of all.
    let path: String
    /// Begins the names of files that this process writes, so that those of an earlier one can be told.
    private let token = String(UInt64.random(in: .min ... .max), radix: 16)

    init(path: String) {
        self.path = path
    }

    var incoming: String { self.path + "/incoming" }

    var index: String { self.path + "/index.sqlite" }

    func temporary(_ number: Int) -> String { "\(self.incoming)/\(self.token)-\(number)" }

    func folder(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "\(self.path)/\(digits.count < 2 ? "0" : "")\(digits)"
    }

    func path(of key: Digest) -> String { "\(self.folder(key.bytes[0]))/\(key)\(Self.suffix)" }

    /// The keys of the files in one folder. Their number is that of the originals by 256.
    ///
    /// - Throws: ``FileError``.
    func keys(beginningWith byte: UInt8) throws(FileError) -> Set<Digest> {
        Set(
            try FolderListing.names(in: self.folder(byte)).compactMap { name in
                guard name.hasSuffix(Self.suffix),
                    let key = Digest(hexadecimal: String(name.dropLast(Self.suffix.count))),
                    key.bytes[0] == byte, "\(key)\(Self.suffix)" == name
                else { return nil }
                return key
            })
    }

    /// Files that an earlier process was writing when it ended.
    ///
    /// - Throws: ``FileError``.
    func leftovers() throws(FileError) -> [String] {
        try FolderListing.names(in: self.incoming).filter { !$0.hasPrefix(self.token + "-") }
            .map { "\(self.incoming)/\($0)" }
    }

    /// - Returns: Whether there was one.
    /// - Throws: ``FileError``.
    func remove(_ path: String) throws(FileError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw FileError("remove", path) }
        return false
    }

    /// Gives a finished file its name, which is not durable yet.
    ///
    /// - Throws: ``FileError``.
    func place(_ temporary: String, at key: Digest, calls: DiskCalls) throws(FileError) {
        let folder = self.folder(key.bytes[0])
        if mkdir(folder, 0o700) == 0 {
            try self.synchronise(self.path, calls)
        } else if errno != EEXIST {
            throw FileError("create", folder)
        }
        guard rename(temporary, self.path(of: key)) == 0 else { throw FileError("rename", temporary) }
    }

    /// Makes names that appeared or went in a folder durable.
    ///
    /// - Throws: ``FileError``.
    func synchronise(_ folder: String, _ calls: DiskCalls) throws(FileError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", folder) }
        defer { close(descriptor) }
        try calls.synchronise(descriptor, folder)
    }
}
