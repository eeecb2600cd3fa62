import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct WebPEncoderTests {
    static func encode(_ planes: [Plane], quality: Int = 80) throws(CodecError) -> [UInt8] {
        try WebPEncoder(quality: quality).encode(planes, watch: RenderWatch(.init(), limits: .init())).array
    }

    /// A plane of alpha: transparent on the left, opaque on the right.
    static func alpha(_ width: Int, _ height: Int) -> Plane {
        var plane = Plane(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                plane.samples[y * plane.stride + x] = UInt8(max(0, min(255, 20 * (x - width / 3) + y)))
            }
        }
        return plane
    }

    @Test("alpha survives exactly, and what can be seen keeps its colour", arguments: [(1, 1), (33, 47), (64, 40)])
    func keepsAlpha(size: (Int, Int)) throws {
        let (width, height) = size
        let picture = FormulaPicture.plain(width: width, height: height, colour: .init(luma: 150, blue: 100, red: 160))
        let alpha = Self.alpha(width, height)
        let file = try Self.encode(picture.planes + [alpha], quality: 95)
        let header = try file.header()
        #expect((header.width, header.height) == size)
        #expect(header.hasAlpha && header.colourModel == .yCbCr)
        guard case .pixels(let pixels) = try file.downsampled(width: nil) else {
            Issue.record("alpha was lost")
            return
        }
        // BT.601, limited range.
        let luma = 1.164 * (150.0 - 16)
        let expected = [luma + 1.596 * 32, luma - 0.392 * -28 - 0.813 * 32, luma + 2.017 * -28]
        for y in 0..<height {
            for x in 0..<width {
                let at = 4 * (y * width + x)
                let value = alpha.samples[y * alpha.stride + x]
                #expect(pixels.samples[at + 3] == value)
                guard value > 200 else { continue }
                for channel in 0..<3 { #expect(abs(Double(pixels.samples[at + channel]) - expected[channel]) < 6) }
            }
        }
    }

    @Test("the caller's planes stay as they were, though the encoder changes what cannot be seen")
    func leavesPlanesAlone() throws {
        let planes = FormulaPicture.gradient(width: 40, height: 40).planes + [Self.alpha(40, 40)]
        let before = planes.map(\.samples)
        _ = try Self.encode(planes)
        #expect(planes.map(\.samples) == before)
    }

    @Test("alpha that is opaque everywhere is left out")
    func leavesOpaqueAlphaOut() throws {
        let planes = FormulaPicture.gradient(width: 40, height: 40).planes
        let opaque = Plane(width: 40, height: 40, filledWith: 255)
        let file = try Self.encode(planes + [opaque])
        #expect(try file == Self.encode(planes))
        #expect(try !file.header().hasAlpha)
    }

    @Test("a gray picture has chroma without colour")
    func encodesGray() throws {
        let file = try Self.encode([Plane(width: 21, height: 13, filledWith: 77)])
        guard case .planes(let planes) = try file.downsampled(width: nil) else { return }
        #expect(planes.count == 3)
        #expect(planes.dropFirst().allSatisfy { $0.samples.prefix($0.width).allSatisfy { abs(Int($0) - 128) <= 1 } })
    }

    @Test("a render with alpha keeps it in WebP and loses it in JPEG")
    func rendersAlpha() throws {
        let file = WebPFile(
            .lossless(60, 80, hasAlpha: true) { x, y in (200, UInt8(2 * x), UInt8(3 * y), x < 30 ? 0 : 255) }
        ).bytes
        #expect(try file.rendered(width: 20, format: .webp).bytes.header().hasAlpha)
        #expect(try !file.rendered(width: 20, format: .jpeg).bytes.header().hasAlpha)
    }

    @Test("the encoder stops on request", arguments: [true, false])
    func stops(hasAlpha: Bool) {
        let stop = StopFlag()
        stop.raise()
        let planes = FormulaPicture.gradient(width: 80, height: 80).planes + (hasAlpha ? [Self.alpha(80, 80)] : [])
        #expect(throws: CodecError.stopped) {
            _ = try WebPEncoder(quality: 80).encode(
                planes, watch: RenderWatch(RenderControl(stop: stop), limits: .init()))
        }
    }
}
