import Flights
import HTTPFetch
import PosterTesting
import Testing

/// In every phase: the caller gets `CancellationError`, the connection is closed, and the fetcher remains usable.
@Suite(.timeLimit(.hang)) struct CancellationTests {
    @Test func beforeTheStart() async throws {
        try await withOrigin { origin in
            let fetcher = try makeFetcher()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await fetcher.get(origin.url("/"))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(origin.acceptedConnectionCount == 0)
        }
    }

    @Test func whileTheNameIsResolved() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let hanging = TestResolver.hang("cancelled.hangs.test")
            let fetcher = try makeFetcher()
            let task = Task { try await fetcher.get("http://cancelled.hangs.test:\(origin.port)/") }
            try await hanging.asked.wait()

            task.cancel()
            let other = Task { try await fetcher.get(origin.url("/")) }

            // Neither task waits for the resolution of the hanging name, which ends later.
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await other.value.0.status == 200)
            #expect(TestResolver.callCount(of: hanging.name) == 1)
            hanging.release()
        }
    }

    @Test func whileConnecting() async throws {
        let blackhole = try Blackhole()
        let (fetcher, url) = (try makeFetcher(), blackhole.url)
        let task = Task { try await fetcher.get(url) }
        try await eventually { blackhole.isAwaited }

        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let isAwaited = blackhole.isAwaited
        #expect(!isAwaited, "the socket is closed when the caller is resumed")
    }

    @Test func duringTheTLSHandshake() async throws {
        try await withOrigin { origin in
            let fetcher = try makeFetcher()
            let task = Task { try await fetcher.get("https://127.0.0.1:\(origin.port)/") }
            try await origin.connectionsAccepted(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await origin.connectionClosed(1)
        }
    }

    @Test func whileWaitingForTheHead() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try makeFetcher()
            let task = Task { try await fetcher.get(origin.url("/")) }
            try await origin.requestsArrived(at: "/")
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await origin.connectionClosed(1)
        }
    }

    @Test func inTheBodyAfterWhichTheSinkIsNotCalled() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangInBody(after: [1, 2, 3]))
            let (fetcher, sink) = (try makeFetcher(), WatchedSink())
            let task = Task { try await fetcher.fetch(FetchRequest(url: origin.url("/")), into: sink) }
            try await sink.hasReceived.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await origin.connectionClosed(1)
            #expect(sink.byteCount == 3)
        }
    }

    @Test func whileWaitingForAConnection() async throws {
        try await withOrigin { origin in
            origin.on("/first", .hangBeforeHeaders)
            let fetcher = try makeFetcher { $0.originLimits.maxConnections = 1 }
            let first = Task { try await fetcher.get(origin.url("/first")) }
            try await origin.requestsArrived(at: "/first")
            let second = Task { try await fetcher.get(origin.url("/second")) }
            try await eventually { fetcher.origins.first?.fetches.held == 2 }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            #expect(origin.requestCount(to: "/second") == 0)
            #expect(origin.openConnectionCount == 1, "the other fetch is not disturbed")
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
        }
    }

    @Test func theSinkIsReleasedBeforeTheCallerIsResumed() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let fetcher = try makeFetcher()
            weak var sink: WatchedSink?
            do {
                let local = WatchedSink()
                sink = local
                _ = try await fetcher.fetch(FetchRequest(url: origin.url("/")), into: local)
            }
            #expect(sink == nil)
        }
    }

    /// Wherever it is cancelled, each caller is resumed exactly once, and nothing leaks.
    @Test func atAnyMoment() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([UInt8](repeating: 1, count: 100_000)))
            let fetcher = try makeFetcher {
                $0.originLimits.maxWaiting = 300
                $0.totalTimeout = .seconds(3600)
            }
            await withTaskGroup { group in
                for number in 0..<300 {
                    group.addTask {
                        let task = Task { try await fetcher.get(origin.url("/")) }
                        for _ in 0..<number { await Task.yield() }
                        task.cancel()
                        switch await task.result {
                        case .success(let (response, bytes)): #expect(response.receivedByteCount == bytes.count)
                        case .failure(let error): #expect(error is CancellationError)
                        }
                    }
                }
            }
            #expect(try await fetcher.get(origin.url("/")).0.status == 200)
            fetcher.shutdown()
            try await origin.allConnectionsClosed()
        }
    }
}
