import CodecTesting
import Testing

@testable import PosterCodec

/// Blur and duotone.
@Suite(.computingThread) struct EffectTests {
    private static let duotone = RenderTarget.Effect.duotone(
        dark: RenderTarget.Colour(red: 31, green: 41, blue: 55),
        light: RenderTarget.Colour(red: 167, green: 139, blue: 250))

    /// A picture with level 40 in its left half and 220 in its right.
    private static func halves(width: Int = 320, height: Int = 160, components: Int = 1) -> [UInt8] {
        var file = BlockJPEG(
            width: width, height: height, factors: .init(repeating: (1, 1), count: components))
        file.value = { component, x, _ in component > 0 ? 128 : x < width / 16 ? 40 : 220 }
        if components == 3 { file.segments = [.jfif] }
        return file.bytes
    }

    @Test("a duotone leads from one colour to the other by luma", arguments: [1, 3, 4])
    func colours(channels: Int) {
        let duotone = Duotone(
            dark: RenderTarget.Colour(red: 0, green: 100, blue: 255),
            light: RenderTarget.Colour(red: 255, green: 200, blue: 5))
        let gray = PixelBuffer(width: 256, height: 3, channels: channels) { x, y in
            [UInt8](repeating: UInt8(x), count: min(channels, 3)) + (channels == 4 ? [UInt8(y * 100)] : [])
        }
        let pixels = duotone.pixels(gray)
        #expect(pixels.channels == (channels == 4 ? 4 : 3))
        for x in 0..<256 {
            let share = Double(x) / 255
            let exact = [255 * share, 100 + 100 * share, 255 - 250 * share]
            for (index, level) in exact.enumerated() {
                #expect(abs(Double(pixels[x, 2][index]) - level) <= 1.5)
            }
            if channels == 4 { #expect(pixels[x, 1][3] == 100 && pixels[x, 0] == [0, 0, 0, 0]) }
        }
    }

    @Test("a render has the duotone's colours, of gray and of coloured originals", arguments: [1, 3])
    func rendersDuotone(components: Int) throws {
        let target = RenderTarget(width: 80, format: .png, effect: Self.duotone)
        let pixels = try Self.halves(components: components).pixels(target)
        #expect(pixels.channels == 3)
        // Levels 40 and 220, as fractions of the way between the colours.
        for (x, share) in [(10, 40.0 / 255), (70, 220.0 / 255)] {
            let exact = zip([31.0, 41, 55], [167.0, 139, 250]).map { $0 + ($1 - $0) * share }
            for (index, level) in exact.enumerated() {
                #expect(abs(Double(pixels[x, 20][index]) - level) <= 3)
            }
        }
    }

    @Test("a duotone streams: a JPEG in bands has the picture of all rows at once")
    func streamsDuotone() throws {
        let file = Self.halves(width: 160, height: 480, components: 3)
        let target = RenderTarget(width: 120, format: .jpeg, quality: 100, effect: Self.duotone)
        let plan = try RenderPlan(file.header(), target: target)
        #expect(plan.streams && !plan.encodesPlanes)
        let streamed = try file.rendered(as: plan).bytes.pixels()
        let whole = try file.pixels(RenderTarget(width: 120, format: .png, effect: Self.duotone))
        let distance = try #require(streamed.distance(to: whole))
        #expect(distance <= 12, "but for the losses of JPEG")
    }

    @Test(
        "a blur smooths an edge over its width and keeps flat parts",
        arguments: OutputFormat.allCases.filter { $0 != .avif })
    func blurs(format: OutputFormat) throws {
        let file = Self.halves()
        let plan = try RenderPlan(file.header(), target: RenderTarget(format: format, effect: .blur))
        #expect(plan.size == (try OutputSize(width: 320, height: 160)))
        let pixels = try file.decoded(as: plan).planes(for: plan)[0]
        let levels = (0..<320).map { Int(pixels[$0, 80]) }
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 >= $0 - 1 }, "no halo beside the edge")
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 - $0 <= 16 }, "no edge is left")
        #expect(levels[0] < 60 && levels[319] > 200, "far from the edge nothing changes")
        #expect(abs(levels[160] - (levels[0] + levels[319]) / 2) <= 12)
    }

    @Test("a blur needs a small decode only")
    func decodesLittle() throws {
        let file = Self.halves(width: 1600, height: 800, components: 3)
        let sharp = try RenderPlan(file.header(), target: RenderTarget(width: 800, format: .jpeg))
        let blurred = try RenderPlan(file.header(), target: RenderTarget(width: 800, format: .jpeg, effect: .blur))
        #expect(blurred.scale < sharp.scale)
        #expect(blurred.workingBytes <= sharp.workingBytes)
        #expect(try file.rendered(as: blurred).encodedSize == [800, 400])
    }

    @Test("a blur has the same bytes with every kernel")
    func isTheSameWithEveryKernel() throws {
        let file = Self.halves(components: 3)
        let plan = try RenderPlan(file.header(), target: RenderTarget(width: 200, format: .jpeg, effect: .blur))
        let fastest = try file.rendered(as: plan)
        let portable = try file.rendered(as: plan, kernel: .portable)
        #expect(fastest.bytes == portable.bytes)
    }

    @Test("effects of crops and turned pictures have the crop's size", arguments: Orientation.allCases)
    func turns(orientation: Orientation) throws {
        let file = FramedRenderTests.file(orientation, components: 3, segments: [.jfif])
        for effect in [.blur, Self.duotone] as [RenderTarget.Effect] {
            for position in [.center, .attention, .entropy] as [RenderTarget.Position] {
                let target = RenderTarget(
                    width: 40, height: 40, fit: .cover, position: position, format: .jpeg, effect: effect)
                let plan = try RenderPlan(file.header(), target: target)
                #expect(try file.rendered(as: plan).encodedSize == [40, 40])
            }
        }
    }

    @Test("targets differ by their effects")
    func differ() throws {
        let effects: [RenderTarget.Effect?] = [
            nil, .blur, Self.duotone,
            .duotone(dark: RenderTarget.Colour(red: 31, green: 41, blue: 55), light: .white),
        ]
        let framings = try effects.map {
            try Framing(of: (width: 200, height: 300), as: RenderTarget(width: 100, format: .jpeg, effect: $0))
        }
        #expect(Set(framings).count == effects.count)
        #expect(Set(effects.compactMap { $0?.description }).count == 3)
        #expect(Self.duotone.description == "duotone 1f2937 a78bfa")
    }
}
