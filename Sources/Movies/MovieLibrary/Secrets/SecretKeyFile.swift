import Glibc

/// A file with a secret key.
package struct SecretKeyFile: Sendable {
    /// The reason why there is no key.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        case unwritable(path: String, reason: String)
        case noKey(path: String)

        package var description: String {
            switch self {
            case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
            case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
            case .noKey(let path):
                "\(path) contains no key; a key is 32 random bytes, raw, as 64 hexadecimal digits, or in base64 "
                    + "(openssl rand -hex 32)"
            }
        }
    }

    /// Maximum number of bytes read.
    private static let limit = 1024

    package let key: SecretKey
    /// Whether all users of the machine can read the file, which deserves a warning.
    package let isPublic: Bool

    /// - Parameter createsMissing: Creates a missing file with a new key, readable only by its owner. The file is
    ///   created completely or not at all, and never replaces another one.
    package init(_ path: String, createsMissing: Bool = false) throws(Failure) {
        if createsMissing, Self.isMissing(path) { try Self.create(path) }
        let (content, mode) = try Self.read(path)
        guard let key = SecretKey(content: content) else { throw .noKey(path: path) }
        self.key = key
        self.isPublic = mode & S_IROTH != 0
    }

    private static func isMissing(_ path: String) -> Bool {
        access(path, F_OK) != 0 && errno == ENOENT
    }

    private static func read(_ path: String) throws(Failure) -> (content: [UInt8], mode: mode_t) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: Self.reason) }
        defer { close(descriptor) }
        var content = [UInt8](repeating: 0, count: Self.limit)
        let count = Glibc.read(descriptor, &content, content.count)
        guard count >= 0 else { throw .unreadable(path: path, reason: Self.reason) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: Self.reason) }
        return (Array(content[..<count]), status.st_mode)
    }

    /// Leaves the file alone if another process has created it meanwhile.
    private static func create(_ path: String) throws(Failure) {
        let draft = path + ".\(UInt32.random(in: .min ... .max)).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: Self.reason) }
        defer { unlink(draft) }
        let content = Array((SecretKey().text + "\n").utf8)
        let isWritten = write(descriptor, content, content.count) == content.count && fsync(descriptor) == 0
        let reason = Self.reason
        close(descriptor)
        guard isWritten else { throw .unwritable(path: path, reason: reason) }
        // Unlike a rename, a link never replaces a file.
        guard link(draft, path) == 0 else {
            if errno == EEXIST { return }
            throw .unwritable(path: path, reason: Self.reason)
        }
        try Self.synchronizeFolder(of: path)
    }

    private static func synchronizeFolder(of path: String) throws(Failure) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: Self.reason) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unwritable(path: path, reason: Self.reason) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
