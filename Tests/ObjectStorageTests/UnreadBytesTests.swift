import PosterTesting
import Testing

@testable import ObjectStorage

@Suite(.timeLimit(.hang)) struct UnreadBytesTests {
    @Test func anObjectNeverHasTheBytesThatTheStoreSentBeyondAnotherOne() async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin)
            let stray = Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n".utf8) + [7, 7, 7]
            bucket.fail(
                .answers { request in
                    request.path.hasSuffix("/first")
                        ? OriginScript([.length(3), .bytes([1, 1, 1] + stray)]) : .image([2, 2, 2])
                })
            let client = try ClientFixture.client(origin.baseURL)
            #expect(try await client.bytes("first")?.bytes == [1, 1, 1])
            #expect(try await client.bytes("other")?.bytes == [2, 2, 2])
            #expect(origin.acceptedConnectionCount == 2)
        }
    }
}
