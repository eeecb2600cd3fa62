import Glibc
import HTTPServer

/// The Unix socket in the data directory through which commands reach the server that holds it.
///
/// Addressed through a descriptor of the open directory: a socket's address has room for 107 bytes, and a data
/// directory's path may be longer.
enum ControlSocket {
    static let name = "control.sock"
    private static let backlog: Int32 = 16

    /// Creates the socket, accessible to its owner only. Replaces the socket of a dead process.
    ///
    /// - Parameter directory: The data directory; the caller holds its lock.
    /// - Returns: A listening descriptor, for the caller to close.
    static func listen(in directory: String) throws(ControlFailure) -> Int32 {
        do throws(Code) {
            return try self.withSocket(in: directory) { (socket, folder, address, length) in
                // Set before the socket has a name: no other user can ever connect.
                guard fchmod(socket, 0o600) == 0, unlinkat(folder, self.name, 0) == 0 || errno == ENOENT,
                    bind(socket, address, length) == 0, Glibc.listen(socket, self.backlog) == 0
                else {
                    return errno
                }
                return 0
            }
        } catch {
            throw error.failure(directory)
        }
    }

    /// - Returns: A connected descriptor, for the caller to close; `nil` if no server runs in that directory.
    static func connect(in directory: String) throws(ControlFailure) -> Int32? {
        do throws(Code) {
            return try self.withSocket(in: directory) { (socket, _, address, length) in
                Glibc.connect(socket, address, length) == 0 ? 0 : errno
            }
        } catch {
            // There is no directory, no socket in it, or no listener at the socket.
            if error.value == ENOENT || error.value == ECONNREFUSED { return nil }
            throw error.failure(directory)
        }
    }

    /// The id of the process that serves the directory; `nil` if none does.
    static func serverProcess(in directory: String) throws(ControlFailure) -> Int32? {
        guard let socket = try Self.connect(in: directory) else { return nil }
        defer { close(socket) }
        // `struct ucred`, which Swift does not import: process, user and group.
        var peer: [Int32] = [0, 0, 0]
        var length = socklen_t(peer.count * MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer[0] : nil
    }

    /// Removes the socket's name. A failure does no harm: connections to it are refused.
    static func remove(from directory: String) {
        unlink(directory + "/" + self.name)
    }

    /// - Parameter use: Receives the new socket, the directory and the address; returns an error code or 0.
    private static func withSocket(
        in directory: String, _ use: (Int32, Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Code) -> Int32 {
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Code(value: errno) }
        defer { close(folder) }
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, flags, 0)
        guard socket >= 0 else { throw Code(value: errno) }
        let code = UnixSocketAddress.with("/proc/self/fd/\(folder)/\(self.name)") { use(socket, folder, $0, $1) }
        guard code == 0 else {
            close(socket)
            throw Code(value: code)
        }
        return socket
    }

    private struct Code: Error {
        let value: Int32

        func failure(_ directory: String) -> ControlFailure {
            .unusable(path: directory, reason: String(cString: strerror(self.value)))
        }
    }
}
