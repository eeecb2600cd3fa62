import Glibc
import Synchronization

/// A connection to a server on loopback, with explicit sends, reads and closes.
///
/// Synchronous calls block; tests use the async ones, which leave the cooperative threads to the server under test.
public final class HTTPConnection: @unchecked Sendable {
    // Unchecked: a test uses one connection from one task at a time.

    /// A response.
    public struct Answer: Sendable {
        /// The status code.
        public let status: Int
        /// The fields by lower-case name; several lines of one name are joined by a comma.
        public let headers: [String: String]
        /// The body; empty after HEAD, and for 204 and 304.
        public let body: [UInt8]

        /// The body as text.
        public var text: String { String(decoding: self.body, as: UTF8.self) }
    }

    /// A socket failure.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason, as a clause.
        public let description: String
        /// Whether the server closed the connection without a response.
        public let isUnanswered: Bool

        /// Creates a failure.
        public init(description: String, isUnanswered: Bool = false) {
            self.description = description
            self.isUnanswered = isUnanswered
        }
    }

    /// Seconds after which a connection or an answer is given up; only one that hangs takes so long.
    public static let longestWait = 120

    private let socket: Int32
    private var buffered: [UInt8] = []
    private var isClosed = false

    /// Connects to a port of 127.0.0.1. Every wait is limited to ``longestWait`` seconds.
    ///
    /// - Parameter receiveBuffer: Size of the kernel's receive buffer in bytes; `nil` for the kernel's default. A small
    ///   buffer lets a slow reader exert back pressure.
    public init(port: Int, receiveBuffer: Int32? = nil) throws {
        // Not inherited by child processes: they would keep connections open that the test closes.
        self.socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard self.socket >= 0 else { throw Failure(description: "no socket") }
        if var size = receiveBuffer {
            setsockopt(self.socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
        }
        var timeout = timeval(tv_sec: Self.longestWait, tv_usec: 0)
        setsockopt(self.socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            // `deinit` closes the socket, because all properties are initialised; closing it twice could close another
            // descriptor.
            throw Failure(description: "cannot connect to port \(port): \(String(cString: strerror(errno)))")
        }
    }

    /// Connects to a Unix socket. Every wait is limited to ``longestWait`` seconds.
    public init(unixSocket path: String) throws {
        self.socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard self.socket >= 0 else { throw Failure(description: "no socket") }
        var timeout = timeval(tv_sec: Self.longestWait, tv_usec: 0)
        setsockopt(self.socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            throw Failure(description: "cannot connect to \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        self.close()
    }

    /// Closes the connection.
    public func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        Glibc.close(self.socket)
    }

    /// Shuts down the sending side; responses can still be read.
    public func closeSending() {
        shutdown(self.socket, Int32(SHUT_WR))
    }

    /// Ends the connection with a TCP reset.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(self.socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        self.close()
    }

    /// Sends a request without a body and does not wait for the response.
    public func send(_ method: String = "GET", _ target: String, headers: [String: String] = [:]) throws {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        try self.write(Array("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n".utf8))
    }

    /// Sends text unchanged.
    public func send(raw text: String) throws {
        try self.write(Array(text.utf8))
    }

    /// Waits for the server to close the connection.
    ///
    /// - Parameter mayReset: Whether a reset counts as closed.
    /// - Throws: ``Failure`` if the server sends more bytes, or does not close within 30 seconds.
    public func closedByServer(orReset mayReset: Bool = false) async throws {
        try await onOwnThread {
            var byte: [UInt8] = [0]
            let count = self.receive(&byte)
            let isClosed = count == 0 || mayReset && count < 0 && errno == ECONNRESET
            guard isClosed, self.buffered.isEmpty else {
                let reason = count < 0 ? String(cString: strerror(errno)) : "more bytes"
                throw Failure(description: "not closed: \(reason)")
            }
        }
    }

    /// Reads up to `count` bytes of the next response into the buffer of ``answer(hasBody:)``.
    public func take(atMost count: Int) async throws {
        try await onOwnThread { try self.readMore(atMost: count) }
    }

    /// Whether there are unread bytes, or the server has closed the connection.
    public var hasNews: Bool {
        var byte: UInt8 = 0
        return recv(self.socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    /// Sends a request and reads the response.
    public func get(
        _ target: String, headers: [String: String] = [:], method: String = "GET"
    ) async throws -> Answer {
        try self.send(method, target, headers: headers)
        return try await self.answer(hasBody: method != "HEAD")
    }

    /// Reads the next response.
    ///
    /// - Parameter hasBody: `false` after HEAD.
    public func answer(hasBody: Bool = true) async throws -> Answer {
        try await onOwnThread { try self.readAnswer(hasBody: hasBody) }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard Glibc.send(self.socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(
                description: "cannot send: \(String(cString: strerror(errno)))",
                isUnanswered: errno == EPIPE || errno == ECONNRESET)
        }
    }

    private func readAnswer(hasBody: Bool) throws -> Answer {
        let end = Array("\r\n\r\n".utf8)
        var length = self.buffered.firstRange(of: end)?.upperBound
        while length == nil {
            try self.readMore()
            length = self.buffered.firstRange(of: end)?.upperBound
        }
        let lines = String(decoding: self.buffered[..<length!], as: UTF8.self).split(separator: "\r\n")
        self.buffered.removeFirst(length!)
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(description: "no status line")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            headers[parts[0].lowercased(), default: ""] += headers[parts[0].lowercased()] == nil ? value : "," + value
        }
        guard hasBody, status != 304, status != 204 else { return Answer(status: status, headers: headers, body: []) }
        guard let count = headers["content-length"].flatMap({ Int($0) }) else {
            throw Failure(description: "no Content-Length")
        }
        while self.buffered.count < count { try self.readMore() }
        defer { self.buffered.removeFirst(count) }
        return Answer(status: status, headers: headers, body: Array(self.buffered[..<count]))
    }

    private func receive(_ chunk: inout [UInt8]) -> Int {
        var count = recv(self.socket, &chunk, chunk.count, 0)
        // With a timeout, `recv` is interrupted when the process is stopped and continued (signal(7)).
        while count < 0, errno == EINTR { count = recv(self.socket, &chunk, chunk.count, 0) }
        return count
    }

    private func readMore(atMost limit: Int = 65_536) throws {
        var chunk = [UInt8](repeating: 0, count: limit)
        let count = self.receive(&chunk)
        guard count > 0 else {
            let reason = errno == EAGAIN ? "nothing came" : String(cString: strerror(errno))
            throw Failure(
                description: count == 0 ? "closed by the server after \(self.buffered.count) bytes" : reason,
                isUnanswered: self.buffered.isEmpty && (count == 0 || errno == ECONNRESET))
        }
        self.buffered += chunk[..<count]
    }
}

/// Chooses ports for programs that cannot choose one themselves.
public enum FreePort {
    /// Below Linux's ephemeral ports: a test run makes many outgoing connections, which must not take a port between
    /// its choice and the program's start.
    private static let range = 12_000..<32_000
    private static let attemptLimit = 1000
    /// Each port is chosen once; the start is random because other processes choose ports at the same time.
    private static let next = Atomic<Int>(Int.random(in: FreePort.range))

    /// Returns a port of 127.0.0.1 that is unused at the time of the call.
    ///
    /// - Throws: ``HTTPConnection/Failure``.
    public static func find() throws -> Int {
        for _ in 0..<Self.attemptLimit {
            let number = Self.next.add(1, ordering: .relaxed).oldValue
            let port = Self.range.lowerBound + number % Self.range.count
            if Self.isFree(port) { return port }
        }
        throw HTTPConnection.Failure(description: "no port is free")
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
