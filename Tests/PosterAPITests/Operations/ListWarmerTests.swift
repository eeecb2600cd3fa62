import Flights
import Logging
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterAPI

/// Renders the posters of served lists at the targets that clients frequently request.
@Suite(.timeLimit(.hang))
struct ListWarmerTests {
    private let source: ScriptedOriginalSource
    private let gate = Gate()
    private let pipeline: PosterPipeline
    private let targets = FrequentRenderTargets()
    private let warmer: ListWarmer

    init() {
        self.source = ScriptedOriginalSource(gate: self.gate)
        for film in ["a", "b", "c"] { self.source.set(TestPicture.jpeg(width: 60, height: 90), for: film) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(locator: KeyedPosterLocator(), store: MemoryOriginalStore(), source: self.source),
            renderer: VariantRenderer(threads: BoundedThreadPool(count: 1, queueLimit: 10), now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: 64 << 20), environment: PipelineEnvironment(logger: logger))
        self.warmer = ListWarmer(warmer: Warmer(pipeline: self.pipeline, concurrency: 1), targets: self.targets)
    }

    private static let target = RenderTarget(width: 46, format: .webp)

    private func noteTarget() throws {
        self.targets.note(Self.target, of: try PosterID(key: "requested"))
    }

    private func list(_ films: [String], name: String = "/movies/search", client: String = "a") -> ServedList {
        ServedList(kind: .init(name: name, client: client), posters: films.compactMap { try? PosterID(key: $0) })
    }

    /// The films with posters in memory.
    private func made() throws -> [String] {
        try ["a", "b", "c"].filter { film in
            let request = PosterRequest(id: try PosterID(key: film), rendition: .variant(Self.target))
            return try self.pipeline.cachedResponse(to: PosterQuery(request)) != nil
        }
    }

    @Test func aListsPostersAreMadeAsOthersWereAskedFor() async throws {
        self.gate.open()
        try self.noteTarget()
        self.warmer.listServed(self.list(["a", "b"]))
        try await eventually { self.warmer.listCount == 0 }
        #expect(try self.made() == ["a", "b"])
        // Posters in memory need no work.
        self.warmer.listServed(self.list(["a", "b"]))
        #expect(self.warmer.listCount == 0)
    }

    @Test func withoutRequestedTargetsNothingIsMade() {
        self.warmer.listServed(self.list(["a"]))
        #expect(self.warmer.listCount == 0)
    }

    @Test func theNextListOfTheSameKindTakesThePlaceOfTheOneBefore() async throws {
        try self.noteTarget()
        self.warmer.listServed(self.list(["a", "b"]))
        try await self.source.fetchesArrived(of: "a")
        self.warmer.listServed(self.list(["c"]))
        try await self.source.fetchesCancelled()
        try await self.source.fetchesArrived(of: "c")
        self.gate.open()
        try await eventually { self.warmer.listCount == 0 }
        #expect(try self.made() == ["c"])
        #expect(self.source.fetchCount(of: "b") == 0)
    }

    @Test func theSameListAgainAndOtherClientsListsDisturbNothing() async throws {
        try self.noteTarget()
        self.warmer.listServed(self.list(["a"]))
        try await self.source.fetchesArrived(of: "a")
        self.warmer.listServed(self.list(["a"]))
        self.warmer.listServed(self.list(["b"], client: "b"))
        self.warmer.listServed(self.list(["c"], name: "/movies/home"))
        #expect(self.warmer.listCount == 3)
        self.gate.open()
        try await eventually { self.warmer.listCount == 0 }
        #expect(try self.made() == ["a", "b", "c"])
        #expect(self.source.fetchCount(of: "a") == 1 && self.source.cancellationCount == 0)
    }

    @Test func onlySoManyListsAreUnderWay() async throws {
        try self.noteTarget()
        for number in 0..<20 { self.warmer.listServed(self.list(["a"], client: "\(number)")) }
        #expect(self.warmer.listCount == ListWarmer.listLimit)
        self.warmer.close()
        #expect(self.warmer.listCount == 0)
        self.warmer.listServed(self.list(["b"]))
        #expect(self.warmer.listCount == 0)
    }
}
