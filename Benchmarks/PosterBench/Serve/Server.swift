import Glibc

/// A measured server, or one for comparison.
struct Server {
    let name: String
    let port: UInt16
    let process: RunningProcess
    /// The path and query of a variant. Id, width and quality may be placeholders; without a quality, the server's
    /// default applies.
    let target: (_ id: String, _ width: String, _ quality: String?) -> String

    static func freePort() throws(BenchError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard code == 0 else { throw BenchError("there is no free port: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }

    static func waitUntilOpen(_ port: UInt16, _ process: RunningProcess) throws(BenchError) {
        _ = try process.wait { try? ClientConnection(port: port) }
    }
}
