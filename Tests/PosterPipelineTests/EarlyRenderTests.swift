import CodecTesting
import CodecWorkers
import Flights
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import FaultyCodecWorker
@testable import PosterPipeline

/// Originals that are decoded while they arrive.
@Suite(.timeLimit(.hang))
struct EarlyRenderTests {
    private typealias Client = Task<Poster, any Error>

    /// A pipeline with an origin and a clock that the test controls.
    private struct Arrival {
        let source = ArrivingSource()
        let clock = ManualClock()
        /// Counts the codecs' clock readings.
        let look = HeldLook(at: 0)
        let fixture: PipelineFixture

        init(
            store: (any OriginalStore)? = nil, threads: Int = 2, limits: CodecLimits = .init(),
            cpuTime: @escaping @Sendable () -> UInt64 = { 0 }, planesBudget: Int = 0,
            earlyByteLimit: Int = PosterPipeline.defaultEarlyByteLimit, workers: CodecWorkerPool? = nil
        ) {
            self.fixture = PipelineFixture(
                store: store, fetching: self.source, threads: threads, now: self.look.now,
                failureClock: self.clock.now, limits: limits, cpuTime: cpuTime, planesBudget: planesBudget,
                earlyByteLimit: earlyByteLimit, workers: workers)
        }

        var pipeline: PosterPipeline { self.fixture.pipeline }
        var usage: (count: Int, bytes: Int) { self.pipeline.scheduler.early.budget.usage }
        var earlyCount: Int { self.pipeline.counters.value(of: .decodedEarly) }

        func client(_ width: Int = 342, of key: String = "heat", format: OutputFormat = .jpeg) throws -> Client {
            let request = try PipelineFixture.request(key, width: width, format: format)
            return Task { try PipelineFixture.variant(try await self.fixture.answer(request)).0 }
        }

        /// Sends a part of an original; the whole takes 100 ms.
        func send(_ bytes: [UInt8], _ part: Range<Int>, by fetch: ArrivingSource.Fetch) {
            let length = 16 << 10
            for start in stride(from: part.lowerBound, to: part.upperBound, by: length) {
                let end = min(start + length, part.upperBound)
                self.clock.advance(by: .milliseconds(100) * (end - start) / bytes.count)
                #expect(fetch.send(bytes[start..<end]))
            }
        }

        /// Sends seven eighths of an original, and waits until some of it is decoded.
        func sendBeginning(_ bytes: [UInt8], by fetch: ArrivingSource.Fetch) async throws {
            fetch.declare(bytes.count)
            self.send(bytes, 0..<bytes.count * 7 / 8, by: fetch)
            try await self.hasDecoded()
        }

        func hasDecoded() async throws {
            try await eventually { self.look.count > 20 && self.fixture.threads.load == 0 }
        }

        func ended() async throws {
            try await eventually { self.pipeline.jobCount == 0 && self.fixture.threads.load == 0 }
            try await eventually { self.pipeline.hasNoWantedTargets && self.usage == (0, 0) }
            #expect(self.fixture.threads.usage.weight == 0)
        }
    }

    private static let picture = TestPicture.jpeg(width: 800, height: 1200)
    private static let other = TestPicture.jpeg(width: 800, height: 1200, seed: 2)

    /// The variant rendered from a complete original.
    private static func ordinary(
        _ bytes: [UInt8], width: Int = 342, format: OutputFormat = .jpeg
    ) async throws -> Poster {
        let fixture = PipelineFixture()
        fixture.source.set(bytes, for: "heat")
        let request = try PipelineFixture.request("heat", width: width, format: format)
        return try PipelineFixture.variant(try await fixture.answer(request)).0
    }

