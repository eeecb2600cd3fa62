import Foundation
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct SystemdNotifierTests {
    /// A notification socket, as of systemd.
    private final class Listener: Sendable {
        private let descriptor: Int32

        /// - Parameter name: A path, or "@" and an abstract name.
        init(_ name: String) throws {
            self.descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var timeout = timeval(tv_sec: 30, tv_usec: 0)
            setsockopt(
                self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { bytes in
                bytes.copyBytes(from: name.utf8)
                if name.hasPrefix("@") { bytes[0] = 0 }
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
            let descriptor = self.descriptor
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            guard status == 0 else { throw HTTPConnection.Failure(description: "no socket to be told at") }
        }

        deinit {
            close(self.descriptor)
        }

        /// Reads until a message contains all of `words`.
        func hears(_ words: String...) async throws {
            try await onOwnThread {
                var bytes = [UInt8](repeating: 0, count: 4096)
                while true {
                    var count = recv(self.descriptor, &bytes, bytes.count, 0)
                    // A receive with a timeout fails with EINTR when the process is stopped and continued (signal(7)).
                    while count < 0, errno == EINTR { count = recv(self.descriptor, &bytes, bytes.count, 0) }
                    guard count > 0 else { throw HTTPConnection.Failure(description: "heard nothing of \(words)") }
                    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
                    if words.allSatisfy({ text.contains($0) }) { return }
                }
            }
        }
    }

    @Test("systemd hears when it serves, lives, reloads and stops", arguments: [false, true])
    func notices(isAbstract: Bool) async throws {
        let folder = TemporaryFolder()
        let name = isAbstract ? "@onesheet-test-\(getpid())" : folder.path + "/notify"
        let listener = try Listener(name)
        let server = try await ListeningProgram(
            ["--port", "0"], environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000000"])
        try await listener.hears("READY=1", "STATUS=Serves http://127.0.0.1:\(try server.port())/")
        try await listener.hears("WATCHDOG=1")
        server.signal(SIGHUP)
        try await listener.hears("RELOADING=1", "MONOTONIC_USEC=")
        try await listener.hears("READY=1")
        server.signal(SIGTERM)
        try await listener.hears("STOPPING=1")
        #expect(try await server.ended() == 0)
    }

    @Test func anUnusableNotifySocketIsIgnored() async throws {
        for name in ["/nowhere/at/all", "@nobody-is-there", "relative", ""] {
            let server = try await ListeningProgram(
                ["--port", "0"], environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "x"])
            #expect(try await server.stop() == 0, "\(server.errors)")
        }
    }
}
