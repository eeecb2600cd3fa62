import Glibc

/// A keep-alive connection to a server on the loopback interface. It blocks only while connecting.
final class ClientConnection {
    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]
        let byteCount: Int

        func field(_ name: String) -> String? {
            let start = "\(name): ".lowercased()
            return self.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(start) }
                .map { String($0.dropFirst(start.count)) }
        }
    }

    let descriptor: Int32
    private let keepsBody: Bool
    private var bytes: [UInt8] = []
    /// Bytes of the body that are not in ``bytes``.
    private var dropped = 0
    private var headCount: Int?
    private var bodyCount = 0

    init(port: UInt16, keepsBody: Bool = false) throws(BenchError) {
        self.keepsBody = keepsBody
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard self.descriptor >= 0 else { throw BenchError("no more sockets: \(String(cString: strerror(errno)))") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0, fcntl(self.descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            throw BenchError("cannot connect to port \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(self.descriptor)
    }

    /// - Parameter fields: Header lines, each with its CRLF.
    func send(_ target: String, fields: String = "") throws(BenchError) {
        let request = Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\r\n".utf8)
        let sent = Glibc.send(self.descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        guard sent == request.count else {
            throw BenchError("cannot send a request: \(String(cString: strerror(errno)))")
        }
    }

    /// Reads the available bytes.
    ///
    /// - Returns: The response, once it is complete.
    func receive() throws(BenchError) -> Answer? {
        while true {
            let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
                let count = read(self.descriptor, buffer.baseAddress, buffer.count)
                if count > 0 { self.take(UnsafeRawBufferPointer(buffer)[..<count]) }
                return count
            }
            if let headCount = self.headCount, self.bytes.count + self.dropped >= headCount + self.bodyCount {
                return self.finish(headCount)
            }
            if count < 0, errno == EAGAIN { return nil }
            guard count > 0 else { throw BenchError("the server closed a connection in the middle of an answer") }
        }
    }

    private func take(_ new: Slice<UnsafeRawBufferPointer>) {
        guard self.headCount == nil || self.keepsBody else {
            self.dropped += new.count
            return
        }
        self.bytes += new
        guard self.headCount == nil, let end = self.bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        self.headCount = end.upperBound
        let head = String(decoding: self.bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
        self.bodyCount = length.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
    }

    private func finish(_ headCount: Int) -> Answer {
        let head = String(decoding: self.bytes[..<headCount], as: UTF8.self)
        let words = head.split(separator: " ", maxSplits: 2)
        let answer = Answer(
            status: words.count > 1 ? Int(words[1]) ?? 0 : 0, head: head,
            body: self.keepsBody ? Array(self.bytes[headCount...]) : [], byteCount: self.bodyCount)
        (self.bytes, self.dropped, self.headCount, self.bodyCount) = ([], 0, nil, 0)
        return answer
    }
}