    @Test("what is decoded while it arrives gives the ordinary variants", arguments: OutputFormat.allCases)
    func steady(format: OutputFormat) async throws {
        let arrival = Arrival()
        let client = try arrival.client(format: format)
        let fetch = try await arrival.source.fetch(of: "heat")
        try await arrival.sendBeginning(Self.picture, by: fetch)
        #expect(arrival.usage.count == 1 && arrival.fixture.threads.usage.held == 0, "no thread waits for bytes")
        arrival.send(Self.picture, Self.picture.count * 7 / 8..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        let poster = try await client.value
        let ordinary = try await Self.ordinary(Self.picture, format: format)
        #expect(poster.bytes == ordinary.bytes && poster.entityTag == ordinary.entityTag)
        #expect(arrival.pipeline.status.decodes == 1 && arrival.pipeline.status.renders == 1)
        #expect(arrival.earlyCount == 1)
        try await arrival.ended()
    }

    @Test("planes that stay of an early decode serve the next width")
    func planes() async throws {
        let arrival = Arrival(planesBudget: 32 << 20)
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        try await arrival.sendBeginning(Self.picture, by: fetch)
        arrival.send(Self.picture, Self.picture.count * 7 / 8..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        _ = try await client.value
        #expect(try await arrival.client(100).value.size.width == 100)
        #expect(arrival.earlyCount == 1 && arrival.pipeline.status.decodes == 1)
        #expect(arrival.pipeline.counters.value(of: .planeHit) == 1)
        try await arrival.ended()
    }

    @Test("what idle threads did not decode is decoded by the job")
    func busyThreads() async throws {
        let arrival = Arrival(threads: 1)
        let (release, end) = try await arrival.fixture.occupyThread()
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        fetch.declare(Self.picture.count)
        arrival.send(Self.picture, 0..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        try await eventually { arrival.fixture.threads.usage.waitingCount == 1 }
        #expect(arrival.look.count == 0 && arrival.usage.count == 1)
        release.open()
        #expect(try await client.value.bytes == Self.ordinary(Self.picture).bytes)
        try await end.value
        #expect(arrival.earlyCount == 1 && arrival.pipeline.status.decodes == 1)
        try await arrival.ended()
    }

    @Test("the response waits until the original is verified")
    func verification() async throws {
        let gate = Gate()
        let store = HeldStore(gate: gate)
        let arrival = Arrival(store: store)
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        try await arrival.sendBeginning(Self.picture, by: fetch)
        arrival.send(Self.picture, Self.picture.count * 7 / 8..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        try await store.reached.wait()
        try await arrival.hasDecoded()
        #expect(arrival.fixture.variants.usage.count == 0 && arrival.pipeline.status.renders == 0)
        gate.open()
        _ = try await client.value
        #expect(arrival.earlyCount == 1)
        try await arrival.ended()
    }

    @Test("an original that does not pass verification has the usual error, and nothing is served of it")
    func unverified() async throws {
        var damaged = Self.picture
        // Without the last blocks.
        damaged.removeLast(100)
        for (bytes, declared) in [(damaged, damaged.count), (damaged, Self.picture.count)] {
            let arrival = Arrival()
            let client = try arrival.client()
            let fetch = try await arrival.source.fetch(of: "heat")
            fetch.declare(declared)
            arrival.send(bytes, 0..<bytes.count, by: fetch)
            try await arrival.hasDecoded()
            fetch.finish(declared)
            let error = await #expect(throws: PosterError.self) { try await client.value }
            guard case .badOriginal = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(arrival.earlyCount == 0 && arrival.pipeline.status.renders == 0)
            try await arrival.ended()
        }
    }

    @Test("a fetch that fails has its own error, and frees what was decoded")
    func failedFetch() async throws {
        let arrival = Arrival()
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        try await arrival.sendBeginning(Self.picture, by: fetch)
        let error = PosterError.originUnavailable(reason: "it hung up")
        fetch.fail(error)
        await #expect(throws: error) { try await client.value }
        try await arrival.ended()
    }

    @Test("a body that starts again is decoded again")
    func restart() async throws {
        let arrival = Arrival()
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        try await arrival.sendBeginning(Self.picture, by: fetch)
        #expect(fetch.restart())
        #expect(arrival.usage == (0, 0))
        try await arrival.sendBeginning(Self.other, by: fetch)
        arrival.send(Self.other, Self.other.count * 7 / 8..<Self.other.count, by: fetch)
        fetch.finish(Self.other.count)
        #expect(try await client.value.bytes == Self.ordinary(Self.other).bytes)
        #expect(arrival.earlyCount == 1 && arrival.pipeline.status.decodes == 2)
        try await arrival.ended()
    }

    @Test("a body of another length than it declared is decoded when it is there")
    func otherLength() async throws {
        for declared in [Self.picture.count - 1000, Self.picture.count + 1000] {
            let arrival = Arrival()
            let client = try arrival.client()
            let fetch = try await arrival.source.fetch(of: "heat")
            fetch.declare(declared)
            arrival.send(Self.picture, 0..<Self.picture.count, by: fetch)
            // A body of another length, as after decompression.
            fetch.finish(Self.picture.count)
            #expect(try await client.value.bytes == Self.ordinary(Self.picture).bytes)
            #expect(arrival.earlyCount == 0)
            try await arrival.ended()
        }
    }

    @Test("what the end of a file says of its picture makes the early decode worthless")
    func orientationAtTheEnd() async throws {
        let picture = TestPicture.jpeg(width: 400, height: 600)
        let plan = try RenderPlan(
            inspect(picture.span.bytes, limits: .init()), target: RenderTarget(width: 400, format: .png))
        let upright = try render(picture.span.bytes, plan: plan).bytes
        // Before the end of the file: turned by 90°.
        let exif: [UInt8] =
            [0, 0, 0, 26] + Array("eXIf".utf8) + Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
            + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let turned = upright.dropLast(12) + exif + Self.crc(exif.dropFirst(4)) + upright.suffix(12)
        for (bytes, early) in [(upright, 1), (Array(turned), 0)] {
            let arrival = Arrival()
            let client = try arrival.client(100)
            let fetch = try await arrival.source.fetch(of: "heat")
            try await arrival.sendBeginning(bytes, by: fetch)
            arrival.send(bytes, bytes.count * 7 / 8..<bytes.count, by: fetch)
            fetch.finish(bytes.count)
            let poster = try await client.value
            #expect(try await poster.bytes == Self.ordinary(bytes, width: 100).bytes)
            #expect((poster.size.width < poster.size.height) == (early == 1))
            #expect(arrival.earlyCount == early)
            try await arrival.ended()
        }
    }

    private static func crc(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
        return withUnsafeBytes(of: (~value).bigEndian) { Array($0) }
    }

    @Test("clients that leave take their widths along, and the last one everything")
    func leaving() async throws {
        let arrival = Arrival()
        let clients = try [342, 100].map { try arrival.client($0) }
        let fetch = try await arrival.source.fetch(of: "heat")
        let id = try PosterID(key: "heat")
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 2 }
        try await arrival.sendBeginning(Self.picture, by: fetch)
        clients[0].cancel()
        await #expect(throws: CancellationError.self) { try await clients[0].value }
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 1 }
        #expect(arrival.usage.count == 1)
        clients[1].cancel()
        await #expect(throws: CancellationError.self) { try await clients[1].value }
        try await arrival.ended()
        #expect(arrival.pipeline.status.renders == 0)
    }

    @Test("the width of a client that has left is not made")
    func oneLeaves() async throws {
        let arrival = Arrival()
        let clients = try [342, 100].map { try arrival.client($0) }
        let fetch = try await arrival.source.fetch(of: "heat")
        let id = try PosterID(key: "heat")
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 2 }
        try await arrival.sendBeginning(Self.picture, by: fetch)
        clients[1].cancel()
        await #expect(throws: CancellationError.self) { try await clients[1].value }
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 1 }
        arrival.send(Self.picture, Self.picture.count * 7 / 8..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        #expect(try await clients[0].value.bytes == Self.ordinary(Self.picture).bytes)
        #expect(arrival.earlyCount == 1 && arrival.pipeline.status.renders == 1)
        try await arrival.ended()
    }

    @Test("a width that is wanted later is the next job's")
    func late() async throws {
        let arrival = Arrival()
        let first = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        try await arrival.sendBeginning(Self.picture, by: fetch)
        let second = try arrival.client(100)
        let id = try PosterID(key: "heat")
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 2 }
        arrival.send(Self.picture, Self.picture.count * 7 / 8..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        #expect(try await first.value.bytes == Self.ordinary(Self.picture).bytes)
        #expect(try await second.value.size.width == 100)
        #expect(arrival.earlyCount == 1 && arrival.pipeline.status.renders == 2)
        try await arrival.ended()
    }

    /// Pictures are not enlarged: 3000 and 2000 give the original's width, and the same variant.
    @Test("a width that has left does not take another one with the same picture along")
    func samePicture() async throws {
        let arrival = Arrival()
        let clients = try [3000, 342].map { try arrival.client($0) }
        let fetch = try await arrival.source.fetch(of: "heat")
        let id = try PosterID(key: "heat")
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 2 }
        try await arrival.sendBeginning(Self.picture, by: fetch)
        let same = try arrival.client(2000)
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 3 }
        clients[0].cancel()
        await #expect(throws: CancellationError.self) { try await clients[0].value }
        try await eventually { arrival.pipeline.scheduler.table.wantedTargets(of: id).count == 2 }
        arrival.send(Self.picture, Self.picture.count * 7 / 8..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        #expect(try await clients[1].value.bytes == Self.ordinary(Self.picture).bytes)
        #expect(try await same.value.size.width == 800)
        #expect(arrival.earlyCount == 1)
        try await arrival.ended()
    }

