import ArgumentParser
import Glibc
import HTTPServer
import OneSheetConfiguration
import OneSheetServer

/// `onesheet healthcheck`
struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Asks a server on this machine whether it is well.",
        discussion:
            """
            Ends with 0 when it answers 200, else with 1; for containers, which have no other program to ask with. It asks where \
            the server's options, environment and file say that it listens: in the clear if it does, else over TLS, whatever \
            the certificate's names are. Where it has an --operations-port, that is asked.
            """)

    @Option(help: "JSON or YAML file of options, that of the server.")
    var config: String?

    @Option(help: "Address that the server listens on. Default: 127.0.0.1")
    var host: String?

    @Option(
        help: "Port that the server listens on in the clear, or off. Default: 8080 in the clear, off with other sockets"
    )
    var port: String?

    @Option(
        help:
            "Port that the server listens on with TLS, for when it does not in the clear. Default: 8443 with a certificate"
    )
    var tlsPort: String?

    @Option(help: "Unix socket that the server listens on; in place of host and port.")
    var unixSocket: String?

    @Option(help: "What to ask for.")
    var path = "/healthz"

    @Option(help: "Seconds to wait for an answer, 1 to 300.")
    var timeout = 5

    func validate() throws {
        guard (1...300).contains(self.timeout) else { throw ValidationError("--timeout is 1 to 300 seconds") }
        guard self.path.hasPrefix("/"), self.path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("--path begins with / and holds no spaces")
        }
    }

    func run() throws {
        let line: String
        let place = try self.place()
        switch place.socket {
        case .inherited: return try self.fail("a socket that is handed over cannot be asked")
        case .file(let path, _): line = try self.statusLine(of: self.connect(path))
        case .port(let host, let port):
            // Whoever listens at all addresses listens at this one.
            let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
            guard place.isSecure else {
                line = try self.statusLine(of: self.connect(host, port))
                break
            }
            do {
                line = try SecureProbe(host: host, port: port, timeout: self.timeout).statusLine(of: self.path)
            } catch {
                return try self.fail("it cannot be asked over TLS: \(error)")
            }
        }
        guard line.split(separator: " ").dropFirst().first == "200" else {
            return try self.fail(line.isEmpty ? "no answer within \(self.timeout) s" : line)
        }
    }

    /// Where to ask: in the clear, if the server listens so.
    private func place() throws -> ListeningPlace {
        let given = [
            ("config", self.config), ("host", self.host), ("port", self.port), ("tls-port", self.tlsPort),
            ("unix-socket", self.unixSocket),
        ]
        do {
            let settings = try Settings.layered(
                Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, [$0]) } }))
            let listening = try ListeningConfiguration(settings)
            if self.port == nil, self.tlsPort == nil, self.unixSocket == nil,
                PosterRouter.operationsPaths.contains(self.path), let port = listening.operationsPort
            {
                return ListeningPlace(.port(host: listening.host, port))
            }
            // Whoever says the port need not have the certificate.
            if self.tlsPort != nil, self.port == nil, self.unixSocket == nil, let port = listening.tlsPort {
                return ListeningPlace(.port(host: listening.host, port), isSecure: true)
            }
            let places = try listening.places(InheritedSockets(environment: [:], processID: 0))
            return places.first { !$0.isSecure } ?? places[0]
        } catch let error as SettingError {
            throw ValidationError(error.description)
        } catch let error as SettingsFile.Failure {
            throw ValidationError(error.description)
        } catch let error as ListeningFailure {
            throw ValidationError(error.description)
        } catch let error as ListeningProblem {
            throw ValidationError(error.description)
        }
    }

    private func statusLine(of socket: Int32) throws -> String {
        guard socket >= 0 else {
            try self.fail("nobody listens: \(String(cString: strerror(errno)))")
            return ""
        }
        defer { close(socket) }
        return self.statusLine(socket)
    }

    private func fail(_ reason: String) throws {
        StandardError.write("onesheet: \(reason)")
        throw ExitCode.failure
    }

    private func connect(_ host: String, _ port: Int) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else {
            errno = EADDRNOTAVAIL
            return -1
        }
        defer { freeaddrinfo(list) }
        var next = list
        while let entry = next?.pointee {
            let socket = self.connect(entry.ai_family, entry.ai_addr, entry.ai_addrlen)
            if socket >= 0 { return socket }
            next = entry.ai_next
        }
        return -1
    }

    private func connect(_ path: String) -> Int32 {
        var address = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                self.connect(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func connect(_ family: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return -1 }
        var time = timeval(tv_sec: self.timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        // Connecting waits as long as sending.
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        guard Glibc.connect(socket, address, length) == 0 else {
            let code = errno
            close(socket)
            errno = code
            return -1
        }
        return socket
    }

    private func statusLine(_ socket: Int32) -> String {
        let request = Array("GET \(self.path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return "" }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(socket, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }
}
