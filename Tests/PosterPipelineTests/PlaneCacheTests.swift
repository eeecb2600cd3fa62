import Flights
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct PlaneCacheTests {
    /// Planes of a picture; `nanoseconds` pass between two clock readings of the decode.
    private func planes(width: Int = 400, height: Int = 600, nanoseconds: UInt64 = 1_000_000) throws -> RetainedPlanes {
        let picture = TestPicture.jpeg(width: width, height: height)
        let header = try inspect(picture.span.bytes, limits: .init())
        var job = RenderJob(
            source: header, byteCount: picture.count, targets: [.init(RenderTarget(width: width, format: .jpeg))],
            scale: try RenderPlan(header, target: RenderTarget(width: width, format: .jpeg)).scale)
        job.retention = PlaneRetention(ladder: [width], source: header, scale: job.scale, byteLimit: 1 << 30)
        let clock = HeldLook(at: 0)
        let control = JobControl(targetCount: 1, now: { clock.now() * nanoseconds })
        let pool = PlaneMemoryPool(spareBytes: 0)
        let decoded = try decodeJob(picture.span.bytes, job: job, control: control, pool: pool)
        return try #require(decoded.planes)
    }

    private func digest(_ number: Int) -> Digest { Digest(of: "\(number)") }

    @Test("planes are kept within the budget, the memory for the next included")
    func budget() throws {
        let planes = try self.planes()
        let cache = PlaneCache(byteBudget: 10 * planes.byteCount)
        let id = try PosterID(key: "heat")
        for number in 0..<50 {
            #expect(cache.insert(planes, of: self.digest(number), for: id))
            #expect(cache.usage.bytes <= cache.byteBudget)
        }
        #expect((7...9).contains(cache.usage.count) && cache.evictionCount == 50 - cache.usage.count)
        #expect(cache.planes(of: self.digest(49)) === planes)
        #expect(cache.entryLimit == cache.byteBudget / 2)
    }

    @Test("of planes that are used alike those stay that took longer to decode")
    func worth() throws {
        let (slow, quick) = (try self.planes(nanoseconds: 1_000_000), try self.planes(nanoseconds: 1000))
        #expect(slow.decodeNanoseconds > 100 * quick.decodeNanoseconds)
        let cache = PlaneCache(byteBudget: 20 * slow.byteCount)
        let id = try PosterID(key: "heat")
        for number in 0..<8 { #expect(cache.insert(slow, of: self.digest(number), for: id)) }
        for number in 100..<200 { _ = cache.insert(quick, of: self.digest(number), for: id) }
        #expect((0..<8).count { cache.planes(of: self.digest($0)) != nil } == 8)
    }

    @Test("a budget that is made smaller drops what has no room, and may grow again")
    func relief() throws {
        let planes = try self.planes()
        let cache = PlaneCache(byteBudget: 20 * planes.byteCount)
        let id = try PosterID(key: "heat")
        for number in 0..<10 { #expect(cache.insert(planes, of: self.digest(number), for: id)) }
        cache.relieve(to: 5 * planes.byteCount)
        #expect(cache.usage.count == 4 && cache.usage.bytes <= cache.byteLimit && cache.evictionCount == 6)
        cache.relieve(to: 0)
        #expect(cache.usage == (0, 0) && cache.entryLimit == 0 && cache.evictionCount == 10)
        #expect(!cache.insert(planes, of: self.digest(0), for: id))
        cache.relieve(to: .max)
        #expect(cache.byteLimit == cache.byteBudget && cache.insert(planes, of: self.digest(0), for: id))
    }

    @Test("planes go with their bytes, their poster or its source")
    func removal() throws {
        let planes = try self.planes()
        let cache = PlaneCache(byteBudget: 64 << 20)
        for (number, id) in ["a:x", "a:y", "b:z"].enumerated() {
            #expect(cache.insert(planes, of: self.digest(number), for: try PosterID(id)))
        }
        cache.remove(self.digest(0))
        #expect(cache.usage.count == 2 && cache.planes(of: self.digest(0)) == nil)
        cache.removeAll(of: try PosterID("b:z"))
        #expect(cache.planes(of: self.digest(2)) == nil && cache.planes(of: self.digest(1)) != nil)
        cache.removeAll(of: ["b"])
        #expect(cache.usage.count == 1)
        cache.removeAll(of: ["a"])
        #expect(cache.usage.count == 0)
    }

    @Test("without a budget nothing is kept")
    func nothing() throws {
        let cache = PlaneCache(byteBudget: 0)
        #expect(!cache.insert(try self.planes(), of: self.digest(0), for: try PosterID(key: "heat")))
        #expect(cache.planes(of: self.digest(0)) == nil && cache.usage == (0, 0) && cache.entryLimit == 0)
    }
}
