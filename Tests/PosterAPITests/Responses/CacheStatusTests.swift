import PosterPipeline
import Testing

@testable import PosterAPI

struct CacheStatusTests {
    @Test func cacheStatusSaysHitOrWhyItWentForward() {
        #expect(CacheStatus.value(for: Provenance(reach: .cache)) == "OneSheet; hit")
        #expect(
            CacheStatus.value(for: Provenance(reach: .disk)) == "OneSheet; fwd=miss; detail=original-on-disk; stored")
        #expect(
            CacheStatus.value(for: Provenance(reach: .origin, isShared: true, isStored: false))
                == "OneSheet; fwd=uri-miss; fwd-status=200; collapsed")
    }

    @Test func serverTimingIsInMilliseconds() {
        var timings = PosterTimings()
        timings.fetch = 1_234_567
        timings.decode = 14_000_000
        timings.encode = 4_999
        #expect(ServerTiming.value(for: timings) == "fetch;dur=1.23, decode;dur=14.00, encode;dur=0")
        timings.encode = 50_000
        #expect(ServerTiming.value(for: timings).hasSuffix("encode;dur=0.05"))
    }
}
