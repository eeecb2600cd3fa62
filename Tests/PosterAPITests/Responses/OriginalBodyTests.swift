import Flights
import Glibc
import HTTPTesting
import NIOCore
import PictureTesting
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Originals sent in pieces, over real sockets.
@Suite(.timeLimit(.hang))
struct OriginalBodyTests {
    private let folder = TemporaryFolder()
    /// Larger than all kernel buffers and many pieces together.
    private static let large = TestPicture.jpeg(width: 4000, height: 4400)
    /// Limit of the bytes held for a response that the client does not read: two pieces and the accounting overhead.
    private static let mostHeld = 2 * OriginalBody.pieceLength + SendBudget.overhead

    private static func path(of server: LiveServer) async throws -> String {
        try await eventually { server.storedFiles.count == 1 }
        return "\(server.folder.path)/\(try #require(server.storedFiles.first))"
    }

    @Test("each reader that takes nothing keeps a piece or two of an original, over HTTP/1.1")
    func slowReaders() async throws {
        try await withOrigin { origin in
            origin.on("/big.jpg", .image(Self.large))
            try await LiveServer.run(origin: origin) { server in
                let whole = try await server.get("/poster/mine:big.jpg")
                #expect(whole.body == Self.large)
                let clients = try (0..<50).map { _ in
                    let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
                    try client.send("GET", "/poster/mine:big.jpg")
                    return client
                }
                try await eventually { server.sendBudget.accountCount >= clients.count }
                #expect(server.sendBudget.heldByteCount <= clients.count * Self.mostHeld)
                let answer = try await clients[7].answer()
                #expect(answer.body == Self.large, "and gets all of it when it reads")
                for client in clients { client.close() }
                try await eventually { server.sendBudget.heldByteCount == 0 }
            }
        }
    }

    @Test(
        "each stream with a closed window keeps one piece, over HTTP/2, and above the budget streams are reset",
        .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func closedWindows() async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        var settings = LiveServer.Settings()
        settings.tls = try TLSCredentials(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        settings.sendBudget = 48 * Self.mostHeld
        try await withOrigin { [settings] origin in
            origin.on("/big.jpg", .image(Self.large))
            try await LiveServer.run(origin: origin, settings) { server in
                let client = try await HTTP2Client(port: server.port, window: 0)
                var stalled: [HTTP2Client.Exchange] = []
                for _ in 0..<40 { stalled.append(try await client.ask("/poster/mine:big.jpg")) }
                try await eventually { server.sendBudget.accountCount >= stalled.count }
                #expect(server.sendBudget.heldByteCount <= 40 * Self.mostHeld)
                let closed = Counter()
                for exchange in stalled { exchange.channel.closeFuture.whenComplete { _ in closed.increment() } }
                // The budget is too small for all of them: the first streams, without progress for longest, are reset.
                for _ in 0..<50 { stalled.append(try await client.ask("/poster/mine:big.jpg")) }
                try await closed.reached(7)
                #expect(server.sendBudget.heldByteCount <= settings.sendBudget)
                let other = try await HTTP2Client(port: server.port)
                let answer = try await other.get("/poster/mine:big.jpg")
                #expect(answer.body == Self.large, "who reads is not among the slowest")
                try await client.channel.close()
                try await other.channel.close()
                try await eventually { server.sendBudget.heldByteCount == 0 }
            }
        }
    }

    @Test("a file that is cut short while it is sent ends that response, and is fetched again for the next")
    func cutShortWhileSent() async throws {
        try await withOrigin { origin in
            origin.on("/big.jpg", .image(Self.large))
            try await LiveServer.run(origin: origin) { server in
                let whole = try await server.get("/poster/mine:big.jpg")
                #expect(whole.status == 200)
                let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
                try client.send("GET", "/poster/mine:big.jpg")
                try await eventually { server.sendBudget.accountCount >= 1 }
                let path = try await Self.path(of: server)
                try #require(truncate(path, 4096) == 0)
                let error = await #expect(throws: HTTPConnection.Failure.self) { try await client.answer() }
                #expect(error?.description.hasPrefix("closed by the server") == true)
                let again = try await server.get("/poster/mine:big.jpg")
                #expect(again.body == Self.large)
                #expect(origin.requestCount(to: "/big.jpg") == 2)
            }
        }
    }

    @Test("a file that is cut short before it is decoded is fetched again")
    func cutShortBeforeDecoding() async throws {
        var settings = LiveServer.Settings()
        settings.codecThreads = 1
        try await withOrigin { [settings] origin in
            origin.on("/big.jpg", .image(Self.large))
            try await LiveServer.run(origin: origin, settings) { server in
                _ = try await server.get("/poster/mine:big.jpg")
                let (held, release) = (Gate(), Latch())
                let codec = server.codec
                let blocker = Task {
                    try await codec.run {
                        held.open()
                        release.wait()
                    }
                }
                try await held.wait()
                let client = try server.connect()
                try client.send("GET", "/poster/mine:big.jpg?w=92")
                try await eventually { server.codec.usage.waitingCount >= 1 }
                let path = try await Self.path(of: server)
                try #require(truncate(path, 1 << 20) == 0)
                release.open()
                try await blocker.value
                let answer = try await client.answer()
                #expect(answer.status == 200 && JPEGSize(answer.body)?.width == 92)
                #expect(origin.requestCount(to: "/big.jpg") == 2)
            }
        }
    }
}
