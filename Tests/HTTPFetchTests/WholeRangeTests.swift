import PosterTesting
import Testing

@testable import HTTPFetch

@Suite("A 206 that nobody has requested a range for", .timeLimit(.hang)) struct WholeRangeTests {
    @Test("a range of all is a 200", arguments: ["bytes 0-3/4", "Bytes 0-3/4"])
    func whole(range: String) async throws {
        try await withOrigin { origin in
            origin.on("/", Self.part(range, [1, 2, 3, 4]))
            let sink = RecordingSink()
            let response = try await makeFetcher().fetch(FetchRequest(url: origin.url("/")), into: sink)
            #expect(response.status == 200 && response.receivedByteCount == 4)
            #expect(sink.bytes == [1, 2, 3, 4] && sink.heads.map(\.status) == [200])
        }
    }

    @Test(
        "a range of a part stays a 206 without a body",
        arguments: [
            "bytes 0-3/5", "bytes 1-4/5", "bytes 0-3/*", "bytes 0-9223372036854775807/*", "lines 0-3/4",
        ])
    func part(range: String) async throws {
        try await withOrigin { origin in
            origin.on("/", Self.part(range, [1, 2, 3, 4]))
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(response.status == 206 && bytes.isEmpty)
        }
    }

    @Test("a body of another length than the range is truncated", arguments: ["bytes 0-4/5", "bytes 0-2/3"])
    func otherLength(range: String) async throws {
        try await withOrigin { origin in
            origin.on("/", Self.part(range, [1, 2, 3, 4]))
            let fetcher = try makeFetcher { $0.retry.maxRetries = 0 }
            await #expect(throws: FetchError.truncated) { try await fetcher.get(origin.url("/")) }
        }
    }

    @Test func aRangeOfAllCountsCodedBytes() async throws {
        try await withOrigin { origin in
            let range = "bytes 0-\(Gzip.text.count - 1)/\(Gzip.text.count)"
            origin.on("/", Self.part(range, Gzip.text))
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(response.status == 200 && bytes.count == 31)
        }
    }

    private static func part(_ range: String, _ body: [UInt8]) -> OriginScript {
        .answer(status: 206, headers: [("Content-Range", range)], body: body)
    }
}
