/// Where the service listens, and whether it speaks TLS there.
public struct ListeningPlace: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of sockets.
    public enum Socket: Hashable, Sendable {
        /// A TCP port of a host name or an address; 0 lets the system choose.
        case port(host: String, Int)
        /// A Unix socket, with the permissions of its file.
        case file(path: String, mode: UInt32)
        /// One that listens already and was given to the process, under a name of whoever gave it.
        case inherited(descriptor: Int32, name: String)
    }

    /// Which socket.
    public let socket: Socket
    /// Whether connections speak TLS, with HTTP/2 or HTTP/1.1 in it; else it is HTTP/1.1 in the clear.
    public let isSecure: Bool

    /// A place to listen at.
    public init(_ socket: Socket, isSecure: Bool = false) {
        self.socket = socket
        self.isSecure = isSecure
    }

    /// As a URL, where there is one.
    public var description: String {
        let scheme = self.isSecure ? "https" : "http"
        switch self.socket {
        case .port(let host, let port):
            return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
        case .file(let path, _): return "\(scheme)+unix:\(path)"
        case .inherited(_, let name): return "\(scheme)+inherited:\(name)"
        }
    }
}
