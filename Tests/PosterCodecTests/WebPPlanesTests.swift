import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct WebPPlanesTests {
    typealias Chunk = WebPFile.Chunk

    @Test(
        "an opaque lossy picture reaches the encoder as it was coded, whatever its size",
        arguments: [(1, 1), (2, 1), (1, 2), (3, 5), (15, 17), (16, 16), (17, 33), (33, 47), (64, 31)])
    func staysYCbCr(size: (Int, Int)) throws {
        let picture = FormulaPicture.gradient(width: size.0, height: size.1)
        let file = WebPFile(try .lossy(picture, quality: 100)).bytes
        guard case .planes(let planes) = try file.downsampled(width: nil) else {
            Issue.record("colours were converted")
            return
        }
        #expect(planes.map(\.width) == picture.planes.map(\.width))
        #expect(planes.map(\.height) == picture.planes.map(\.height))
        for (plane, expected) in zip(planes, picture.planes) {
            #expect(Compare.meanDistance(plane, expected) <= 1.5)
            #expect(Compare.maxDistance(plane, expected) <= 8)
        }
    }

    @Test("luma and chroma are stretched to full range where the format wants that")
    func stretchesRange() throws {
        let plain = FormulaPicture.plain(width: 20, height: 20, colour: .init(luma: 235, blue: 240, red: 16))
        let file = WebPFile(try .lossy(plain, quality: 100)).bytes
        guard case .planes(let planes) = try file.downsampled(width: 10, format: .jpeg) else {
            Issue.record("colours were converted")
            return
        }
        for (plane, value) in zip(planes, [255, 255, 0]) {
            #expect(plane.samples.prefix(plane.width).allSatisfy { abs(Int($0) - value) <= 2 })
        }
    }

    @Test(
        "shrinking while decoding keeps the picture, also of odd sizes",
        arguments: [(200, 300), (201, 301), (199, 299), (333, 77), (75, 331)], [4, 5, 7, 9])
    func shrinksWhileDecoding(size: (Int, Int), factor: Int) throws {
        let file = WebPFile(try .lossy(.waves(width: size.0, height: size.1))).bytes
        let plan = try file.plan(width: size.0 / factor, format: .webp)
        #expect(plan.scale.denominator > 1)
        guard case .planes(let shrunk) = try file.downsampled(as: plan),
            case .planes(let whole) = try file.downsampled(width: nil)
        else {
            Issue.record("colours were converted")
            return
        }
        var source = StoredPlanes(whole)
        let watch = RenderWatch(.init(), limits: .init())
        var decode = MultiTargetDecoder(control: .init(), watch: watch, kernel: .fastest, keepsPictures: true)
        try decode.run(&source, since: 0, plan: plan, for: [(0, plan)])
        guard case .planes(let expected) = try decode.takePicture() else {
            Issue.record("colours were converted")
            return
        }
        for (plane, other) in zip(shrunk, expected) {
            #expect(Compare.meanDistance(plane, other) < 1.5, "\(plane.width)×\(plane.height)")
            // A shift by half a sample would show at the gradients' edges.
            #expect(abs(Compare.meanDifference(plane, other)) < 0.6)
        }
    }

    @Test("a lossless picture comes back exactly", arguments: [(1, 1), (5, 3), (33, 47), (40, 16)])
    func decodesLossless(size: (Int, Int)) throws {
        func colour(_ x: Int, _ y: Int) -> Chunk.Pixel {
            (UInt8(7 * x & 255), UInt8(11 * y & 255), UInt8((x ^ y) * 5 & 255), 255)
        }
        let file = WebPFile(.lossless(size.0, size.1, colour)).bytes
        guard case .pixels(let pixels) = try file.downsampled(width: nil) else {
            Issue.record("colours were lost")
            return
        }
        #expect(pixels.channels == 3)
        let expected = (0..<size.1).flatMap { y in
            (0..<size.0).flatMap { x -> [UInt8] in
                let (red, green, blue, _) = colour(x, y)
                return [red, green, blue]
            }
        }
        #expect(pixels.samples == expected)
    }

    @Test("alpha comes back exactly, and opaque colours with it", arguments: [true, false])
    func decodesAlpha(isLossless: Bool) throws {
        let (width, height) = (21, 13)
        func alpha(_ x: Int, _ y: Int) -> UInt8 { UInt8(x < 3 ? 0 : x > 17 ? 255 : 12 * x + y) }
        let file: WebPFile
        if isLossless {
            file = WebPFile(.lossless(width, height, hasAlpha: true) { x, y in (100, 150, 50, alpha(x, y)) })
        } else {
            let samples = (0..<height).flatMap { y in (0..<width).map { alpha($0, y) } }
            let plain = FormulaPicture.plain(width: width, height: height, colour: .init(luma: 120, blue: 90, red: 110))
            file = WebPFile(.canvas(.alpha, width, height), .alpha(samples), try .lossy(plain))
        }
        guard case .pixels(let pixels) = try file.bytes.downsampled(width: nil) else {
            Issue.record("alpha was lost")
            return
        }
        #expect(pixels.channels == 4)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = pixels.samples[4 * (y * width + x)..<4 * (y * width + x) + 4]
                #expect(pixel.last == alpha(x, y))
                if isLossless, alpha(x, y) == 255 { #expect(Array(pixel) == [100, 150, 50, 255]) }
            }
        }
    }

    @Test("colours that cannot be seen do not bleed into those that can", arguments: [3, 10, 25])
    func hidesHiddenColours(width: Int) throws {
        let file = WebPFile(
            .lossless(100, 60, hasAlpha: true) { x, _ in x < 47 ? (255, 0, 0, 255) : (0, 255, 255, 0) })
        guard case .pixels(let pixels) = try file.bytes.downsampled(width: width) else {
            Issue.record("alpha was lost")
            return
        }
        var seen = 0
        for at in stride(from: 0, to: pixels.samples.count, by: 4) where pixels.samples[at + 3] > 40 {
            seen += 1
            let distances = zip(pixels.samples[at..<at + 3], [255, 0, 0]).map { abs(Int($0) - $1) }
            #expect(distances.allSatisfy { $0 <= 4 })
        }
        #expect(seen > 0)
    }

    @Test("an animation shows its first frame where it belongs, on nothing", arguments: [true, false])
    func showsFirstFrame(isLossless: Bool) throws {
        let (width, height) = (40, 50)
        let plain = FormulaPicture.plain(width: 9, height: 21, colour: .init(luma: 235, blue: 128, red: 128))
        let first: Chunk = isLossless ? .lossless(9, 21) { _, _ in (255, 255, 255, 255) } : try .lossy(plain)
        let second = Chunk.lossless(width, height) { _, _ in (1, 2, 3, 255) }
        let file = WebPFile(
            .canvas(.animation, width, height), Chunk("ANIM", [9, 9, 9, 9, 0, 0]), .frame(x: 12, y: 14, 9, 21, first),
            .frame(width, height, second))
        guard case .pixels(let pixels) = try file.bytes.downsampled(width: nil) else {
            Issue.record("alpha was lost")
            return
        }
        for y in 0..<height {
            for x in 0..<width {
                let isInside = (12..<21).contains(x) && (14..<35).contains(y)
                let pixel = pixels.samples[4 * (y * width + x)..<4 * (y * width + x) + 4]
                #expect(pixel.last == (isInside ? 255 : 0), "\(x), \(y)")
                if isInside { #expect(pixel.allSatisfy { $0 >= 252 }) }
            }
        }
    }

    @Test("an animation whose first frame is opaque and fills the canvas is shrunk like any picture")
    func shrinksOpaqueFrames() throws {
        let picture = Chunk.frame(80, 120, try .lossy(.waves(width: 80, height: 120)))
        let film = WebPFile(.canvas(.animation, 80, 120), picture, picture).bytes
        let still = WebPFile(try .lossy(.waves(width: 80, height: 120))).bytes
        for width in [10, 20, 80] {
            #expect(try film.rendered(width: width).bytes == still.rendered(width: width).bytes)
        }
    }

    @Test("the picture is turned as its EXIF data says", arguments: Orientation.allCases)
    func turns(orientation: Orientation) throws {
        let picture = Chunk.lossless(6, 4) { x, y in (UInt8(40 * x), UInt8(60 * y), 0, 255) }
        let file = WebPFile(.canvas(.exif, 6, 4), picture, .exif(orientation: UInt16(orientation.rawValue))).bytes
        guard case .pixels(let pixels) = try file.downsampled(width: nil) else { return }
        #expect((pixels.width, pixels.height) == (orientation.swapsSides ? (4, 6) : (6, 4)))
        // The stored upper left corner is black.
        let corner = (
            x: [.mirrored, .upsideDown, .transversed, .turnedLeft].contains(orientation) ? pixels.width - 1 : 0,
            y: [.upsideDown, .mirroredUpsideDown, .transversed, .turnedRight].contains(orientation)
                ? pixels.height - 1 : 0
        )
        let at = 3 * (corner.y * pixels.width + corner.x)
        #expect(pixels.samples[at..<at + 3].allSatisfy { $0 == 0 })
    }
}

