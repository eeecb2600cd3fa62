import PosterTesting
import Testing

/// Connection options of the service, over real sockets.
@Suite(.timeLimit(.hang))
struct ConnectionOptionsTests {
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    @Test func whatCannotBeIsNamedWithWhatIsAllowed() throws {
        for (options, words) in [
            (["--connections-per-address", "many"], "a whole number from 0 to"),
            (["--connections-per-address=-1"], "a whole number from 0 to"),
            (["--operations-port", "65536"], "a whole number from 0 to 65535, or off"),
        ] {
            let reason = try #require(try ServeArguments.refusal(options), "\(options)")
            #expect(reason.contains(words), "\(reason)")
        }
    }

    @Test("compression can be left to a proxy", arguments: [true, false])
    func compression(isOn: Bool) async throws {
        let server = try await InProcessServer(dataDirectory: self.data, isOn ? [] : ["--no-compression"])
        let answer = try await server.connect().get("/movies/home", headers: ["Accept-Encoding": "gzip, br"])
        #expect(answer.status == 200 && answer.headers["content-encoding"] == (isOn ? "br" : nil))
        #expect(answer.headers["vary"]?.hasSuffix("Accept-Encoding") == true, "what the proxy sends depends on it")
        #expect(await server.stop() == 0)
    }

    @Test func oneAddressHasSoManyConnectionsAndTheLogSaysSo() async throws {
        let server = try await InProcessServer(
            dataDirectory: self.data, ["--connections-per-address", "2", "--header-timeout", "600"])
        let clients = [try server.connect(), try server.connect()]
        for client in clients { #expect(try await client.get("/poster/nosferatu-1922?w=92").status == 200) }
        for _ in 0..<5 { try await server.connect().closedByServer() }
        let metrics = try await clients[0].get("/metrics").text
        #expect(metrics.contains("\nonesheet_connections_refused_total 5\n"))
        #expect(await server.stop() == 0)
        let warnings = server.errors.split(separator: "\n").filter { $0.contains("add it to --trusted-proxy") }
        #expect(warnings.count == 1, "\(server.errors)")
        #expect(warnings.first?.contains("127.0.0.1") == true)
    }

    @Test func aProxyThatIsTrustedHasAsManyAsItLikes() async throws {
        let server = try await InProcessServer(
            dataDirectory: self.data, ["--connections-per-address", "2", "--trusted-proxy", "127.0.0.1"])
        let clients = try (0..<5).map { _ in try server.connect() }
        for client in clients { #expect(try await client.get("/healthz").status == 200) }
        #expect(await server.stop() == 0)
        #expect(server.errors == "")
    }

    @Test func aPortOfItsOwnReportsTheServersStatus() async throws {
        let port = try FreePort.find()
        let server = try await InProcessServer(
            dataDirectory: self.data, ["--max-connections", "1", "--operations-port", "\(port)"])
        let client = try server.connect()
        #expect(try await client.get("/poster/nosferatu-1922?w=92").status == 200)
        for path in ["/healthz", "/readyz", "/metrics"] {
            let answer = try await HTTPConnection(port: port).get(path)
            #expect(answer.status == 200)
        }
        let watcher = try HTTPConnection(port: port)
        #expect(try await watcher.get("/poster/nosferatu-1922?w=92").status == 404)
        let metrics = try await watcher.get("/metrics").text
        #expect(metrics.contains("\nonesheet_connections 1\n"), "those of clients")
        #expect(metrics.contains("\nonesheet_connections_limit 1\n"))
        let asked = try await Program.run(["healthcheck"], environment: ["ONESHEET_OPERATIONS_PORT": "\(port)"])
        #expect(asked.status == 0, "\(asked.errors)")
        #expect(await server.stop() == 0)
        #expect(server.errors.contains("http://127.0.0.1:\(port)/"), "\(server.errors)")
    }
}
