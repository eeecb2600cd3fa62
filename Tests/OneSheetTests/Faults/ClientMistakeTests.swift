import PosterTesting
import Testing

extension FaultTests {
    /// Mistakes of clients and commands are not logged as faults of the server.
    @Suite struct ClientMistakeTests {
        private let folder = TemporaryFolder()

        private var data: String { self.folder.path + "/data" }

        /// Requests that are malformed, or end early.
        private static let messages = [
            "garbage\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\u{0}",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "POST /auth/device HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nabc",
            "POST /auth/device HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "POST /auth/device HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
            "PUT /favourites/%ff HTTP/1.1\r\nHost: a\r\nAuthorization: \u{80}\r\nContent-Length: 1\r\n\r\n{",
            "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n\r\n",
        ]

        /// Targets of requests that are refused.
        private static let targets = [
            "/poster/%00", "/poster/:?w=0", "/poster/nosferatu-1922?w=99999999999999999999&format=gif",
            "/proxy?url=ftp://a", "/movies/tmdb:abc", "/movies/search?query=%00&year=x",
            "/box-office/daily?date=1700-01-01", "/compat/tmdb/3/movie/%zz", "/films/%ff", "/search?q=%00", "/zzz",
        ]

        private func expectNoFault(_ log: String) {
            let faults = log.split(separator: "\n").filter { line in
                ["warning", "error", "critical"].contains { line.contains("level=\($0)") }
            }
            #expect(faults.isEmpty, "\(faults)")
        }

        @Test func malformedRequestsAreNoErrorsOfTheServer() async throws {
            let server = try await InProcessServer(dataDirectory: self.data)
            for message in Self.messages {
                let connection = try server.connect()
                // A server that has closed the connection does not take all of it.
                try? connection.send(raw: message)
                connection.closeSending()
                _ = try? await connection.answer()
                let another = try server.connect()
                try? another.send(raw: message)
                another.reset()
            }
            for target in Self.targets {
                let status = try await server.get(target).status
                #expect(status < 500, "\(target): \(status)")
            }
            #expect(try await server.get("/healthz").status == 200)
            #expect(await server.stop() == 0)
            self.expectNoFault(server.errors)
        }

        @Test func requestsOfCommandsThatCannotBeDoneAreNoErrorsOfTheServer() async throws {
            let server = try await InProcessServer(dataDirectory: self.data)
            for line in ["garbage\n", "{}\n", #"{"purge":{"ids":[":"]}}"# + "\n", "no end"] {
                let command = try HTTPConnection(unixSocket: self.data + "/control.sock")
                try command.send(raw: line)
                command.closeSending()
                _ = try? await command.take(atMost: 4096)
                command.close()
            }
            for arguments in [["purge", ":"], ["warm", "nosferatu-1922", "--width", "5"]] {
                #expect(try await Program.run(arguments + ["--data-dir", self.data]).status == 1)
            }
            #expect(await server.stop() == 0)
            self.expectNoFault(server.errors)
        }
    }
}
