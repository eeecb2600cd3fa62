import CPosterCurl
import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct FailureTests {
    @Test(
        "an answer that is cut off or badly framed is truncated",
        arguments: [
            ("closed before the declared length", .closeEarly(declared: 10, sent: [1, 2])),
            ("closed before the last chunk", .chunked([[1, 2]], isComplete: false)),
            (
                "bad chunk size",
                OriginScript([
                    .head(status: 200, headers: [("Transfer-Encoding", "chunked")]), .bytes("zz\r\n".bytes), .hang,
                ])
            ),
            ("reset in the body", OriginScript([.length(10), .bytes([1]), .reset])),
            ("closed without a word", OriginScript([.close])),
            ("closed in the head", OriginScript([.bytes("HTTP/1.1 200 OK\r\nConte".bytes), .close])),
        ] as [(String, OriginScript)]
    )
    func truncated(name: String, script: OriginScript) async throws {
        try await withOrigin { origin in
            origin.on("/", script)
            await #expect(throws: FetchError.truncated) { try await makeFetcher().get(origin.url("/")) }
        }
    }

    @Test("a sink that refuses ends the fetch", arguments: [true, false])
    func sinkRefuses(atTheHead: Bool) async throws {
        final class Refusing: FetchSink {
            let atTheHead: Bool
            init(atTheHead: Bool) { self.atTheHead = atTheHead }
            func begin(_ head: FetchResponseHead) -> Bool { !self.atTheHead }
            func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
                #expect(!self.atTheHead)
                return false
            }
        }
        try await withOrigin { origin in
            origin.on("/", .hangInBody(after: [1]))
            let fetcher = try makeFetcher()
            await #expect(throws: FetchError.sinkFailed) {
                try await fetcher.fetch(FetchRequest(url: origin.url("/")), into: Refusing(atTheHead: atTheHead))
            }
            try await origin.connectionClosed(1)
        }
    }

    @Test(
        "a bad request is refused before anything is sent",
        arguments: [
            ("", .invalidURL("")), ("poster.jpg", .invalidURL("poster.jpg")), ("http://", .invalidURL("http://")),
            ("http://a b/", .invalidURL("http://a b/")), ("http://u:p@a.test/", .invalidURL("http://…@a.test/")),
            ("http://a.test/\r\nX: y", .invalidURL("http://a.test/\r\nX: y")),
            ("http://a.test/\0", .invalidURL("http://a.test/\0")),
            ("file:///etc/passwd", .forbiddenScheme("file")), ("gopher://a.test/", .forbiddenScheme("gopher")),
            ("ftp://a.test/", .forbiddenScheme("ftp")),
        ] as [(String, FetchError)]
    )
    func badURL(url: String, error: FetchError) async throws {
        await #expect(throws: error) { try await makeFetcher().get(url) }
    }

    @Test("a header cannot break out of its line", arguments: [("X", "a\r\nY: b"), ("X: y\r\nZ", "a"), ("", "a")])
    func badHeader(name: String, value: String) async throws {
        await #expect(throws: FetchError.invalidHeader(name)) {
            try await makeFetcher().get("http://a.test/", headers: [(name, value)])
        }
    }

    @Test func anUnknownNameIsNotResolved() async throws {
        await #expect(throws: FetchError.resolutionFailed) { try await makeFetcher().get("http://unknown.test/") }
    }

    @Test func aClosedPortIsAFailureToConnect() async throws {
        let origin = try await OriginServer.start()
        await origin.shutdown()
        let error = await #expect(throws: FetchError.self) { try await makeFetcher().get(origin.url("/")) }
        guard case .connectFailed = error else { return #expect(error == .connectFailed("…")) }
    }

    @Test func aLackOfDescriptorsIsNamed() throws {
        let url = try FetchURL.requested("http://a.test/")
        let ending = CurlResult(
            code: 7, outcome: .notConnected, message: "", hasConnected: false, isOutOfDescriptors: true)
        let failure = ending.failure(url: url, refused: nil)
        #expect(failure == HopFailure(.outOfDescriptors))
    }

    @Test func certificatesThatCannotBeReadAreNotTheOriginsFault() async throws {
        try await withOrigin { origin in
            let fetcher = try makeFetcher { $0.trustedCertificatesFile = "/nonexistent/certificates.pem" }
            let words = "the trusted CA certificates cannot be read"
            await #expect(throws: FetchError.failed(code: 77, words)) {
                try await fetcher.get("https://127.0.0.1:\(origin.port)/")
            }
            let state = try #require(fetcher.origins.first)
            #expect((state.totals.attempts, state.totals.failures) == (1, 0))
        }
        let url = try FetchURL.requested("https://a.test/")
        let ending = CurlResult(
            code: 77, outcome: .trustUnreadable, message: "", hasConnected: false, isOutOfDescriptors: true)
        let failure = ending.failure(url: url, refused: nil)
        #expect(failure == HopFailure(.outOfDescriptors))
    }

    @Test(
        "which failures count as the origin's",
        arguments: [
            (poster_curl_outcome.outOfMemory, CircuitBreaker.Outcome.ignored), (.writeRefused, .ignored),
            (.other, .failure),
            (.cutShort, .failure), (.notTrusted, .failure),
        ])
    func origins(curl: poster_curl_outcome, outcome: CircuitBreaker.Outcome) throws {
        let url = try FetchURL.requested("http://a.test/")
        let ending = CurlResult(
            code: 1, outcome: curl, message: "", hasConnected: false, isOutOfDescriptors: false)
        let failure = ending.failure(url: url, refused: nil)
        #expect(failure.outcome == outcome)
    }

    @Test func aServerWithoutTLSIsNotTrusted() async throws {
        try await withOrigin(greeting: "HTTP/1.1 400 No\r\n\r\n".bytes) { origin in
            let error = await #expect(throws: FetchError.self) {
                try await makeFetcher().get("https://127.0.0.1:\(origin.port)/")
            }
            guard case .tls = error else { return #expect(error == .tls("…")) }
        }
    }

    @Test func aServerThatSpeaksNoHTTPFails() async throws {
        try await withOrigin(greeting: "SSH-2.0-OpenSSH_9.2\r\n".bytes) { origin in
            let error = await #expect(throws: FetchError.self) { try await makeFetcher().get(origin.url("/")) }
            guard case .failed = error else { return #expect(error == .failed(code: 1, "…")) }
        }
    }
}