    @Test("a dripping origin takes neither a thread nor memory")
    func dripping() async throws {
        let arrival = Arrival()
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        fetch.declare(Self.picture.count)
        for start in 0..<100 {
            arrival.clock.advance(by: .milliseconds(50))
            #expect(fetch.send(Self.picture[start..<start + 1]))
        }
        #expect(arrival.usage == (0, 0))
        #expect(arrival.pipeline.status.decodes == 0 && arrival.look.count == 0)
        fetch.send(Self.picture[100...])
        fetch.finish(Self.picture.count)
        _ = try await client.value
        #expect(arrival.earlyCount == 0)
        try await arrival.ended()
    }

    @Test("there are so many places, and one for which nothing arrives is given to the next")
    func places() async throws {
        let arrival = Arrival(threads: 1)
        var clients: [Client] = []
        for number in 0...EarlyBudget.placesPerThread {
            clients.append(try arrival.client(of: "film\(number)"))
            let fetch = try await arrival.source.fetch(of: "film\(number)")
            fetch.declare(Self.picture.count)
            #expect(arrival.usage.count == min(number + 1, EarlyBudget.placesPerThread))
        }
        arrival.clock.advance(by: .milliseconds(501))
        clients.append(try arrival.client(of: "heat"))
        let fetch = try await arrival.source.fetch(of: "heat")
        try await arrival.sendBeginning(Self.picture, by: fetch)
        #expect(arrival.usage.count == 1)
        for client in clients { client.cancel() }
        for client in clients { _ = await client.result }
        try await arrival.ended()
    }

