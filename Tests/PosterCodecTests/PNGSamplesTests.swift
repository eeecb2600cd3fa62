import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PNGSamplesTests {
    /// A combination of colour type, bit depth, interlacing and transparency.
    struct Kind: Sendable, CustomTestStringConvertible {
        let colourType, bitDepth: Int
        let isInterlaced: Bool
        /// Whether there is a tRNS chunk.
        let hasTransparency: Bool

        var testDescription: String {
            "type \(self.colourType), \(self.bitDepth) bits\(self.isInterlaced ? ", interlaced" : "")"
                + (self.hasTransparency ? ", tRNS" : "")
        }

        static let all: [Kind] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
            .sorted { $0.key < $1.key }.flatMap { type, depths in
                depths.flatMap { depth in
                    [false, true].flatMap { interlaced in
                        (type < 4 ? [false, true] : [false]).map {
                            Kind(colourType: type, bitDepth: depth, isInterlaced: interlaced, hasTransparency: $0)
                        }
                    }
                }
            }

        func file(width: Int, height: Int) -> PNGFile {
            var file = PNGFile(width: width, height: height, colourType: self.colourType, bitDepth: self.bitDepth)
            file.isInterlaced = self.isInterlaced
            guard self.hasTransparency else { return file }
            switch self.colourType {
            // The colour of the first pixel is the transparent one.
            case 0, 2:
                let key = (0..<file.channels).flatMap { PNGFile.number(file.stored(0, 0, $0)).suffix(2) }
                file.beforeData = [.init("tRNS", key)]
            default:
                let count = 1 << self.bitDepth
                file.beforeData = [.init("tRNS", (0..<count).map { UInt8(255 - $0 * 37 % 256) })]
            }
            return file
        }
    }

    /// Gray or red, green and blue of a pixel, and alpha if there is any; not premultiplied.
    static func pixel(of file: PNGFile, _ x: Int, _ y: Int) -> (colours: [Int], alpha: Int?) {
        let largest = Double(1 << file.bitDepth - 1)
        let stored = (0..<file.channels).map { file.stored(x, y, $0) }
        let scaled = stored.map { Int((Double($0) * 255 / largest).rounded()) }
        let transparency = file.beforeData.first { $0.type == "tRNS" }?.payload
        switch file.colourType {
        case 3:
            let colours = (0..<3).map { Int(file.palette?[3 * stored[0] + $0] ?? 0) }
            return (colours, transparency.map { stored[0] < $0.count ? Int($0[stored[0]]) : 255 })
        case 4, 6: return (Array(scaled.dropLast()), scaled.last)
        default:
            let key = transparency.map { bytes in
                stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
            }
            return (scaled, key.map { $0 == stored ? 0 : 255 })
        }
    }

    /// The planes that the reader must deliver.
    static func planes(of file: PNGFile) -> [[UInt8]] {
        var planes: [[UInt8]] = []
        for y in 0..<file.height {
            for x in 0..<file.width {
                let (colours, alpha) = Self.pixel(of: file, x, y)
                let samples =
                    if let alpha { colours.map { ($0 * alpha * 2 + 255) / 510 } + [alpha] } else { colours }
                if planes.isEmpty { planes = samples.map { _ in [] } }
                for index in samples.indices { planes[index].append(UInt8(samples[index])) }
            }
        }
        return planes
    }

    @Test("every kind of pixels gives the samples that were written", arguments: Kind.all)
    func decodes(_ kind: Kind) throws {
        for (width, height) in [(1, 1), (3, 2), (5, 9), (33, 17), (8, 8)] {
            let file = kind.file(width: width, height: height)
            let header = try file.bytes.header()
            #expect(header.format == .png && header.width == width && header.height == height)
            #expect(header.bitDepth == kind.bitDepth && header.isLossless && header.sampling.isEmpty)
            #expect(header.isProgressive == kind.isInterlaced && header.isMultiScan == kind.isInterlaced)
            #expect(header.hasAlpha == (kind.hasTransparency || kind.colourType >= 4))
            let expected: ImageHeader.ColourModel =
                kind.colourType == 3 ? .palette : kind.colourType & 2 == 0 ? .gray : .rgb
            #expect(header.colourModel == expected)
            let decoded = try PNGPlanes(file.bytes)
            let planes = Self.planes(of: file)
            #expect(decoded.planes == planes, "\(width)×\(height)")
            #expect(decoded.tag == .sRGB)
        }
    }

    @Test("all 65,536 levels of 16 bits are rounded")
    func roundsSixteenBits() throws {
        var file = PNGFile(width: 256, height: 256, colourType: 0, bitDepth: 16)
        file.sample = { x, y, _ in 256 * y + x }
        let gray = try PNGPlanes(file.bytes).planes[0]
        let expected = (0..<65_536).map { UInt8((Double($0) / 257).rounded()) }
        #expect(gray == expected)
    }

    @Test("colours are multiplied by alpha, rounded, for all pairs")
    func multipliesByAlpha() throws {
        var file = PNGFile(width: 256, height: 256, colourType: 4)
        file.sample = { x, y, channel in channel == 0 ? x : y }
        let decoded = try PNGPlanes(file.bytes)
        #expect(decoded.planes == Self.planes(of: file))
    }

    @Test("an index beyond the palette is black, and opaque")
    func showsBlack() throws {
        var file = PNGFile(width: 4, height: 1, colourType: 3, bitDepth: 2)
        file.palette = [10, 20, 30, 40, 50, 60]
        file.beforeData = [.init("tRNS", [0])]
        file.sample = { x, _, _ in x }
        let decoded = try PNGPlanes(file.bytes)
        #expect(decoded.planes == [[0, 40, 0, 0], [0, 50, 0, 0], [0, 60, 0, 0], [0, 255, 255, 255]])
    }

    @Test("hidden colours leave no fringe")
    func leavesNoFringe() throws {
        var file = PNGFile(width: 64, height: 64, colourType: 6)
        // Red beside transparent green.
        file.sample = { x, _, channel in x < 29 ? [255, 0, 0, 255][channel] : [0, 255, 0, 0][channel] }
        let picture = try file.bytes.rendered(width: 16, format: .png)
        let decoded = try PNGPlanes(picture.bytes)
        let edge = decoded.planes[3].filter { $0 > 0 && $0 < 255 }
        #expect(!edge.isEmpty, "the edge is between two pixels")
        #expect(decoded.planes[1].allSatisfy { $0 == 0 } && decoded.planes[2].allSatisfy { $0 == 0 })
        #expect(decoded.planes[0] == decoded.planes[3], "red as far as it can be seen")
    }

    @Test("data in chunks of any size, also empty ones, is the same", arguments: [1, 2, 3, 100])
    func joinsChunks(length: Int) throws {
        var file = PNGFile(width: 9, height: 5)
        let whole = try PNGPlanes(file.bytes).planes
        file.dataChunkLength = length
        file.beforeData = [.init("IDAT", []), .init("IDAT", [])]
        let inPieces = try PNGPlanes(file.bytes).planes
        #expect(inPieces == whole)
    }

    @Test("an animation shows its default image")
    func showsDefaultImage() throws {
        var file = PNGFile(width: 6, height: 6)
        let plain = try PNGPlanes(file.bytes).planes
        file.beforeData = [
            .init("acTL", PNGFile.number(7) + PNGFile.number(0)), .init("fcTL", [UInt8](repeating: 0, count: 26)),
        ]
        file.afterData = [
            .init("fcTL", [UInt8](repeating: 0, count: 26)), .init("fdAT", [UInt8](repeating: 9, count: 50)),
        ]
        let bytes = file.bytes
        #expect(try bytes.header().frameCount == 7)
        let planes = try PNGPlanes(bytes).planes
        #expect(planes == plain)
    }

    @Test("a number of frames that cannot be is none", arguments: [0, 0x8000_0001])
    func ignoresImpossibleFrameCounts(count: Int) throws {
        var file = PNGFile(width: 2, height: 2)
        file.beforeData = [.init("acTL", PNGFile.number(count) + PNGFile.number(0))]
        #expect(try file.bytes.header().frameCount == 1)
    }
}
