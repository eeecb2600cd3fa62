import Glibc

/// Ports for programs that cannot choose one themselves.
public enum FreePort {
    /// A port of 127.0.0.1 that nobody listened on a moment ago.
    ///
    /// - Throws: ``HTTPConnection/Failure``.
    public static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw HTTPConnection.Failure(description: "no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
