import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct ColourTransformCacheTests {
    /// A profile that is cached separately, but has the same colours.
    static func tag(_ number: Int, padding: Int = 0) -> ColourTag {
        var profile = ICCProfile.displayP3()
        profile.tags.append(("test", ICCProfile.padding(number, byteCount: padding)))
        return .profile(profile.bytes)
    }

    @Test("a profile is understood once")
    func keepsTransforms() throws {
        let transforms = ColourTransformCache()
        let first = try #require(transforms.transform(for: Self.tag(1), input: .rgb))
        let again = try #require(transforms.transform(for: Self.tag(1), input: .rgb))
        #expect(first === again)
        #expect(transforms.usage.count == 1)
        #expect(transforms.transform(for: Self.tag(1), input: .gray) == nil, "of other pixels it says nothing")
        #expect(transforms.usage.count == 2, "and that is remembered, too")
    }

    @Test("only so many profiles are kept, those used last")
    func boundsTheCount() throws {
        let transforms = ColourTransformCache()
        let first = try #require(transforms.transform(for: Self.tag(0), input: .rgb))
        for number in 1..<2 * ColourTransformCache.countLimit {
            _ = transforms.transform(for: Self.tag(number), input: .rgb)
            let again = transforms.transform(for: Self.tag(0), input: .rgb)
            #expect(again === first, "after \(number) others")
        }
        #expect(transforms.usage.count == ColourTransformCache.countLimit)
    }

    @Test("only so many bytes of profiles are kept", .computingThread)
    func boundsTheBytes() {
        let transforms = ColourTransformCache()
        for number in 0..<7 { _ = transforms.transform(for: Self.tag(number, padding: 3 << 20), input: .rgb) }
        #expect(transforms.usage.count == 5)
        #expect(transforms.usage.cost <= ColourTransformCache.byteLimit)
        _ = transforms.transform(for: Self.tag(7, padding: 17 << 20), input: .rgb)
        #expect(transforms.usage.count == 5, "what is larger than all of the room is not kept")
    }

    @Test("any number of threads may convert at once")
    func isSharedByThreads() async throws {
        let transforms = ColourTransformCache()
        let pixels = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 251) }
        let results = await withTaskGroup(of: [UInt8].self) { group in
            for index in 0..<16 {
                group.addTask {
                    var rgb = [UInt8](repeating: 0, count: pixels.count)
                    let tag = index % 2 == 0 ? Self.tag(1) : Self.tag(2)
                    let transform = transforms.transform(for: tag, input: .rgb)
                    transform?.apply(pixels, to: &rgb, count: pixels.count / 3)
                    return rgb
                }
            }
            return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(results.count == 1)
        #expect(results.first != pixels)
        #expect(transforms.usage.count == 2)
    }
}
