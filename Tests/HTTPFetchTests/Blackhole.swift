import Glibc
import Testing

/// A host that neither accepts nor refuses connections: a listening socket with a full queue drops every SYN.
struct Blackhole: ~Copyable {
    private let port: UInt16
    private var descriptors: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_ANY.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        self.descriptors = [listener]
        // With a backlog of 0 one connection is queued, and further ones are not.
        let port: UInt16? = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                guard bind(listener, raw, length) == 0, listen(listener, 0) == 0,
                    getsockname(listener, raw, &length) == 0
                else { return nil }
                return raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port.byteSwapped }
            }
        }
        self.port = try #require(port)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = self.port.bigEndian
        for _ in 0..<2 {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            self.descriptors.append(filler)
            withUnsafePointer(to: address) {
                _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(filler, $0, length) }
            }
        }
    }

    deinit {
        for descriptor in self.descriptors { close(descriptor) }
    }

    /// Differs from the loopback address of the filling sockets, so that a fetch's socket can be distinguished.
    var url: String { "http://127.0.0.2:\(self.port)/" }

    /// Whether a socket of this machine has sent a SYN to ``url`` without an answer.
    var isAwaited: Bool {
        let descriptor = open("/proc/net/tcp", O_RDONLY)
        defer { close(descriptor) }
        var table: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { table += buffer[..<count] }
        let digits = String(self.port, radix: 16, uppercase: true)
        let peer = "0200007F:" + String(repeating: "0", count: 4 - digits.count) + digits
        // Columns: number, local, remote, state; 02 is SYN_SENT.
        return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[2] == peer && columns[3] == "02"
        }
    }
}
