import Glibc

/// The folder of a server's data, locked by one process at a time.
public final class DataDirectory: Sendable {
    /// Why a data directory cannot be used.
    public enum Failure: Error, CustomStringConvertible {
        case inUse(path: String)
        case unusable(FileError)
        case newer(path: String, version: Int, newestKnown: Int)
        case unusableIndex(path: String, reason: String)

        /// The problem and its remedy, for the operator.
        public var description: String {
            switch self {
            case .inUse(let path):
                "the data directory \(path) is in use by another onesheet; stop it, or choose another with --data-dir"
            case .unusable(let error): "the data directory cannot be used: \(error); choose another with --data-dir"
            case .newer(let path, let version, let newestKnown):
                """
                \(path) was made by a newer onesheet (its format is \(version), the newest supported one is \
                \(newestKnown)); use that one, or choose another directory with --data-dir
                """
            case .unusableIndex(let path, let reason):
                "\(path) cannot be written (\(reason)); make it writable, or choose another directory with --data-dir"
            }
        }
    }

    package let path: String
    private let lock: Int32

    /// Creates the folder if it is missing, and locks it for the lifetime of this object.
    package init(path: String) throws(Failure) {
        self.path = path
        do { try Self.create(path) } catch { throw .unusable(error) }
        let name = path + "/lock"
        self.lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard self.lock >= 0 else { throw .unusable(FileError("open", name)) }
        guard flock(self.lock, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(self.lock)
            throw code == EWOULDBLOCK ? .inUse(path: path) : .unusable(FileError("lock", name, code: code))
        }
    }

    deinit {
        // Unlocked explicitly: a child process that is being forked holds the descriptor until it execs.
        flock(self.lock, LOCK_UN)
        close(self.lock)
    }

    /// Creates a folder and its parents, durably: a power failure would remove it with its files.
    package static func create(_ path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) == 0 {
                // A parent that may be written to, but not read, is left to the kernel.
                try? AtomicFile.synchronise(folderOf: made)
            } else if errno != EEXIST {
                throw FileError("create", made)
            }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError("read", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError("create", path, code: ENOTDIR) }
    }
}
