import Glibc

/// An address that the service listens on, with or without TLS.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    package enum Socket: Hashable, Sendable {
        /// A TCP port of a host name or address; 0 lets the system choose.
        case port(host: String, Int)
        /// A Unix socket, with the permissions of its file.
        case file(path: String, mode: UInt32)
        /// A listening socket that the process inherited, with the name that its parent gave it.
        case inherited(descriptor: Int32, name: String)
    }

    package let socket: Socket
    /// Whether connections use TLS, with HTTP/2 or HTTP/1.1; otherwise they use HTTP/1.1 in the clear.
    package let isSecure: Bool

    package init(_ socket: Socket, isSecure: Bool = false) {
        self.socket = socket
        self.isSecure = isSecure
    }

    /// The address as a URL.
    package var description: String {
        let scheme = self.isSecure ? "https" : "http"
        switch self.socket {
        case .port(let host, let port):
            return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
        case .file(let path, _): return "\(scheme)+unix:\(path)"
        case .inherited(_, let name): return "\(scheme)+inherited:\(name)"
        }
    }
}

/// The listening sockets that the process was started with, as passed by systemd (sd_listen_fds(3)).
package struct InheritedSockets: Hashable, Sendable {
    static let firstDescriptor: Int32 = 3
    /// Maximum number of sockets; more is a configuration error.
    static let countLimit = 64

    package struct Entry: Hashable, Sendable {
        /// The descriptor's number in this process.
        package let descriptor: Int32
        /// The value of `FileDescriptorName=` in the socket's unit.
        package let name: String
    }

    /// In the order in which they were passed; empty if there are none.
    package let entries: [Entry]

    /// - Parameters:
    ///   - environment: With `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`, if they are intended for this process.
    ///   - processID: The id of this process.
    /// - Throws: ``ListeningFailure`` if the variables are malformed.
    package init(environment: [String: String], processID: Int32) throws(ListeningFailure) {
        guard let owner = environment["LISTEN_PID"], let countText = environment["LISTEN_FDS"],
            owner == "\(processID)"
        else {
            self.entries = []  // there are none, or they are for another process
            return
        }
        guard let count = Int(countText), (0...Self.countLimit).contains(count) else {
            throw ListeningFailure("LISTEN_FDS is '\(countText)'; allowed: 0 to \(Self.countLimit)")
        }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false)
        self.entries = (0..<count).map { index in
            let name = names.flatMap { index < $0.count ? String($0[index]) : nil }
            return Entry(descriptor: Self.firstDescriptor + Int32(index), name: name ?? "unknown")
        }
    }

    /// Checks that the sockets are listening, and prevents child processes from inheriting them.
    ///
    /// - Throws: ``ListeningFailure`` that names the unusable socket.
    package func claim() throws(ListeningFailure) {
        for entry in self.entries {
            let descriptor = entry.descriptor
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw .system("the inherited socket \(entry.name) (\(descriptor)) cannot be used", errno)
            }
            guard Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
                Self.option(SO_ACCEPTCONN, of: descriptor) == 1
            else {
                throw ListeningFailure(
                    "the inherited descriptor \(entry.name) (\(descriptor)) is not a listening stream socket: "
                        + "use ListenStream= and Accept=no")
            }
        }
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}

/// Why the service cannot listen on an address.
package struct ListeningFailure: Error, Hashable, CustomStringConvertible {
    /// A sentence for the operator.
    package let description: String
    /// The system's `errno`; 0 if there is none.
    package let code: Int32

    init(_ description: String, code: Int32 = 0) {
        self.description = description
        self.code = code
    }

    /// - Parameter what: A clause that states the failed operation, without the reason.
    static func system(_ what: String, _ code: Int32) -> ListeningFailure {
        ListeningFailure("\(what): \(String(cString: strerror(code)))", code: code)
    }
}
