import Flights
import Foundation
import PictureTesting
import PosterTesting
import Testing

extension FaultTests {
    @Suite struct StopTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        /// A server that has been asked to stop and accepts no more connections, and a client that waits for an origin.
        private func stopping(_ origin: OriginServer) async throws -> (RunningServer, HTTPConnection) {
            let server = try await RunningServer(
                dataDirectory: self.data, FaultTests.patience + FaultTests.mapping(origin))
            let client = try server.connect()
            try client.send("GET", "/poster/mine:film?w=40")
            try await origin.requestsArrived(at: "/film.jpg")
            server.signal(SIGTERM)
            try await eventually {
                do { try server.connect().close() } catch is HTTPConnection.Failure { return true }
                return false
            }
            return (server, client)
        }

        @Test func requestsUnderWayGetThePosterBeforeTheEnd() async throws {
            try await withOrigin { origin in
                let gate = Gate()
                let picture = OriginScript.image(TestPicture.jpeg(width: 100, height: 150))
                origin.on("/film.jpg", OriginScript([.wait(gate)] + picture.steps))
                let (server, client) = try await self.stopping(origin)
                #expect(!client.hasNews)
                gate.open()
                let answer = try await client.answer()
                #expect(answer.status == 200)
                #expect(answer.headers["cache-status"]?.contains("stored") == true)
                #expect(await server.ended() == 0)
                #expect(server.errors == "")
                for log in ["library.sqlite-wal", "originals/index.sqlite-wal"] {
                    let size = FileManager.default.contents(atPath: "\(self.data)/\(log)")?.count ?? 0
                    #expect(size == 0, "\(log) was not written into its database")
                }
                let left = FaultTests.files(in: self.data)
                #expect(!left.contains("control.sock"))
            }
        }

        @Test("an answer that is being taken is sent to its end", arguments: ["", "?w=600&format=png"])
        func takenAnswer(query: String) async throws {
            let server = try await RunningServer(
                dataDirectory: self.data, FaultTests.patience + ["--reencode", "off"])
            let whole = try await server.get("/poster/nosferatu-1922\(query)")
            let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            try client.send("GET", "/poster/nosferatu-1922\(query)")
            try await client.take(atMost: 100)
            server.signal(SIGTERM)
            try await eventually {
                do { try server.connect().close() } catch is HTTPConnection.Failure { return true }
                return false
            }
            let answer = try await client.answer()
            #expect(answer.body == whole.body && whole.body.count > 500_000)
            #expect(await server.ended() == 0)
        }

        @Test func clientsThatWaitForNothingDoNotHoldUpTheEnd() async throws {
            let server = try await RunningServer(
                dataDirectory: self.data, FaultTests.patience + ["--stop-timeout", "600"])
            let (resting, silent, half) = (try server.connect(), try server.connect(), try server.connect())
            #expect(try await resting.get("/healthz").status == 200)
            try half.send(raw: "GET /healthz HTTP/1.1\r\nHost: loc")
            // Connections are accepted in order: a later one is served, so these two are accepted.
            #expect(try await server.get("/healthz").status == 200)
            #expect(await server.stop() == 0)
            for client in [resting, silent, half] { try await client.closedByServer() }
        }

        @Test func aClientThatTakesNothingHoldsUpTheEndNoLongerThanIsConfigured() async throws {
            let server = try await RunningServer(
                dataDirectory: self.data, FaultTests.patience + ["--stop-timeout", "1"])
            let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            // More bytes than the kernel buffers for a client that reads nothing.
            for _ in 0..<40 { try client.send("GET", "/poster/nosferatu-1922") }
            try await client.take(atMost: 100)
            #expect(await server.stop() == 0)
        }

        @Test func aClientThatTakesItsTimeHoldsUpTheEndNoLongerThanIsConfigured() async throws {
            let server = try await RunningServer(
                dataDirectory: self.data, FaultTests.patience + ["--stop-timeout", "1"])
            let clients = try (0..<8).map { number in
                let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
                // Half of them request `Connection: close`, which ends a connection on another path.
                let closing = number % 2 == 0 ? ["Connection": "close"] : [:]
                try client.send("GET", "/poster/nosferatu-1922?w=600&format=png", headers: closing)
                return client
            }
            for client in clients { try await client.take(atMost: 100) }
            server.signal(SIGTERM)
            let reading = Task {
                // Reads slowly until the connection ends.
                while true { for client in clients { try await client.take(atMost: 256) } }
            }
            #expect(await server.ended() == 0)
            reading.cancel()
            await #expect(throws: (any Error).self) { try await reading.value }
        }

        @Test func askedTwiceItEndsAtOnceAndStartsAgainAsEver() async throws {
            try await withOrigin { origin in
                origin.on("/film.jpg", .hangBeforeHeaders)
                let (server, client) = try await self.stopping(origin)
                server.signal(SIGTERM)
                #expect(await server.ended() == 143)
                await #expect(throws: HTTPConnection.Failure.self) { try await client.answer() }
                try await origin.allConnectionsClosed()

                origin.on("/film.jpg", .image(TestPicture.jpeg(width: 100, height: 150)))
                let next = try await RunningServer(
                    dataDirectory: self.data, FaultTests.patience + FaultTests.mapping(origin))
                #expect(try await next.get("/poster/mine:film?w=40").status == 200)
                #expect(await next.stop() == 0)
            }
        }
    }
}
