import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct RetryAfterTests {
    @Test("a short Retry-After is waited for", arguments: [429, 503])
    func short(status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/", inTurn: [.answer(status: status, headers: [("Retry-After", "2")]), .image([1])])
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing())
            #expect(try await fetcher.get(origin.url("/")).0.status == 200)
            #expect(manual.pauses == [.seconds(2)])
        }
    }

    @Test("an origin that wants it is left alone", arguments: [429, 503])
    func long(status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/", inTurn: [.answer(status: status, headers: [("Retry-After", "30")]), .image([1])])
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing())

            let (response, _) = try await fetcher.get(origin.url("/"))
            #expect((response.status, response.retryAfter) == (status, .seconds(30)))
            #expect(manual.pauses.isEmpty)

            manual.clock.advance(by: .seconds(10))
            await #expect(throws: FetchError.originPaused(retryAfter: .seconds(20))) {
                try await fetcher.get(origin.url("/"))
            }
            #expect(fetcher.origins.first?.pause == .seconds(20))
            #expect(origin.requestCount(to: "/") == 1)

            manual.clock.advance(by: .seconds(20))
            #expect(try await fetcher.get(origin.url("/")).0.status == 200)
            #expect(fetcher.origins.first?.pause == nil)
        }
    }

    @Test func itIsLeftAloneForTenMinutesAtMost() async throws {
        try await withOrigin { origin in
            origin.on("/", .answer(status: 429, headers: [("Retry-After", "99999999999999999999")]))
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing())
            let (response, _) = try await fetcher.get(origin.url("/"))
            #expect(response.retryAfter == .seconds(600), "that is when we would ask again")
            #expect(fetcher.origins.first?.pause == .seconds(600))
        }
    }

    @Test func aShortRetryAfterThatIsRepeatedPausesToo() async throws {
        try await withOrigin { origin in
            origin.on("/", .answer(status: 429, headers: [("Retry-After", "1")]))
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing())
            #expect(try await fetcher.get(origin.url("/")).0.status == 429)
            #expect(origin.requestCount(to: "/") == 3)
            #expect(fetcher.origins.first?.pause == .seconds(1))
        }
    }

    @Test func anotherOriginIsNotDisturbed() async throws {
        try await withOrigin { origin in
            try await withOrigin { other in
                origin.on("/", .answer(status: 503, headers: [("Retry-After", "60")]))
                other.on("/", .image([1]))
                let fetcher = try makeFetcher()
                try await fetcher.get(origin.url("/"))
                #expect(try await fetcher.get(other.url("/")).0.status == 200)
            }
        }
    }
}