/// Distances between planes of the same size.
private enum Compare {
    static func differences(_ a: Plane, _ b: Plane) -> [Int] {
        precondition((a.width, a.height) == (b.width, b.height))
        return (0..<a.height).flatMap { y in
            (0..<a.width).map { Int(a.samples[y * a.stride + $0]) - Int(b.samples[y * b.stride + $0]) }
        }
    }

    static func maxDistance(_ a: Plane, _ b: Plane) -> Int {
        Self.differences(a, b).map(abs).max() ?? 0
    }

    static func meanDistance(_ a: Plane, _ b: Plane) -> Double {
        let all = Self.differences(a, b)
        return Double(all.reduce(0) { $0 + abs($1) }) / Double(all.count)
    }

    static func meanDifference(_ a: Plane, _ b: Plane) -> Double {
        let all = Self.differences(a, b)
        return Double(all.reduce(0, +)) / Double(all.count)
    }
}

/// A source of complete 4:2:0 planes.
private struct StoredPlanes: ~Copyable, PlaneSource {
    private let planes: [Plane]
    private var row = 0
    let layout: PlaneLayout
    let colourTag = ColourTag.sRGB

    init(_ planes: [Plane]) {
        self.planes = planes
        self.layout = PlaneLayout(
            planes: planes.enumerated().map { index, plane in
                let part = index == 0 ? 1.0 : 0.5
                return PlaneLayout.PlaneShape(
                    width: plane.width, height: plane.height, rowBytes: plane.width, rowsPerGroup: index == 0 ? 2 : 1,
                    samplesPerPixel: (part, part))
            }, groupCount: planes[1].height, model: PlaneModel(colour: .yCbCr, isLimitedRange: true))
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        for (index, plane) in self.planes.enumerated() {
            let count = index == 0 ? 2 : 1
            for y in 0..<count where self.row * count + y < plane.height {
                for x in 0..<plane.width {
                    targets[index]![y * strides[index] + x] = plane.samples[(self.row * count + y) * plane.stride + x]
                }
            }
        }
        self.row += 1
        return true
    }

    mutating func finish() throws(CodecError) {}
}
