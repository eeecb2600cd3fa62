import Testing

@testable import HTTPFetch

@Suite(
    .enabled(if: HTTP2Origin.isAvailable, "nghttpd (Debian: nghttp2-server) and openssl are needed"),
    .timeLimit(.minutes(10))
)
struct HTTP2Tests {
    private let body = [UInt8](repeating: 7, count: 100_000)

    @Test func twoFetchesInARowUseOneConnection() async throws {
        let origin = try await startOrigin()
        let fetcher = try makeFetcher(for: origin)
        #expect(try await fetcher.get(origin.url).1 == self.body)
        #expect(try await fetcher.get(origin.url).1 == self.body)
        let connections = try await origin.connections(ofRequests: 2)
        #expect(connections.count == 2 && Set(connections).count == 1)
    }

    @Test func itCanBeForbidden() async throws {
        let origin = try await startOrigin()
        let fetcher = try makeFetcher(for: origin) { $0.allowsHTTP2 = false }
        await #expect(throws: FetchError.self, "nghttpd speaks nothing else") { try await fetcher.get(origin.url) }
    }

    @Test func certificatesOutsideTheFileAreNotTrusted() async throws {
        let origin = try await startOrigin()
        let fetcher = try HTTPFetchTests.makeFetcher()
        let error = await #expect(throws: FetchError.self) { try await fetcher.get(origin.url) }
        #expect(fetcher.origins.first?.totals.attempts == 1, "asking again would not help")
        guard case .certificate(let words) = error else { return #expect(error == .certificate("…")) }
        #expect(words.contains("certificate"))
    }

    /// A fetch that is never resumed would reach a limit.
    @Test func burstsArriveOverFewConnections() async throws {
        let origin = try await startOrigin()
        let fetcher = try makeFetcher(for: origin) {
            $0.connectTimeout = .seconds(60)
        }
        for _ in 0..<5 { try await self.burst(fetcher, origin.url) }
        let connections = try await origin.connections(ofRequests: 1000)
        #expect(Set(connections).count <= fetcher.configuration.originLimits.maxConnections)
    }

    @Test func aFetchThatIsCutOffClosesItsConnection() async throws {
        let origin = try await startOrigin()
        let (fetcher, sink) = (try makeFetcher(for: origin), RefusingSink())
        await #expect(throws: FetchError.sinkFailed) {
            try await fetcher.fetch(FetchRequest(url: origin.url), into: sink)
        }
        #expect(try await fetcher.get(origin.url).1 == self.body)
        let connections = try await origin.connections(ofRequests: 2)
        #expect(Set(connections).count == 2, "the rest of the first body is in nobody's way")
    }

    private func startOrigin() async throws -> HTTP2Origin {
        let origin = try HTTP2Origin(body: self.body)
        try await origin.started()
        return origin
    }

    private func makeFetcher(
        for origin: HTTP2Origin,
        _ change: (inout FetchConfiguration) -> Void = { _ in }
    ) throws -> Fetcher {
        try HTTPFetchTests.makeFetcher {
            $0.trustedCertificatesFile = origin.certificateFile
            change(&$0)
        }
    }

    private func burst(_ fetcher: Fetcher, _ url: String) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    let (response, _) = try await fetcher.get(url)
                    #expect(response.receivedByteCount == self.body.count)
                }
            }
            try await group.waitForAll()
        }
    }
}

private final class RefusingSink: FetchSink {
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
}
