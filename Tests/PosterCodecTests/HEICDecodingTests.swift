import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct HEICDecodingTests {
    /// sRGB's primaries and curve, the matrix of BT.601, full range.
    static let plain = HEIFFile.colours(1, 13, 6)

    /// Maximum distance of any pixel's red, green and blue from the encoded ones.
    private static func distance(
        _ pixels: PixelBuffer, left: Int = 0, top: Int = 0, channels: Int = 3
    ) -> Int {
        var most = 0
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let expected = HEVCSample.pixel(left + x, top + y)
                for (found, value) in zip(pixels[x, y].prefix(channels), expected) {
                    most = max(most, abs(Int(found) - value))
                }
            }
        }
        return most
    }

    @Test(
        "every subsampling and depth is decoded",
        arguments: HEVCSample.allCases.filter { $0 != .alpha && $0 != .described })
    func decodes(sample: HEVCSample) throws {
        let bytes = HEIFFile(sample.cell, adding: [Self.plain]).bytes
        let header = try bytes.header()
        #expect(header.format == .heic && (header.width, header.height) == (sample.width, sample.height))
        let isGray = sample == .gray || sample == .deepGray
        #expect(header.colourModel == (isGray ? .gray : .yCbCr) && !header.hasAlpha)
        switch sample {
        case .deepest: #expect(header.bitDepth == 12)
        case .deep420, .deep422, .deep444, .deepGray: #expect(header.bitDepth == 10)
        default: #expect(header.bitDepth == 8)
        }
        switch sample {
        case .gray, .deepGray: #expect(header.subsampling == nil)
        case .s422, .deep422: #expect(header.subsampling == "4:2:2")
        case .s444, .deep444: #expect(header.subsampling == "4:4:4")
        default: #expect(header.subsampling == "4:2:0")
        }
        #expect((header.coding?.tileCount ?? 0 > 1) == (sample == .sliced))
        #expect(Self.distance(try bytes.pixels(), channels: isGray ? 1 : 3) <= 12, "\(sample)")
    }

    @Test("without code points, the colours are those of the sequence parameter set")
    func readsUsabilityInformation() throws {
        let described = HEVCSample.described.cell
        // As x265 writes them for heif-enc.
        let plain = HEVCSample.s444.cell
        let found = try [described, plain].map { cell in
            try HEIFFile(cell).bytes.withLayout { $0.colours }
        }
        #expect(found[0] == CodePoints(primaries: 12, transfer: 1, matrix: 1, isFullRange: true))
        #expect(found[1] == CodePoints(primaries: 2, transfer: 2, matrix: 6, isFullRange: true))
        let tagged = HEIFFile(described, adding: [HEIFFile.colours(12, 1, 1)]).bytes
        #expect(try HEIFFile(described).bytes.pixels().distance(to: tagged.pixels()) == 0)
        #expect(try tagged.withLayout { $0.colours.isFullRange })
    }

    @Test("an ICC profile takes the place of code points")
    func readsProfiles() throws {
        let profile = ICCProfile.displayP3().bytes
        let property = HEIFFile.box("colr", Array("prof".utf8) + profile)
        let bytes = HEIFFile(HEVCSample.s420.cell, adding: [Self.plain, property]).bytes
        #expect(try bytes.header().profileBytes == profile.count)
        let converted = HEIFFile(HEVCSample.s420.cell, adding: [HEIFFile.colours(12, 13, 6)]).bytes
        #expect(try bytes.pixels().distance(to: converted.pixels()) ?? 255 <= 3)
    }

    @Test("alpha is an auxiliary item", arguments: [HEVCSample.s420, .s444, .deep420])
    func decodesAlpha(sample: HEVCSample) throws {
        let file = try Self.withAlpha(sample)
        let header = try file.bytes.header()
        #expect(header.hasAlpha)
        let pixels = try file.bytes.pixels()
        #expect(pixels.channels == 4)
        for (x, y) in [(3, 3), (20, 10), (60, 50)] {
            #expect(abs(Int(pixels[x, y][3]) - (40 + 3 * x)) <= 4)
        }
        #expect(Self.distance(pixels) <= 24)
    }

    static func withAlpha(_ sample: HEVCSample) throws -> HEIFFile {
        var file = HEIFFile(sample.cell, adding: [Self.plain])
        let alpha = HEVCSample.alpha.cell
        file.properties += alpha.properties + [HEIFFile.alpha]
        file.items.append(.init(id: 2, kind: "hvc1", data: alpha.data, properties: [4, 5, 6]))
        file.references = [("auxl", 2, [1])]
        return file
    }

    @Test("a grid is put together from its cells", arguments: [(128, 128), (100, 70), (65, 65)])
    func decodesGrids(size: (Int, Int)) throws {
        let single = try HEIFFile(HEVCSample.s420.cell).bytes.pixels()
        let bytes = HEIFFile(HEVCSample.s420.cell, columns: 2, rows: 2, width: size.0, height: size.1).bytes
        #expect(try bytes.header().coding?.colours.columns == 2)
        let pixels = try bytes.pixels()
        #expect((pixels.width, pixels.height) == size)
        for (x, y) in [(5, 5), (30, 20), (size.0 - 1, size.1 - 1)] {
            let expected = single[x % 64, y % 64]
            // Chroma is upsampled across cell borders.
            let most = (x, y) == (30, 20) || (x, y) == (5, 5) ? 1 : 90
            #expect(zip(pixels[x, y], expected).allSatisfy { abs(Int($0) - Int($1)) <= most }, "\(x), \(y)")
        }
    }

    @Test("a clean aperture is cut out before the picture is turned, and then mirrored")
    func transforms() throws {
        let (left, top) = (6, 4)
        let aperture = AVIFHeaderTests.aperture(20, 12, across: (left - 22, 1), down: (top - 26, 1))
        let cut = HEIFFile(HEVCSample.s444.cell, adding: [Self.plain, aperture]).bytes
        #expect(Self.distance(try cut.pixels(), left: left, top: top) <= 12)
        let turns = [HEIFFile.box("irot", [1]), HEIFFile.box("imir", [1])]
        let bytes = HEIFFile(HEVCSample.s444.cell, adding: [Self.plain, aperture] + turns).bytes
        let pixels = try bytes.pixels()
        #expect((pixels.width, pixels.height) == (12, 20))
        for (x, y) in [(0, 0), (11, 3), (5, 19)] {
            // Anticlockwise by a quarter, then left and right exchanged.
            let expected = HEVCSample.pixel(left + 19 - y, top + 11 - x)
            #expect(zip(pixels[x, y], expected).allSatisfy { abs(Int($0) - $1) <= 12 }, "\(x), \(y)")
        }
    }

    @Test("the item may lack one column and row of the coded picture, as chroma is subsampled")
    func cutsOddSides() throws {
        var cell = HEVCSample.s420.cell
        cell.properties[0] = HEIFFile.size(63, 63)
        let bytes = HEIFFile(cell, adding: [Self.plain]).bytes
        #expect(try bytes.header().width == 63)
        #expect(Self.distance(try bytes.pixels()) <= 12)
    }

    @Test("a stopped render ends before the next slice is decoded")
    func stopsBetweenSlices() throws {
        let bytes = HEIFFile(HEVCSample.sliced.cell, columns: 2, rows: 2).bytes
        let plan = try bytes.plan(width: 20)
        let questions = Questions()
        _ = try bytes.downsampled(as: plan, control: questions.control)
        #expect(questions.count >= 12)
        for moment in 1..<questions.count {
            let questions = Questions(raisingAt: moment)
            #expect(throws: CodecError.stopped) { try bytes.downsampled(as: plan, control: questions.control) }
        }
    }
}

extension [UInt8] {
    /// Calls `body` with the layout of a HEIC.
    func withLayout<Result>(_ body: (HEIFLayout) -> Result) throws -> Result {
        try self.withUnsafeBytes { buffer in
            var parser = HEIFParser(buffer, resuming: .init(.hevc), limits: .init(), isWhole: true)
            return body(try parser.checkToEnd().layout)
        }
    }
}
