import CodecTesting
import Testing

@testable import PosterCodec

/// AVIFs encoded by `avifenc`, compared with the decodes of `avifdec`.
@Suite(.computingThread, .enabled(if: AVIFTools.areInstalled, "avifenc and avifdec are not installed"))
struct AVIFToolsTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let arguments: String
        var hasAlpha = false
        var pictureCount = 1
        var size = (width: 96, height: 64)
        var profile: [UInt8] = []
        /// Minimum signal-to-noise ratio, in decibels.
        var floor = 40.0

        var testDescription: String { "\(self.arguments)\(self.hasAlpha ? ", alpha" : "")" }

        /// The input files. Each of several pictures is darker than the previous one.
        var pictures: [[UInt8]] {
            (0..<self.pictureCount).map { index in
                var file = PNGFile(width: self.size.width, height: self.size.height, colourType: self.hasAlpha ? 6 : 2)
                file.sample = { x, y, channel in
                    // A mark in one corner reveals the orientation.
                    if channel < 3, (6..<30).contains(x), (4..<20).contains(y) { return [200, 40, 30][channel] }
                    let samples = [2 * x, 3 * y, 40 + x / 2 + y, 255 - x - y]
                    return max(0, min(255, samples[channel] - (channel < 3 ? 20 * index : 0)))
                }
                return file.bytes
            }
        }
    }

    static let kinds: [Call] = [8, 10, 12].flatMap { depth in
        ["400", "420", "422", "444"].flatMap { chroma in
            ["full", "limited"].flatMap { range in
                [false, true].map { hasAlpha in
                    var call = Call(arguments: "-d \(depth) -y \(chroma) -r \(range)", hasAlpha: hasAlpha)
                    // avifdec 0.11 does not expand limited-range luma where it leaves the conversion to libyuv.
                    if (depth, chroma, range, hasAlpha) == (8, "400", "limited", false) { call.floor = 30 }
                    return call
                }
            }
        }
    }

    static let others: [Call] =
        [1, 2, 5, 6, 7, 9, 12].map { Call(arguments: "-y 444 --cicp 1/13/\($0)") } + [
            Call(arguments: "-y 420 -r limited --cicp 1/13/1"), Call(arguments: "-y 444 --cicp 1/13/0"),
            Call(arguments: "--lossless", floor: 98), Call(arguments: "--lossless", hasAlpha: true, floor: 50),
            Call(arguments: "--premultiply -y 444", hasAlpha: true), Call(arguments: "--premultiply", hasAlpha: true),
            Call(arguments: "--premultiply -y 420 -d 10", hasAlpha: true),
            Call(arguments: "-y 420", profile: ICCProfile.displayP3().bytes),
            Call(arguments: "-y 444 -d 10", profile: ICCProfile.adobeRGB().bytes),
            Call(arguments: "-g 2x1 -y 444", pictureCount: 2), Call(arguments: "-g 2x2 -y 420", pictureCount: 4),
            Call(arguments: "-g 2x2 -y 420 -d 10", hasAlpha: true, pictureCount: 4),
            Call(arguments: "-y 420", pictureCount: 3), Call(arguments: "-y 444", hasAlpha: true, pictureCount: 2),
            Call(arguments: "-y 420 --tilerowslog2 1 --tilecolslog2 1", size: (520, 300)),
            Call(arguments: "-y 420 -a film-grain-test=1", size: (128, 96)), Call(arguments: "-y 420 -c rav1e"),
            Call(arguments: "-y 420", size: (1, 1)), Call(arguments: "-y 420", hasAlpha: true, size: (33, 17)),
            Call(arguments: "-y 422 -d 10 -r limited", size: (65, 3)),
        ]

    @Test("what avifenc makes is decoded as by avifdec", arguments: kinds + others)
    func decodes(call: Call) throws {
        try AVIFTools.inFolder { tools in
            let bytes = try tools.encode(call.pictures, call.arguments.words, profile: call.profile)
            let reference = try tools.decode(bytes)
            let decibels = try bytes.pixels().rgba.visibleDecibels(against: reference.pixels().rgba) ?? 0
            #expect(decibels >= call.floor, "\(decibels) dB")
            // Sequences of opaque pictures have alpha, too.
            #expect(try bytes.header().hasAlpha == reference.header().hasAlpha)
        }
    }

    static let shown = (0..<4).flatMap { turns in
        ["", "--imir 0", "--imir 1"].flatMap { mirror in
            ["", "--crop 6,4,50,40"].map { "--irot \(turns) \(mirror) \($0)" }
        }
    }

    @Test("a picture is cut, turned and mirrored as avifenc was asked to", arguments: shown)
    func shows(arguments: String) throws {
        let call = Call(arguments: "-y 444")
        try AVIFTools.inFolder { tools in
            // avifdec applies neither rotation nor mirror nor crop.
            let plain = try tools.decode(tools.encode(call.pictures, call.arguments.words)).pixels().rgba
            let words = arguments.words
            var expected = plain
            if words.contains("--crop") {
                expected = PixelBuffer(width: 50, height: 40, channels: 4) { x, y in plain[x + 6, y + 4] }
            }
            for _ in 0..<(Int(words[1]) ?? 0) { expected = expected.turnedAnticlockwise }
            if let at = words.firstIndex(of: "--imir") { expected = expected.mirrored(axis: words[at + 1]) }
            let pixels = try tools.encode(call.pictures, call.arguments.words + words).pixels().rgba
            let decibels = try #require(pixels.visibleDecibels(against: expected))
            #expect(decibels >= 40, "\(decibels) dB")
        }
    }

    @Test(
        "what is not shown is refused by name",
        arguments: [
            ("-y 444 --cicp 1/17/6", "colours with the transfer curve 17 of ITU-T H.273"),
            ("-d 10 --cicp 10/13/6", "colours with the primaries 10 of ITU-T H.273"),
        ])
    func refuses(arguments: String, reason: String) throws {
        let bytes = try AVIFTools.inFolder { try $0.encode(Call(arguments: "").pictures, arguments.words) }
        #expect(throws: CodecError.unsupported(reason)) { try bytes.header() }
    }
}

extension String {
    fileprivate var words: [String] { self.split(separator: " ").map(String.init) }
}

extension PixelBuffer {
    fileprivate var turnedAnticlockwise: PixelBuffer {
        PixelBuffer(width: self.height, height: self.width, channels: 4) { x, y in self[self.width - 1 - y, x] }
    }

    /// - Parameter axis: "0" exchanges top and bottom, "1" left and right.
    fileprivate func mirrored(axis: String) -> PixelBuffer {
        PixelBuffer(width: self.width, height: self.height, channels: 4) { x, y in
            axis == "0" ? self[x, self.height - 1 - y] : self[self.width - 1 - x, y]
        }
    }
}
