import Flights
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import PosterAPI

@Suite(.timeLimit(.hang))
struct ReadinessTests {
    @Test func itIsReadyUnlessItStopsOrIsFull() async throws {
        var status = try await Self.status()
        #expect(Readiness(status).isReady && Readiness(status).status == "ready")
        status.isStopping = true
        status.disk.isWritable = false
        status.queues[0].waiting = 10
        status.queues[1].waiting = 10
        let readiness = Readiness(status)
        #expect(!readiness.isReady && readiness.status == "unready")
        #expect(readiness.reasons == [.stopping, .disk, .queue])
    }

    @Test func aLibraryThatCannotBeUsedIsAReason() async throws {
        var status = try await Self.status()
        status.library = ServiceStatus.Library(isReadable: true, isWritable: true)
        #expect(Readiness(status).isReady)
        status.library = ServiceStatus.Library(isReadable: false, isWritable: false)
        #expect(Readiness(status).reasons == [.libraryReading, .libraryWriting])
        status.library?.server = ServiceStatus.LibraryServer(
            breaker: "open", retryAfter: 1, fault: "unreachable", used: 0, waiting: 0)
        #expect(Readiness(status).isReady && Readiness(status).warnings == [.libraryReading, .libraryWriting])
    }

    @Test func faultsOfEnginesAreWarningsThatTheDescriptionNames() async throws {
        var status = try await Self.status()
        status.faults = [.redis, .objectStore, .library, .events].map { .init($0, since: 1, cause: "it is away") }
        #expect(Readiness(status).isReady)
        #expect(Readiness(status).warnings == [.redis, .objectStore, .library, .events])
        #expect(Readiness(status).faults == status.faults)
        status.library = ServiceStatus.Library(isReadable: false, isWritable: false)
        status.library?.server = ServiceStatus.LibraryServer(
            breaker: "open", retryAfter: 1, fault: "unreachable", used: 0, waiting: 0)
        let warnings = Readiness(status).warnings
        #expect(warnings == [.libraryReading, .libraryWriting, .redis, .objectStore, .events], "each once")
        #expect(Set(warnings.map(\.rawValue)).union(["library-fault"]) == Set(Readiness.warningNames))
    }

    @Test func missedEventsOfOtherNodesAreAReasonWhileRequestsAreNotAnswered() async throws {
        var status = try await Self.status()
        var events = ServiceStatus.Events(
            isCurrent: false, phase: "cut-off", lagSeconds: 100, position: "5-0", applied: 1, published: 2, pending: 3,
            dropped: 0, resyncs: 0, holdsRequests: false, refusesRequests: false)
        status.events = events
        #expect(Readiness(status).isReady, "it serves what it has")
        events.holdsRequests = true
        status.events = events
        #expect(Readiness(status).reasonNames == ["catching-up"])
        (events.holdsRequests, events.refusesRequests) = (false, true)
        status.events = events
        #expect(Readiness(status).reasonNames == ["cut-off"])
    }

    @Test func anOriginThatIsLeftAloneIsNoReasonAndNeitherIsTheDisksQueue() async throws {
        var status = try await Self.status()
        status.origins = [
            ServiceStatus.Origin(
                name: "https://a.test:443", breaker: "open", retryAfter: 30, underWay: 0, waiting: 0, attempts: 5,
                retries: 0, resumed: 0, failures: 5)
        ]
        status.queues[1].waiting = 10
        #expect(Readiness(status).isReady)
        #expect(Readiness(status).origins.first?.breaker == "open")
    }

    @Test func bothAreAnsweredWhileAllThreadsWorkAndTheirQueueIsFull() async throws {
        try await withOrigin { origin in
            var settings = LiveServer.Settings()
            settings.codecThreads = 1
            settings.codecQueue = 1
            try await LiveServer.run(origin: origin, settings) { server in
                #expect(try await server.get("/readyz").status == 200)
                let latch = Latch()
                let works = (0..<2).map { _ in
                    Task {
                        // One runs, the other waits for the thread.
                        try await server.codec.run { latch.wait() }
                    }
                }
                try await eventually { server.codec.usage.waitingCount >= 1 }
                let readiness = try await server.get("/readyz")
                #expect(readiness.status == 503)
                #expect(readiness.text.contains(#""reasons":["codec-queue-full"]"#), "\(readiness.text)")
                let health = try await server.get("/healthz")
                #expect(health.status == 200 && health.text == #"{"status":"ok"}"#)
                for _ in works { latch.open() }
                for work in works { try await work.value }
                #expect(try await server.get("/readyz").status == 200)
            }
        }
    }

    private static func status() async throws -> ServiceStatus {
        ServiceStatus(
            pipeline: try await CacheHitFixture().pipeline.status, warming: 0, origins: [],
            disk: .init(
                originals: 0, bytes: 0, byteBudget: 1, unstored: 0, evicted: 0, damaged: 0, isWritable: true),
            queues: [
                .init(name: "codec", running: 1, waiting: 9, limit: 10),
                .init(name: "disk", running: 1, waiting: 9, limit: 10),
            ])
    }
}
