import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct ContentCodingTests {
    private static let text = "one sheet, one sheet, one sheet".bytes
    private static let zlib: [UInt8] = [
        120, 218, 203, 207, 75, 85, 40, 206, 72, 77, 45, 209, 81, 200, 199, 194, 4, 0, 175, 248, 11, 10,
    ]
    private static let deflate: [UInt8] = [203, 207, 75, 85, 40, 206, 72, 77, 45, 209, 81, 200, 199, 194, 4, 0]
    private static let brotli: [UInt8] = [
        0xA1, 0xF0, 0x00, 0xC0, 0x6F, 0xA4, 0x76, 0xCA, 0x1F, 0x46, 0x42, 0xD4, 0x68, 0x6E, 0x6F, 0x73, 0xBA, 0x0C,
        0x84,
        0x85, 0x6E, 0x0C, 0x15, 0x01, 0x64, 0x6A, 0xF8, 0x02,
    ]

    @Test(
        "codings are decoded, in pieces of any size",
        arguments: [
            ("gzip", Gzip.text), ("x-gzip", Gzip.text), ("GZip ", Gzip.text), ("deflate", zlib), ("deflate", deflate),
            ("br", brotli), ("aws-chunked,gzip", Gzip.text), ("gzip, identity", Gzip.text), ("identity,br", brotli),
            ("utf-8, deflate", zlib), ("", Gzip.text), ("utf-8", Gzip.text), ("aws-chunked", Gzip.text), ("", text),
        ], [1, 2, 3, 1000])
    func decoded(coded: (value: String, body: [UInt8]), size: Int) throws {
        let decoder = try ContentDecoder(ResponseCoding.list(coded.value), maxBytes: 1000)
        #expect(try Self.decode(coded.body, with: decoder, size: size) == Self.text)
    }

    @Test("several codings are decoded, the last first")
    func nested() throws {
        let decoder = try ContentDecoder(ResponseCoding.list("gzip, gzip"), maxBytes: 100_000)
        #expect(try Self.decode(Gzip.bombInBomb, with: decoder) == [UInt8](repeating: 0, count: 65_536))
    }

    @Test(
        "one coding more than is declared is recognised, within the limit", arguments: ["gzip", "", "aws-chunked"],
        [1, 2, 1000])
    func furtherCoding(value: String, size: Int) throws {
        let decoder = try ContentDecoder(ResponseCoding.list(value), maxBytes: 100_000)
        let decoded = try Self.decode(Gzip.bombInBomb, with: decoder, size: size)
        #expect(decoded == [UInt8](repeating: 0, count: 65_536))
    }

    @Test("a body that only begins like gzip, or holds its magic later, stays as it is", arguments: [1, 2, 1000])
    func notGzip(size: Int) throws {
        for body: [UInt8] in [[0x1F], [0x1F, 0x8C], [0x1F, 0x1F, 0x8B], [1, 0x1F, 0x8B, 8], []] {
            let decoder = try ContentDecoder([], maxBytes: 1000)
            #expect(try Self.decode(body, with: decoder, size: size) == body)
            #expect(decoder.isIdentity)
        }
    }

    @Test func furtherGzipMembersAreDecodedAndOtherBytesAfterTheEndAreIgnored() throws {
        for size in [1, 2, 7, 1000] {
            for (body, expected) in [
                (Gzip.text + Gzip.empty + Gzip.text, Self.text + Self.text), (Gzip.text + [0, 0, 0x1F], Self.text),
                (Gzip.text + [0x1F, 0, 1], Self.text), (Gzip.text + Gzip.empty + [0x1F, 0x1F, 0x8B], Self.text),
            ] {
                let decoder = try ContentDecoder([.gzip], maxBytes: 1000)
                #expect(try Self.decode(body, with: decoder, size: size) == expected)
            }
        }
    }

    @Test(
        "a body that is not in its coding is an error that names it",
        arguments: [
            ("gzip", text), ("br", [0xFF] + text), ("deflate", [0xFF, 0xD8, 0xFF, 0xE0]), ("", [0x1F, 0x8B, 1, 0]),
        ])
    func damaged(value: String, body: [UInt8]) throws {
        let decoder = try ContentDecoder(ResponseCoding.list(value), maxBytes: 1000)
        let name = value.isEmpty ? "gzip" : value
        #expect(
            throws: FetchError.badCoding(
                "its bytes are not valid \(name), contrary to its Content-Encoding or its first bytes")
        ) { try Self.decode(body, with: decoder) }
    }

    @Test(
        "a coding that breaks off is truncated",
        arguments: [("gzip", Gzip.text), ("deflate", zlib), ("br", brotli), ("", Gzip.text)])
    func truncated(value: String, body: [UInt8]) throws {
        for count in 2..<body.count {
            let decoder = try ContentDecoder(ResponseCoding.list(value), maxBytes: 1000)
            #expect(throws: FetchError.truncated) { try Self.decode(Array(body[..<count]), with: decoder) }
        }
    }

    @Test("each of several codings is bounded")
    func bounded() throws {
        // The outer coding yields 96 bytes, the inner one 65 536.
        for limit in [50, 1000] {
            let decoder = try ContentDecoder([.gzip, .gzip], maxBytes: limit)
            #expect(throws: FetchError.tooLarge(limit: limit)) { try Self.decode(Gzip.bombInBomb, with: decoder) }
        }
    }

    @Test(
        "tokens that name no coding are ignored by a fetch",
        arguments: [
            "utf-8", "undefined", "base64", "null", "binary", "aws-chunked", "identity,identity", "none", "", ",",
            "jpeg",
            "UTF-8, aws-chunked,,Identity",
        ])
    func ignored(value: String) async throws {
        try await withOrigin { origin in
            let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
            origin.on("/", .answer(headers: [("Content-Encoding", value)], body: picture))
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(response.status == 200 && bytes == picture)
        }
    }

    @Test(
        "a coding that is not supported is an error that names it, and is not retried",
        arguments: ["zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip", "aes128gcm", "gzip, ZSTD"])
    func unsupported(value: String) async throws {
        try await withOrigin { origin in
            origin.on("/", .answer(headers: [("Content-Encoding", value)], body: [1, 2, 3]))
            let fetcher = try makeFetcher()
            await #expect(
                throws: FetchError.badCoding(
                    "its Content-Encoding \(value.lowercased()) is not supported; gzip, deflate and br are, "
                        + "at most 2 of them")
            ) { try await fetcher.get(origin.url("/")) }
            #expect(origin.requestCount(to: "/") == 1)
        }
    }

    @Test func moreCodingsThanTheLimitAreAnError() throws {
        #expect(throws: FetchError.self) {
            try ContentDecoder([.gzip, .gzip, .gzip], maxBytes: 1000)
        }
    }

    @Test func aCodedBodyWithoutTheFieldIsDecodedByAFetch() async throws {
        try await withOrigin { origin in
            origin.on("/", .answer(body: Gzip.text))
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == Self.text)
            #expect(response.receivedByteCount == Self.text.count && response.contentLength == Gzip.text.count)
        }
    }

    @Test func aCodedBodyWithoutTheFieldIsNotResumed() async throws {
        try await withOrigin { origin in
            let headers = [(name: "ETag", value: "\"a\"")]
            origin.on(
                "/",
                inTurn: [.cut(Gzip.text, after: 25, headers: headers), .answer(headers: headers, body: Gzip.text)])
            let (_, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == Self.text)
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, nil])
        }
    }

    @Test("an error's body is decoded, or left out, but its status counts", arguments: ["gzip", "", "zstd"])
    func errorBody(value: String) async throws {
        try await withOrigin { origin in
            let headers = [(name: "Content-Encoding", value: value)]
            origin.on("/", .answer(status: 404, headers: headers, body: Gzip.text))
            let sink = RecordingSink()
            let request = FetchRequest(url: origin.url("/"), errorBodyLimit: 9)
            let response = try await makeFetcher().fetch(request, into: sink)
            #expect(response.status == 404)
            #expect(sink.bytes == (value == "zstd" ? [] : "one sheet".bytes))
        }
    }

    /// Decodes a body in pieces.
    @discardableResult
    private static func decode(_ body: [UInt8], with decoder: ContentDecoder, size: Int = 1000) throws -> [UInt8] {
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            let wantsMore = try body[start..<min(start + size, body.count)].withUnsafeBytes { piece in
                try decoder.decode(piece) {
                    decoded += $0
                    return true
                }
            }
            #expect(wantsMore)
        }
        _ = try decoder.finish {
            decoded += $0
            return true
        }
        return decoded
    }
}
