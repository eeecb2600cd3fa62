import Flights
import Foundation
import PictureTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct ListeningTests {
    private let folder = TemporaryFolder()

    /// Returns curl's output for one request: HTTP version and status.
    private func curl(_ arguments: [String]) async throws -> String {
        let output = try OutputPipe()
        let program = try ChildProgram(
            "/usr/bin/curl", ["-sk", "-o", "/dev/null", "-w", "%{http_version} %{http_code}"] + arguments,
            output: output.descriptor)
        output.closeWriting()
        return try await onOwnThread {
            let text = String(decoding: output.readAll(), as: UTF8.self)
            return program.wait() == 0 ? text : "curl failed: \(text)"
        }
    }

    private static let canSpeakTLS =
        TestCertificate.isAvailable && FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    @Test(.enabled(if: Self.canSpeakTLS, "there is no openssl or no curl"))
    func aCertificateMakesHTTP2AndHTTP1OverTLSAndIsRenewedWithoutARestart() async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        let file = self.folder.path + "/onesheet.yaml"
        try Data("max-age: 60\n".utf8).write(to: URL(filePath: file))
        let server = try await ListeningProgram([
            "--config", file, "--port", "0", "--tls-port", "0", "--tls-cert", certificate.certificatePath, "--tls-key",
            certificate.keyPath,
        ])
        try #require(server.places.count == 2)
        #expect(try server.places[1].hasPrefix("https://") && server.port(0) != server.port(1))
        let target = server.places[1] + "poster/nosferatu-1922?w=92"
        #expect(try await self.curl(["--http2", target]) == "2 200")
        #expect(try await self.curl(["--http1.1", target]) == "1.1 200")
        #expect(try await self.curl([server.places[0] + "poster/nosferatu-1922?w=92"]) == "1.1 200")

        // Only the renewed certificate is trusted.
        let renewed = try TestCertificate(in: self.folder.path, name: "renewed")
        server.signal(SIGHUP)
        let trusting = ["--no-insecure", "--cacert", renewed.certificatePath, target]
        try await eventually { try await self.curl(trusting) == "2 200" }
        // A broken key file changes nothing.
        try Data("nothing".utf8).write(to: URL(filePath: renewed.keyPath))
        try Data("widths: [200]\n".utf8).write(to: URL(filePath: file))
        server.signal(SIGHUP)
        try await eventually { server.errors.contains("nothing has changed") }
        #expect(try await self.curl(trusting) == "2 200")
        #expect(try await server.stop() == 0)
    }

    @Test(.enabled(if: Self.canSpeakTLS, "there is no openssl or no curl"))
    func requestsUnderWayOverHTTP2GetThePosterBeforeTheEnd() async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        try await withOrigin { origin in
            let gate = Gate()
            let picture = OriginScript.image(TestPicture.jpeg(width: 100, height: 150))
            origin.on("/film.jpg", OriginScript([.wait(gate)] + picture.steps))
            let server = try await ListeningProgram(
                [
                    "--port", "off", "--tls-port", "0", "--tls-cert", certificate.certificatePath, "--tls-key",
                    certificate.keyPath, "--allow-private-origins", "--origin", "mine=\(origin.baseURL)/{key}.jpg",
                ])
            let target = server.places[0] + "poster/mine:film?w=40"
            async let outcome = self.curl(["--http2", target])
            try await origin.requestsArrived(at: "/film.jpg")
            server.signal(SIGTERM)
            let port = try server.port()
            try await eventually { (try? HTTPConnection(port: port)) == nil }
            gate.open()
            #expect(try await outcome == "2 200")
            #expect(try await server.ended() == 0)
        }
    }

    @Test(.enabled(if: Self.canSpeakTLS, "there is no openssl or no curl"))
    func aHeadThatIsTooLargeIsRefusedOverHTTP2AndTheConnectionGoesOn() async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        let server = try await ListeningProgram([
            "--port", "off", "--tls-port", "0", "--tls-cert", certificate.certificatePath, "--tls-key",
            certificate.keyPath,
        ])
        // The client may send its first request before it receives the limit, so that one is small.
        var arguments = ["--http2", server.places[0] + "healthz"]
        for length in [20_000, 40_000, 60_000, 10] {
            arguments += ["--next", "-sk", "--http2", "-o", "/dev/null", "-w", " %{http_code} %{num_connects}"]
            arguments += ["-H", "X-A: " + String(repeating: "a", count: length), server.places[0] + "healthz"]
        }
        #expect(try await self.curl(arguments) == "2 200 200 0 431 0 431 0 200 0")
        #expect(try await server.stop() == 0)
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl"))
    func aServerWithTLSAloneIsAskedOverTLS() async throws {
        let certificate = try TestCertificate(in: self.folder.path, name: "elsewhere.example")
        let options = ["--tls-cert", certificate.certificatePath, "--tls-key", certificate.keyPath]
        let server = try await ListeningProgram(["--port", "off", "--tls-port", "0"] + options)
        let file = self.folder.path + "/onesheet.yaml"
        let lines = [
            "port: off", "tls-port: \(try server.port())", "tls-cert: \(certificate.certificatePath)",
            "tls-key: \(certificate.keyPath)",
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        let asked = try await Program.run(["healthcheck", "--config", file])
        #expect(asked.status == 0, "\(asked.errors)")
        #expect(try await Program.run(["healthcheck"], environment: ["ONESHEET_CONFIG": file]).status == 0)
        let port = try "\(server.port())"
        #expect(try await Program.run(["healthcheck", "--tls-port", port]).status == 0)
        let absent = try await Program.run(["healthcheck", "--tls-port", port, "--path", "/none"])
        #expect(absent.status == 1 && absent.errors.contains("404"), "\(absent.errors)")
        #expect(try await server.stop() == 0)
        #expect(try await Program.run(["healthcheck", "--config", file]).status == 1)

        // A certificate replaces the default cleartext port, unless `--port` is given; it opens no TLS port if
        // `--tls-port` is off.
        let secure = try await ListeningProgram(["--tls-port", "0"] + options)
        #expect(secure.places.count == 1 && secure.places[0].hasPrefix("https://"), "\(secure.places)")
        #expect(try await secure.stop() == 0)
        let open = try await ListeningProgram(["--port", "0", "--tls-port", "off"] + options)
        #expect(open.places.count == 1 && open.places[0].hasPrefix("http://"), "\(open.places)")
        #expect(try await open.stop() == 0)
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl"))
    func aReloadThatIsAskedForBeforeTheServerIsUpDoesNotEndIt() async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        let key = try Data(contentsOf: URL(filePath: certificate.keyPath))
        // Opening the pipe blocks the server until there is a writer.
        let pipe = self.folder.path + "/pipe.pem"
        #expect(mkfifo(pipe, 0o600) == 0)
        let output = try OutputPipe()
        let program = try Program.start(
            [
                "serve", "--port", "0", "--tls-port", "0", "--tls-cert", certificate.certificatePath, "--tls-key", pipe,
                "--data-dir", self.folder.path + "/data",
            ], environment: [:], output: output.descriptor, errors: output.descriptor)
        output.closeWriting()
        let (words, status) = try await onOwnThread {
            let file = try FileHandle(forWritingTo: URL(filePath: pipe))
            program.signal(SIGHUP)
            try file.write(contentsOf: key)
            try file.close()
            let words = String(decoding: output.read(), as: UTF8.self)
            program.signal(SIGTERM)
            return (words, program.wait())
        }
        #expect(words.contains("OneSheet serves"), "\(words)")
        #expect(status == 0)
    }

    @Test func aUnixSocketTakesThePlaceOfThePortAndIsRemovedAtTheEnd() async throws {
        let path = self.folder.path + "/socket"
        let server = try await ListeningProgram(["--unix-socket", path, "--unix-socket-mode", "600"])
        #expect(server.places == ["http+unix:\(path)"])
        #expect(try await HTTPConnection(unixSocket: path).get("/poster/nosferatu-1922?w=92").status == 200)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let well = try await Program.run(["healthcheck", "--unix-socket", path])
        #expect(well.status == 0, "\(well.errors)")

        let second = try await Program.run([
            "serve", "--unix-socket", path, "--data-dir", self.folder.path + "/data2",
        ])
        #expect(second.status == 1 && second.errors.contains("another process is listening on it"), "\(second.errors)")
        #expect(try await server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await Program.run(["healthcheck", "--unix-socket", path]).status == 1)
    }

    @Test func socketsThatSystemdHandsOverAreServedAndStayOpen() async throws {
        let sockets = try [ListeningSocket(), ListeningSocket()]
        let certificate = TestCertificate.isAvailable ? try TestCertificate(in: self.folder.path) : nil
        let secure = certificate.map { ["--tls-cert", $0.certificatePath, "--tls-key", $0.keyPath] }
        let server = try await ListeningProgram(
            secure ?? [], environment: ["LISTEN_FDNAMES": secure == nil ? "http:other" : "http:tls"],
            inherited: sockets.map(\.descriptor))
        #expect(server.places.count == 2 && server.places[0] == "http+inherited:http")
        let first = try HTTPConnection(port: sockets[0].port)
        #expect(try await first.get("/poster/nosferatu-1922?w=92").status == 200)
        if secure != nil, Self.canSpeakTLS {
            #expect(try await self.curl(["--http2", "https://127.0.0.1:\(sockets[1].port)/healthz"]) == "2 200")
        }
        #expect(try await server.stop() == 0)
        // Connections that arrive between two processes are served by the second.
        let waiting = try HTTPConnection(port: sockets[0].port)
        try waiting.send("GET", "/healthz")
        let next = try await ListeningProgram([], inherited: [sockets[0].descriptor])
        #expect(try await waiting.answer().status == 200)
        #expect(try await next.stop() == 0)
    }

    @Test func whatIsHandedOverMustListen() async throws {
        let pipe = try OutputPipe()
        let errors = try OutputPipe()
        let program = try Program.start(
            ["serve", "--data-dir", self.folder.path + "/data"], environment: [:], inherited: [pipe.readingDescriptor],
            output: pipe.descriptor, errors: errors.descriptor)
        errors.closeWriting()
        let text = try await onOwnThread {
            let text = String(decoding: errors.readAll(), as: UTF8.self)
            _ = program.wait()
            return text
        }
        #expect(text.contains("not a listening stream socket"), "\(text)")
    }

    @Test(
        "places that make no sense stop the start",
        arguments: [
            (["--tls-cert", "x.pem"], "together with --tls-key"), (["--port", "80x"], "or off"),
            (["--unix-socket", "/x", "--unix-socket-mode", "999"], "octal"),
            (["--tls-cert", "/none.pem", "--tls-key", "/none.pem"], "/none.pem cannot be read"),
        ])
    func nonsense(arguments: [String], words: String) throws {
        let reason = try #require(try ServeArguments.refusal(arguments))
        #expect(reason.contains(words), "\(reason)")
    }

    @Test func aServerWithoutAPlaceToListenDoesNotStart() async throws {
        let outcome = try await Program.run(["serve", "--data-dir", self.folder.path + "/data", "--port", "off"])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("no address to listen on"), "\(outcome.errors)")
    }
}

/// A TCP socket that listens on a free port of 127.0.0.1 and never accepts.
private final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int

    init() throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) + listen(descriptor, 16) + getsockname(descriptor, $0, &length)
            }
        }
        self.port = Int(in_port_t(bigEndian: address.sin_port))
        guard status == 0 else { throw HTTPConnection.Failure(description: "no socket to listen on") }
    }

    deinit {
        close(self.descriptor)
    }
}
