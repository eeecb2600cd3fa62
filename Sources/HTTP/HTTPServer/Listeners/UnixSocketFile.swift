package import Glibc

/// A listening Unix socket and its file.
struct UnixSocketFile: Sendable {
    /// The listening socket; NIO closes it.
    let descriptor: Int32
    private let path: String
    private let facts: stat

    /// Creates the socket. Replaces the file of a dead process, but not one of a listening process.
    ///
    /// - Parameters:
    ///   - path: At most ``UnixSocketAddress/pathLimit`` bytes.
    ///   - mode: The file's permissions, which control who may connect.
    ///   - backlog: Maximum number of clients that wait in the kernel.
    init(path: String, mode: mode_t, backlog: Int32) throws(ListeningFailure) {
        guard path.utf8.count <= UnixSocketAddress.pathLimit, !path.isEmpty, !path.utf8.contains(0) else {
            throw ListeningFailure(
                "the path of a Unix socket must have 1 to \(UnixSocketAddress.pathLimit) bytes: \(path)")
        }
        try Self.removeStale(path)
        let socket = try Self.socket()
        // No other user can connect before the file has the requested mode.
        guard fchmod(socket, 0o600) == 0, UnixSocketAddress.with(path, { bind(socket, $0, $1) }) == 0 else {
            let code = errno
            close(socket)
            throw .system("cannot listen on \(path)", code)
        }
        var facts = stat()
        guard listen(socket, backlog) == 0, chmod(path, mode) == 0, lstat(path, &facts) == 0 else {
            let code = errno
            unlink(path)
            close(socket)
            throw .system("cannot listen on \(path)", code)
        }
        self.descriptor = socket
        self.path = path
        self.facts = facts
    }

    /// Removes the file, unless another process has replaced it.
    func remove() {
        var facts = stat()
        // Inode numbers are reused; the time of the last change distinguishes them.
        guard lstat(self.path, &facts) == 0, facts.st_dev == self.facts.st_dev, facts.st_ino == self.facts.st_ino,
            facts.st_ctim.tv_sec == self.facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec == self.facts.st_ctim.tv_nsec
        else { return }
        unlink(self.path)
    }

    private static func removeStale(_ path: String) throws(ListeningFailure) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            guard errno == ENOENT else { throw .system("cannot listen on \(path)", errno) }
            return
        }
        guard facts.st_mode & S_IFMT == S_IFSOCK else {
            throw ListeningFailure("cannot listen on \(path): the file exists and is not a socket", code: EEXIST)
        }
        let socket = try Self.socket()
        defer { close(socket) }
        let isRefused = UnixSocketAddress.with(path, { connect(socket, $0, $1) }) != 0 && errno == ECONNREFUSED
        guard isRefused else {
            throw ListeningFailure("cannot listen on \(path): another process is listening on it", code: EADDRINUSE)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw .system("cannot replace \(path)", errno) }
    }

    private static func socket() throws(ListeningFailure) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, flags, 0)
        guard socket >= 0 else { throw .system("cannot create a Unix socket", errno) }
        return socket
    }
}

/// The address of a Unix socket (unix(7)).
package enum UnixSocketAddress {
    /// Maximum length of a path, in bytes.
    package static let pathLimit = 107

    /// Calls `use` with the address of a path.
    ///
    /// - Parameters:
    ///   - path: At most ``pathLimit`` bytes; in an abstract address, the first one is replaced by zero.
    ///   - isAbstract: Whether the path is a name outside the file system, which ends with the address.
    package static func with<Result>(
        _ path: String, isAbstract: Bool = false, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The rest of the path is zero, which terminates it.
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path.utf8)
            if isAbstract { bytes[0] = 0 }
        }
        let length = isAbstract ? MemoryLayout<sa_family_t>.size + path.utf8.count : MemoryLayout<sockaddr_un>.size
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, socklen_t(length)) }
        }
    }
}