    @Test("without memory an original is decoded when it is there", arguments: [0, 100_000, picture.count + 1000])
    func memory(byteLimit: Int) async throws {
        let arrival = Arrival(earlyByteLimit: byteLimit)
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        fetch.declare(Self.picture.count)
        arrival.send(Self.picture, 0..<Self.picture.count * 7 / 8, by: fetch)
        #expect(arrival.usage == (0, 0))
        arrival.send(Self.picture, Self.picture.count * 7 / 8..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        #expect(try await client.value.bytes == Self.ordinary(Self.picture).bytes)
        #expect(arrival.earlyCount == 0 && arrival.pipeline.status.decodes == 1)
        try await arrival.ended()
    }

    @Test("what takes too much CPU time while it arrives is not tried once more")
    func cpuTime() async throws {
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 5
        let ticks = HeldLook(at: 0)
        let arrival = Arrival(limits: limits, cpuTime: ticks.now)
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        fetch.declare(Self.picture.count)
        arrival.send(Self.picture, 0..<Self.picture.count, by: fetch)
        try await eventually { ticks.count > 5 && arrival.fixture.threads.load == 0 }
        let before = ticks.count
        fetch.finish(Self.picture.count)
        let error = await #expect(throws: PosterError.self) { try await client.value }
        guard case .overLimit = error else { throw try #require(error) }
        #expect(arrival.pipeline.status.decodes == 1 && ticks.count == before)
        try await arrival.ended()
    }

    @Test("an original that ends its worker while it arrives ends no second one")
    func workerEnds() async throws {
        var configuration = CodecWorkerPool.Configuration(count: 1)
        configuration.program = FaultyWorkerProgram.path
        let workers = try CodecWorkerPool(configuration)
        let arrival = Arrival(workers: workers)
        let fault = Array("onesheet-fault:\(PlantedFault.abort.rawValue);".utf8)
        let comment = [0xFF, 0xFE, 0, UInt8(fault.count + 2)] + fault
        let picture = Array(Self.picture[..<2]) + comment + Self.picture[2...]
        let client = try arrival.client()
        let fetch = try await arrival.source.fetch(of: "heat")
        fetch.declare(picture.count)
        arrival.send(picture, 0..<picture.count * 7 / 8, by: fetch)
        try await eventually { workers.counters.failures == 1 && arrival.fixture.threads.load == 0 }
        arrival.send(picture, picture.count * 7 / 8..<picture.count, by: fetch)
        fetch.finish(picture.count)
        let error = await #expect(throws: PosterError.self) { try await client.value }
        guard case .badOriginal = error else { throw try #require(error) }
        #expect(arrival.pipeline.status.decodes == 1 && workers.counters.failures == 1)
        try await arrival.ended()
    }

    @Test("an original that nobody waits for a variant of is not decoded")
    func unwanted() async throws {
        let arrival = Arrival()
        let id = try PosterID(key: "heat")
        let client = Task { try await arrival.fixture.answer(PosterRequest(id: id, rendition: .original)) }
        let fetch = try await arrival.source.fetch(of: "heat")
        fetch.declare(Self.picture.count)
        #expect(arrival.usage == (0, 0))
        arrival.send(Self.picture, 0..<Self.picture.count, by: fetch)
        fetch.finish(Self.picture.count)
        _ = try await client.value
        #expect(arrival.pipeline.status.decodes == 0)
        try await arrival.ended()
    }
}
