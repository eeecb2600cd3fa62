import HTTPTesting
import NIOCore
import PageArena
import PosterTesting
import Testing

@testable import HTTPServer

/// Clients that stall in the middle of a body that is evicted, and then of others in its place.
@Suite(.timeLimit(.hang), .enabled(if: PageArena.shared != nil, "there are no files in memory"))
struct ArenaBodyTests {
    private let folder = TemporaryFolder()
    /// Deadlines that no test reaches.
    private static let patient = ConnectionDeadlines.Limits(head: .hours(1), body: .hours(1), send: .hours(1))
    /// The length of a body in bytes, and the number of bodies: more than a socket takes.
    private static let length = 40_000
    private static let count = 400
    private static let evictionCount = 100_000

    /// Stores and evicts other bodies. Many are stored at once, so that they get the addresses of all evicted ones.
    private static func churn() throws {
        let bodies = [0xEE, 0x11].map { ByteBuffer(repeating: $0, count: PageArena.leastLength) }
        var stored = [ByteBuffer?](repeating: nil, count: 4 * Self.count)
        for number in 0..<Self.evictionCount {
            let body = try #require(ByteBuffer(copyingIntoArena: bodies[number % 2]))
            stored[number % stored.count] = body
        }
    }

    /// One of ``count`` different bodies.
    private static func body(_ number: Int) throws -> ByteBuffer {
        try #require(HTTPServerFixture.shared.getSlice(at: number * Self.length, length: Self.length))
    }

    @Test func overSocketsThatAreWrittenToDirectly() async throws {
        let clients = [try await self.stalled(at: nil), try await self.stalled(at: self.folder.path + "/socket")]
        try await onOwnThread { try Self.churn() }
        for client in clients {
            for number in 0..<Self.count {
                let answer = try await client.answer()
                #expect(try ByteBuffer(bytes: answer.body) == Self.body(number), "\(number)")
            }
        }
    }

    /// A client that reads nothing of ``count`` responses. The kernel has taken the first ones, and a part of the next
    /// one; their bodies are evicted.
    private func stalled(at path: String?) async throws -> HTTPConnection {
        let (client, taken) = try await DirectSocketTests.accept(at: path) { context in
            guard var socket = DirectSocket(context.channel) else { return nil }
            var taken = 0
            var isFull = false
            for number in 0..<Self.count {
                guard let body = try? ByteBuffer(copyingIntoArena: Self.body(number)) else { return nil }
                var parts = DirectSocket.Parts(
                    head: ByteBuffer(string: "HTTP/1.1 200 OK\r\n"),
                    headEnd: ByteBuffer(string: "Content-Length: \(Self.length)\r\n\r\n"), body: body)
                let sent = isFull ? 0 : socket.send(parts)
                taken += sent
                parts.removeFirst(sent)
                for rest in [parts.head, parts.headEnd, parts.body ?? ByteBuffer()] where rest.readableBytes > 0 {
                    isFull = true
                    context.write(NIOAny(rest), promise: nil)
                }
            }
            context.flush()
            return taken
        }
        #expect(Self.length >= DirectSocket.leastFileLength, "sent from the arena's file")
        #expect(try #require(taken) > Self.length)
        #expect(try #require(taken) < Self.count * Self.length)
        return client
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func overHTTP1AndTLSAndHTTP2() async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        let credentials = try TLSCredentials(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        try await HTTPServerFixture.run(Self.patient) { clear in
            try await HTTPServerFixture.run(Self.patient, credentials: credentials) { secure in
                try await Self.read(from: clear, secure)
            }
        }
    }

    /// Reads one body from the first server and two from the second one, by HTTP/1.1 and HTTP/2, after others were
    /// stored and evicted.
    private static func read(from clear: HTTPServerFixture, _ secure: HTTPServerFixture) async throws {
        let whole = HTTPServerFixture.shared
        let client = try HTTPConnection(port: clear.port, receiveBuffer: 4096)
        try client.send("GET", "/extent")
        // The default window of a stream is 64 KiB.
        let streams = try await HTTP2Client(port: secure.port)
        let exchange = try await streams.ask("/extent")
        let (pieces, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        let stalled = try await SendBudgetTests.connect(
            secure.port, SendBudgetTests.Collector(continuation), target: "/extent")
        try await eventually { clear.sendBudget.accountCount == 1 && secure.sendBudget.accountCount == 2 }
        try await onOwnThread { try Self.churn() }
        #expect(ByteBuffer(bytes: try await client.answer().body) == whole)
        #expect(ByteBuffer(bytes: try await streams.answer(of: exchange).body) == whole)
        try await stalled.setOption(.autoRead, value: true).get()
        stalled.read()
        var answer = ByteBuffer()
        for await piece in pieces {
            answer.writeImmutableBuffer(piece)
            if answer.readableBytes > whole.readableBytes, SendBudgetTests.hasWhole(answer) { break }
        }
        answer.moveReaderIndex(forwardBy: answer.readableBytes - whole.readableBytes)
        #expect(answer == whole)
        try await streams.channel.close()
        try? await stalled.close()
    }
}
