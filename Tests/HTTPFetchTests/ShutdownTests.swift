import Flights
import HTTPFetch
import PosterTesting
import Testing

@Suite(.timeLimit(.hang)) struct ShutdownTests {
    @Test func itEndsWhatIsUnderWayAndWhatComesLater() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangInBody(after: [1]))
            let hanging = TestResolver.hang("shutdown.hangs.test")
            let fetcher = try makeFetcher { $0.originLimits.maxConnections = 2 }
            let resolving = Task { try await fetcher.get("http://shutdown.hangs.test/") }
            let tasks = (0..<4).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await origin.requestsArrived(at: "/", count: 2)
            try await hanging.asked.wait()

            fetcher.shutdown()

            for task in tasks + [resolving] { await #expect(throws: FetchError.shutDown) { try await task.value } }
            try await origin.allConnectionsClosed()
            await #expect(throws: FetchError.shutDown) { try await fetcher.get(origin.url("/")) }
            fetcher.shutdown()
            hanging.release()
        }
    }

    @Test func manyMayAskForItAtOnce() async throws {
        let fetcher = try makeFetcher()
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { fetcher.shutdown() } }
        }
    }

    @Test func droppingTheFetcherIsEnough() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            do {
                let fetcher = try makeFetcher()
                try await fetcher.get(origin.url("/"))
            }
            try await origin.allConnectionsClosed()
        }
    }

    @Test func aSinkMayAskForIt() async throws {
        final class Quitter: FetchSink {
            let fetcher: Fetcher
            init(_ fetcher: Fetcher) { self.fetcher = fetcher }
            func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
                self.fetcher.shutdown()
                return true
            }
        }
        try await withOrigin { origin in
            origin.on("/", .hangInBody(after: [1]))
            let fetcher = try makeFetcher()
            await #expect(throws: FetchError.shutDown) {
                try await fetcher.fetch(FetchRequest(url: origin.url("/")), into: Quitter(fetcher))
            }
            fetcher.shutdown()
            try await origin.allConnectionsClosed()
        }
    }
}
