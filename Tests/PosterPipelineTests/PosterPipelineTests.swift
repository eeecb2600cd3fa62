import Flights
import FoundationEssentials
import HTTPSemantics
import Logging
import NIOCore
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct PosterPipelineTests {
    @Test func walksFromTheOriginToMemoryAndIsThenAnsweredSynchronously() async throws {
        let fixture = PipelineFixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        #expect(try fixture.pipeline.cachedResponse(to: PosterQuery(request)) == nil)

        let (first, origin) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(origin.reach == .origin)
        #expect(origin.isStored && !origin.isShared)
        #expect((first.size.width, first.size.height) == (92, 138))

        let known = try #require(try fixture.pipeline.cachedResponse(to: PosterQuery(request)))
        let (second, memory) = try PipelineFixture.variant(known)
        #expect(memory.reach == .cache)
        #expect(second.bytes == first.bytes && second.entityTag == first.entityTag)

        let (_, disk) = try PipelineFixture.variant(
            try await fixture.answer(try PipelineFixture.request("heat", width: 60)))
        #expect(disk.reach == .disk, "another width needs no second fetch")
        #expect(fixture.source.fetchCount(of: "heat") == 1)
    }

    @Test func theTagIsDerivedWithoutRendering() async throws {
        let fixture = PipelineFixture(byteBudget: 0)
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(!provenance.isStored, "a budget of nothing keeps nothing")
        #expect(fixture.variants.usage.count == 0)
        let query = PosterQuery(request, conditions: Preconditions(ifNoneMatch: "*"))
        guard case .notModified(let tag, _)? = try fixture.pipeline.cachedResponse(to: query) else {
            Issue.record("not answered")
            return
        }
        #expect(tag == poster.entityTag)
    }

    @Test func widthsBeyondTheOriginalShareOneVariant() async throws {
        let fixture = PipelineFixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        let (wide, _) = try PipelineFixture.variant(
            try await fixture.answer(try PipelineFixture.request("heat", width: 4096)))
        let (own, provenance) = try PipelineFixture.variant(
            try await fixture.answer(try PipelineFixture.request("heat", width: 200)))
        #expect(wide.size.width == 200)
        #expect(own.entityTag == wide.entityTag)
        #expect(provenance.reach == .cache)
    }

    @Test func everythingThatChangesTheBytesChangesTheTag() async throws {
        let fixture = PipelineFixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 1), for: "heat")
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 2), for: "ronin")
        var tags: Set<EntityTag> = []
        for key in ["heat", "ronin"] {
            for target in [
                RenderTarget(width: 92, format: .jpeg), RenderTarget(width: 93, format: .jpeg),
                RenderTarget(width: 92, format: .webp), RenderTarget(width: 92, format: .jpeg, quality: 50),
            ] {
                let request = PosterRequest(id: try PosterID(key: key), rendition: .variant(target))
                tags.insert(try PipelineFixture.variant(try await fixture.answer(request)).0.entityTag)
            }
        }
        #expect(tags.count == 8)
    }

    @Test func withoutAWidthTheOriginalsOwnBytesAreAnswered() async throws {
        let fixture = PipelineFixture()
        let bytes = TestPicture.jpeg(width: 200, height: 300)
        fixture.source.set(bytes, for: "heat")
        let request = PosterRequest(id: try PosterID(key: "heat"), rendition: .original)
        guard case .original(let original, let tag, let provenance) = try await fixture.answer(request) else {
            Issue.record("not an original")
            return
        }
        #expect(try original.bytes.withUnsafeBytes { Array($0) } == bytes)
        #expect(provenance.reach == .origin)
        guard case .notModified(tag, _) = try await fixture.answer(request, holding: tag) else {
            Issue.record("sent again")
            return
        }
    }

    @Test("two hundred clients of four widths make one fetch and one decode")
    func crowd() async throws {
        let gate = Gate()
        let fixture = PipelineFixture(gate: gate)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let clients = try (0..<200).map { index in
            let request = try PipelineFixture.request("heat", width: [92, 154, 342, 500][index % 4])
            return Task { try await fixture.answer(request) }
        }
        try await eventually { fixture.pipeline.originalWaiterCount(for: try PosterID(key: "heat")) >= 200 }
        gate.open()
        var tags: Set<EntityTag> = []
        for client in clients { tags.insert(try PipelineFixture.variant(try await client.value).0.entityTag) }
        #expect(tags.count == 4)
        #expect(fixture.source.fetchCount(of: "heat") == 1)
        #expect(fixture.pipeline.status.decodes == 1 && fixture.pipeline.status.renders == 4)
        try await eventually { fixture.pipeline.jobCount == 0 }
    }

    @Test func whenTheLastClientHasLeftTheFetchIsCancelledAndNothingIsRendered() async throws {
        let gate = Gate()
        let fixture = PipelineFixture(gate: gate)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let id = try PosterID(key: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        let clients = (0..<50).map { _ in Task { try await fixture.answer(request) } }
        try await eventually { fixture.pipeline.originalWaiterCount(for: id) >= 50 }
        for client in clients { client.cancel() }
        for client in clients { await #expect(throws: CancellationError.self) { try await client.value } }
        try await fixture.source.fetchesCancelled()
        #expect(fixture.store.count == 0)
        #expect(fixture.pipeline.status.renders == 0)

        gate.open()
        _ = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(fixture.source.fetchCount(of: "heat") == 2, "who comes later gets a fetch of its own")
    }

    @Test func whenOneOfSeveralLeavesTheOthersNoticeNothing() async throws {
        let gate = Gate()
        let fixture = PipelineFixture(gate: gate)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let id = try PosterID(key: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        let clients = (0..<3).map { _ in Task { try await fixture.answer(request) } }
        try await eventually { fixture.pipeline.originalWaiterCount(for: id) >= 3 }
        clients[0].cancel()
        await #expect(throws: CancellationError.self) { try await clients[0].value }
        gate.open()
        for client in clients.dropFirst() { _ = try PipelineFixture.variant(try await client.value) }
        #expect(fixture.source.fetchCount(of: "heat") == 1)
    }

    @Test func aQueuedRenderIsCancelledWithItsLastWaiter() async throws {
        let fixture = PipelineFixture(threads: 1)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        _ = try await fixture.answer(PosterRequest(id: request.id, rendition: .original))

        // The only codec thread is held until the client has left.
        let (held, release) = (Gate(), Latch())
        let blocker = Task {
            try await fixture.threads.run {
                held.open()
                release.wait()
            }
        }
        try await held.wait()
        let client = Task { try await fixture.answer(request) }
        try await eventually { fixture.pipeline.renderWaiterCount >= 1 }
        client.cancel()
        await #expect(throws: CancellationError.self) { try await client.value }
        release.open()
        try await blocker.value
        try await eventually { fixture.threads.load == 0 }
        #expect(fixture.pipeline.status.renders == 0)
        #expect(fixture.variants.usage.count == 0)
    }

    @Test func aRenderUnderWayStopsBetweenRowsWhenTheLastClientLeaves() async throws {
        let held = HeldLook(at: 20)
        let fixture = PipelineFixture(now: held.now)
        fixture.source.set(TestPicture.jpeg(width: 800, height: 2400), for: "heat")
        let request = try PipelineFixture.request("heat", width: 200)
        let clients = (0..<2).map { _ in Task { try await fixture.answer(request) } }
        try await held.reached.wait()
        for client in clients { client.cancel() }
        for client in clients { await #expect(throws: CancellationError.self) { try await client.value } }
        held.release.open()
        try await eventually { fixture.threads.load == 0 }
        #expect(fixture.pipeline.status.renders == 0)
        #expect(held.count < 40, "150 groups of rows would have been looked at more than 400 times")
    }

    @Test func aRenderUnderWayContinuesForTheRemainingWaiters() async throws {
        let held = HeldLook(at: 20)
        let fixture = PipelineFixture(now: held.now)
        fixture.source.set(TestPicture.jpeg(width: 800, height: 2400), for: "heat")
        let request = try PipelineFixture.request("heat", width: 200)
        let leaving = Task { try await fixture.answer(request) }
        try await held.reached.wait()
        let staying = Task { try await fixture.answer(request) }
        try await eventually { fixture.pipeline.renderWaiterCount >= 2 }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        held.release.open()
        let (poster, provenance) = try PipelineFixture.variant(try await staying.value)
        #expect(poster.size.height == 600)
        #expect(provenance.isShared)
        #expect(fixture.pipeline.status.renders == 1)
    }

    @Test func aFullQueueAnswersAtOnce() async throws {
        let fixture = PipelineFixture(threads: 1, queueLimit: 0)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        let (held, release) = (Gate(), Latch())
        let blocker = Task {
            try await fixture.threads.run {
                held.open()
                release.wait()
            }
        }
        try await held.wait()
        await #expect(throws: PosterError.overloaded(retryAfter: 1)) { try await fixture.answer(request) }
        release.open()
        try await blocker.value
        _ = try PipelineFixture.variant(try await fixture.answer(request))
    }

    @Test func aCancelledWaiterFreesItsPlaceInTheQueueAtOnce() async throws {
        let threads = BoundedThreadPool(count: 1, queueLimit: 1)
        let (held, release) = (Gate(), Latch())
        let blocker = Task {
            try await threads.run {
                held.open()
                release.wait()
            }
        }
        try await held.wait()
        for _ in 0..<5 {
            let waiting = Task { try await threads.run {} }
            try await eventually { threads.load >= 2 }
            await #expect(throws: PosterError.overloaded(retryAfter: 1)) { try await threads.run {} }
            waiting.cancel()
            try await eventually { threads.load <= 1 }
            #expect(threads.load == 1, "only the one that runs counts")
        }
        release.open()
        try await blocker.value
        try await threads.run {}
        #expect(threads.load == 0)
        try await threads.shutDown()
    }

    @Test func whatTheOriginSendsIsNamedWhenItIsNoUsablePicture() async throws {
        let fixture = PipelineFixture()
        let good = TestPicture.jpeg(width: 400, height: 600)
        fixture.source.set([], for: "empty")
        fixture.source.set(Array("<!DOCTYPE html><html>".utf8), for: "page")
        fixture.source.set(Array("\0\0\0\u{C}jP  \r\n".utf8), for: "jp2")
        fixture.source.set(Array(good.dropLast(good.count / 2)), for: "half")
        let decoded = "JPEG, PNG, WebP, AVIF, GIF, JPEG XL and HEIC"
        let cases: [(String, PosterError)] = [
            ("empty", .badOriginal(reason: "the file is not an image but nothing (0 bytes)")),
            ("page", .badOriginal(reason: "the file is not an image but an HTML page")),
            ("jp2", .unsupportedImage(reason: "JPEG 2000, which is not decoded; \(decoded) are")),
            ("half", .badOriginal(reason: "the file is truncated: the data ends before the picture does")),
            ("nowhere", .unknownPoster(try PosterID(key: "nowhere"))),
        ]
        for (key, expected) in cases {
            let request = try PipelineFixture.request(key, width: 92)
            await #expect(throws: expected) { try await fixture.answer(request) }
        }
        #expect(fixture.store.count == 0, "nothing of it is kept")
    }

    @Test("an error of the codec's own is the service's, and no fault of the original")
    func blamesItself() {
        #expect(PosterError(CodecError.internalError(reason: "rows are missing")) == .unrenderable)
    }

    @Test func anOriginalThatCannotBeDecodedIsDroppedAndFetchedAgainLater() async throws {
        let clock = ManualClock()
        let fixture = PipelineFixture(failureClock: clock.now)
        let good = TestPicture.jpeg(width: 400, height: 600)
        var bad = good
        // A restart marker in the middle of the scan: the walk allows it, the decoder does not expect it.
        bad.replaceSubrange(good.count / 2..<good.count / 2 + 2, with: [0xFF, 0xD3])
        fixture.source.set(bad, for: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        let thrown = await #expect(throws: PosterError.self) { try await fixture.answer(request) }
        let error = try #require(thrown)
        guard case .badOriginal(let reason) = error else { throw error }
        #expect(reason.hasPrefix("the file is damaged: "))
        #expect(fixture.store.count == 0)
        fixture.source.set(good, for: "heat")
        // Requests for any size in the next 30 seconds fail in the same way without a fetch.
        for width in [92, 60] {
            await #expect(throws: error) { try await fixture.answer(try PipelineFixture.request("heat", width: width)) }
        }
        #expect(throws: error) { try fixture.pipeline.cachedResponse(to: PosterQuery(request)) }
        clock.advance(by: .seconds(29))
        await #expect(throws: error) { try await fixture.answer(request) }
        #expect(fixture.source.fetchCount(of: "heat") == 1)
        clock.advance(by: .seconds(1))
        _ = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(fixture.source.fetchCount(of: "heat") == 2)
    }

    @Test func whatIsNoPictureIsNotFetchedAgainAtOnceButAnOriginThatFailsIs() async throws {
        let clock = ManualClock()
        let fixture = PipelineFixture(failureClock: clock.now)
        fixture.source.set(Array("\0\0\0\u{C}jP  \r\n".utf8), for: "jp2")
        fixture.source.fail(.originUnavailable(reason: "it is down"), for: "down")
        for _ in 0..<5 {
            await #expect(throws: PosterError.self) {
                try await fixture.answer(try PipelineFixture.request("jp2", width: 92))
            }
            await #expect(throws: PosterError.self) {
                try await fixture.answer(try PipelineFixture.request("nowhere", width: 92))
            }
            await #expect(throws: PosterError.self) {
                try await fixture.answer(try PipelineFixture.request("down", width: 92))
            }
        }
        #expect(fixture.source.fetchCount(of: "jp2") == 1)
        #expect(fixture.source.fetchCount(of: "nowhere") == 1)
        #expect(fixture.source.fetchCount(of: "down") == 5)
        fixture.source.set(TestPicture.jpeg(width: 20, height: 30), for: "jp2")
        clock.advance(by: .seconds(30))
        _ = try PipelineFixture.variant(try await fixture.answer(try PipelineFixture.request("jp2", width: 92)))
    }

    @Test func aDecodeThatTakesTooMuchCPUTimeIsRememberedForItsScaleAlone() async throws {
        let cpu = ManualClock()
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 2_000_000_000
        // Each reading adds a second of CPU time, until the test stops it.
        let isSlow = Counter()
        let fixture = PipelineFixture(
            limits: limits,
            cpuTime: {
                if isSlow.value == 0 { cpu.advance(by: .seconds(1)) }
                return cpu.now()
            })
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        let expected = PosterError.overLimit(
            reason: "over the limit of CPU time in milliseconds: it has 3000, the maximum is 2000")
        await #expect(throws: expected) { try await fixture.answer(request) }
        isSlow.increment()
        await #expect(throws: expected) { try await fixture.answer(request) }
        // A width of 60 needs a decode at full size as well; 40 needs half, which may take less.
        await #expect(throws: expected) { try await fixture.answer(try PipelineFixture.request("heat", width: 60)) }
        _ = try PipelineFixture.variant(try await fixture.answer(try PipelineFixture.request("heat", width: 40)))
        #expect(fixture.store.count == 1, "nothing is wrong with the original")
    }

    @Test func requestsThatWouldGiveTheSamePixelsShareOneVariant() async throws {
        let fixture = PipelineFixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        let same = [
            RenderTarget(width: 100, format: .jpeg), RenderTarget(width: 100, height: 150, format: .jpeg),
            RenderTarget(height: 150, format: .jpeg), RenderTarget(width: 100, height: 900, format: .jpeg),
            RenderTarget(width: 100, height: 150, fit: .cover, position: .top, format: .jpeg),
            RenderTarget(width: 100, format: .jpeg, background: .init(red: 1, green: 2, blue: 3)),
            RenderTarget(width: 100, format: .jpeg, effort: .full),
        ]
        var tags: Set<EntityTag> = []
        for target in same {
            let request = PosterRequest(id: try PosterID(key: "heat"), rendition: .variant(target))
            tags.insert(try PipelineFixture.variant(try await fixture.answer(request)).0.entityTag)
        }
        #expect(tags.count == 1 && fixture.pipeline.status.renders == 1)
        let others = [
            RenderTarget(width: 100, height: 100, fit: .cover, format: .jpeg),
            RenderTarget(width: 100, height: 100, fit: .cover, position: .top, format: .jpeg),
            RenderTarget(width: 100, height: 100, fit: .cover, position: .entropy, format: .jpeg),
            RenderTarget(width: 100, height: 100, fit: .cover, position: .attention, format: .jpeg),
            RenderTarget(width: 100, format: .jpeg, effect: .blur),
            RenderTarget(width: 100, format: .jpeg, effect: .duotone(dark: .white, light: .white)),
            RenderTarget(width: 100, height: 100, format: .jpeg), RenderTarget(width: 100, format: .jpeg, quality: 81),
        ]
        for target in others {
            let request = PosterRequest(id: try PosterID(key: "heat"), rendition: .variant(target))
            tags.insert(try PipelineFixture.variant(try await fixture.answer(request)).0.entityTag)
        }
        #expect(tags.count == 9 && fixture.pipeline.status.renders == 9)
    }

    @Test func variantsWithOtherBytesNeverShareATag() async throws {
        let fixture = PipelineFixture()
        let file = TestPicture.jpeg(width: 200, height: 300)
        fixture.source.set(file, for: "heat")
        var bytes: [EntityTag: [UInt8]] = [:]
        for effort in [RenderTarget.Effort.full, .balanced, .fast] {
            for format in OutputFormat.allCases {
                for width in [30, 150] {
                    let target = RenderTarget(width: width, format: format, effort: effort)
                    let request = PosterRequest(id: try PosterID(key: "heat"), rendition: .variant(target))
                    let (poster, _) = try PipelineFixture.variant(try await fixture.answer(request))
                    let plan = try RenderPlan(inspect(file.span.bytes, limits: .init()), target: target)
                    let alone = try render(file.span.bytes, plan: plan).bytes
                    #expect(Array(poster.bytes.readableBytesView) == alone, "\(format), \(width), \(effort)")
                    #expect(bytes[poster.entityTag, default: alone] == alone)
                    bytes[poster.entityTag] = alone
                }
            }
        }
    }

    @Test func aPosterIsDescribedAndHashedOnce() async throws {
        let fixture = PipelineFixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        let id = try PosterID(key: "heat")
        let info = try await fixture.pipeline.description(of: id).info
        let again = try await fixture.pipeline.description(of: id).info
        let text = String(decoding: try JSONEncoder().encode(info), as: UTF8.self)
        for part in [
            "\"id\":\"heat\"", "\"width\":200", "\"height\":300", "\"thumbhash\":\"", "\"blurhash\":\"",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(info.text == again.text)
        #expect(fixture.source.fetchCount(of: "heat") == 1)
    }
}
