import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct AVIFDecodingTests {
    static let kinds: [EncodedAVIF] = [8, 10, 12].flatMap { depth in
        EncodedAVIF.Chroma.allCases.flatMap { chroma in
            [true, false].flatMap { isFullRange in
                [false, true].map { hasAlpha in
                    EncodedAVIF(depth: depth, chroma: chroma, isFullRange: isFullRange, hasAlpha: hasAlpha)
                }
            }
        }
    }

    @Test(
        "every depth, subsampling and range is decoded like libavif converts it, with and without alpha",
        arguments: kinds)
    func decodesKinds(file: EncodedAVIF) throws {
        let bytes = file.bytes
        let header = try bytes.header()
        #expect((header.width, header.height, header.bitDepth) == (file.width, file.height, file.depth))
        #expect(header.colourModel == (file.chroma == .gray ? .gray : .yCbCr))
        #expect(header.subsampling == (file.chroma == .gray ? nil : file.chroma.rawValue))
        #expect(header.hasAlpha == file.hasAlpha)
        #expect(header.frameCount == 1 && header.orientation == .upright)
        let reference = try #require(EncodedAVIF.reference(bytes))
        let distance = try bytes.pixels().rgba.visibleDistance(to: reference)
        // libavif upsamples chroma with another filter, and converts some formats with few bits.
        #expect(distance ?? 255 <= 6, "\(file)")
    }

    @Test(
        "every matrix is applied", arguments: [1, 4, 5, 6, 7, 8, 9, 2],
        [EncodedAVIF.Chroma.s444, .s420])
    func appliesMatrices(matrix: Int, chroma: EncodedAVIF.Chroma) throws {
        let file = EncodedAVIF(chroma: chroma, isFullRange: matrix % 2 == 0, colours: (1, 13, matrix))
        // The source pixels, as libavif converts some matrices with few bits.
        let original = PixelBuffer(width: file.width, height: file.height, channels: 4) { x, y in
            file.pixel(x, y).prefix(3).map(UInt8.init) + [255]
        }
        let distance = try file.bytes.pixels().rgba.visibleDistance(to: original)
        #expect(distance ?? 255 <= (chroma == .s444 ? 4 : 7))
        // A JPEG has BT.601's matrix, whatever the source's.
        let jpeg = try file.bytes.rendered(width: nil, format: .jpeg).bytes.pixels().rgba
        let second = jpeg.visibleDistance(to: original)
        #expect(second ?? 255 <= 24)
    }

    @Test("a matrix derived from primaries needs those of a known matrix; unspecified ones are those of BT.709")
    func derivesMatrices() throws {
        func matrix(_ primaries: Int) throws -> YCbCrMatrix {
            try CodePoints(primaries: primaries, transfer: 13, matrix: 12, isFullRange: true).yCbCrMatrix()
        }
        #expect(try matrix(1) == .bt709 && matrix(2) == .bt709 && matrix(9) == .bt2020 && matrix(12) == .displayP3)
        #expect(throws: CodecError.unsupported("colours with the matrix 12 of ITU-T H.273")) { try matrix(11) }
    }

    @Test("green, blue and red are decoded as such", arguments: [8, 10], [false, true])
    func decodesRGB(depth: Int, hasAlpha: Bool) throws {
        let bytes = EncodedAVIF(depth: depth, chroma: .s444, hasAlpha: hasAlpha, colours: (1, 13, 0)).bytes
        #expect(try bytes.header().colourModel == .rgb)
        let reference = try #require(EncodedAVIF.reference(bytes))
        #expect(try bytes.pixels().rgba.visibleDistance(to: reference) ?? 255 <= (hasAlpha ? 2 : 1))
    }

    @Test("colours that are multiplied by alpha are not multiplied again", arguments: EncodedAVIF.Chroma.allCases)
    func decodesPremultiplied(chroma: EncodedAVIF.Chroma) throws {
        let file = EncodedAVIF(chroma: chroma, hasAlpha: true, isPremultiplied: true)
        let bytes = file.bytes
        let reference = try #require(EncodedAVIF.reference(bytes))
        #expect(try bytes.pixels().rgba.visibleDistance(to: reference) ?? 255 <= 8)
    }

    @Test("luma and chroma of BT.601 reach the encoder without a conversion of colours")
    func staysYCbCr() throws {
        let plain = EncodedAVIF(width: 64, height: 64, pixel: { _, _ in [200, 100, 50, 255] })
        for format in [OutputFormat.jpeg, .webp] {
            guard case .planes(let planes) = try plain.bytes.downsampled(width: 32, format: format) else {
                Issue.record("colours were converted")
                return
            }
            #expect(planes.count == 3)
        }
        var other = plain
        other.colours.2 = 1
        guard case .pixels = try other.bytes.downsampled(width: 32, format: .jpeg) else {
            Issue.record("BT.709 was taken for BT.601")
            return
        }
    }

    @Test("primaries of other spaces and profiles are converted to sRGB")
    func convertsPrimaries() throws {
        let plain = EncodedAVIF(chroma: .s444, colours: (12, 13, 6), pixel: { _, _ in [200, 100, 50, 255] })
        let converted = try plain.bytes.pixels()
        var profiled = plain
        profiled.colours = (2, 2, 6)
        profiled.profile = ICCProfile.displayP3().bytes
        #expect(try profiled.bytes.header().hasICCProfile)
        #expect(try profiled.bytes.header().profileBytes == profiled.profile.count)
        let pixel = converted[10, 10]
        // Display P3's red is beyond sRGB's.
        #expect(pixel[0] > 205 && pixel[1] < 100)
        let distance = try profiled.bytes.pixels().distance(to: converted)
        #expect(distance ?? 255 <= 3)
    }

    @Test("curves and matrices that are not supported are refused by name")
    func refusesCodePoints() throws {
        for (colours, name) in [((1, 9, 6), "transfer curve 9"), ((1, 17, 6), "transfer curve 17")] {
            let bytes = EncodedAVIF(colours: colours).bytes
            let error = CodecError.unsupported("colours with the \(name) of ITU-T H.273")
            #expect(throws: error) { try bytes.probed() }
            #expect(throws: error) { try bytes.header() }
        }
        let bytes = HEIFFile(try HEIFFile.Cell(EncodedAVIF()), adding: [HEIFFile.colours(9, 16, 14)]).bytes
        #expect(throws: CodecError.unsupported("colours with the matrix 14 of ITU-T H.273")) { try bytes.header() }
    }

    /// A grid of two cells; the first `alphas.count` have an alpha item, each of one level.
    private static func grid(alphas: [Int], arePremultiplied: Bool = false) throws -> HEIFFile {
        let colour = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64, pixel: { _, _ in [50, 50, 50, 255] }))
        var file = HEIFFile()
        file.properties = colour.properties + [HEIFFile.size(128, 64)]
        file.items = [.init(id: 1, kind: "grid", data: HEIFFile.grid(2, 1, 128, 64), properties: [3], isInBox: true)]
        for id in 2...3 { file.items.append(.init(id: id, data: colour.data, properties: [1, 2])) }
        file.references = [("dimg", 1, [2, 3])]
        for (index, level) in alphas.enumerated() {
            let alpha = try HEIFFile.Cell(
                EncodedAVIF(width: 64, height: 64, chroma: .gray, pixel: { _, _ in [level, level, level, 255] }))
            if index == 0 { file.properties += alpha.properties + [HEIFFile.alpha] }
            file.items.append(.init(id: 4 + index, data: alpha.data, properties: [4, 5, 6]))
            file.references.append(("auxl", 4 + index, [2 + index]))
            if arePremultiplied { file.references.append(("prem", 2 + index, [4 + index])) }
        }
        return file
    }

    @Test("alpha of a grid may be items of its cells", arguments: [false, true])
    func decodesAlphaByCell(isPremultiplied: Bool) throws {
        let bytes = try Self.grid(alphas: [100, 200], arePremultiplied: isPremultiplied).bytes
        let header = try bytes.header()
        #expect(header.hasAlpha && header.coding?.alpha?.columns == 2)
        let pixels = try bytes.pixels()
        for (x, alpha) in [(20, 100), (100, 200)] {
            let pixel = pixels[x, 30].map(Int.init)
            #expect(abs(pixel[3] - alpha) <= 2)
            #expect(abs(pixel[0] - (isPremultiplied ? 50 * 255 / alpha : 50)) <= 4)
        }
    }

    @Test("alpha of some cells only is ignored")
    func ignoresPartialAlpha() throws {
        let bytes = try Self.grid(alphas: [100]).bytes
        #expect(try !bytes.header().hasAlpha)
        #expect(try bytes.pixels().channels == 3)
    }

    @Test(
        "a grid is put together from its cells", arguments: EncodedAVIF.Chroma.allCases, [false, true])
    func decodesGrids(chroma: EncodedAVIF.Chroma, hasAlpha: Bool) throws {
        let file = EncodedAVIF(
            width: 192, height: 128, chroma: chroma, hasAlpha: hasAlpha, grid: (3, 2),
            pixel: { x, y in [x, 2 * y, 40 + x / 2, 255 - y] })
        let bytes = file.bytes
        let header = try bytes.header()
        #expect((header.width, header.height) == (192, 128))
        #expect(header.coding?.colours.columns == 3 && header.coding?.colours.rows == 2)
        let reference = try #require(EncodedAVIF.reference(bytes))
        #expect(try bytes.pixels().rgba.visibleDistance(to: reference) ?? 255 <= 8)
    }

    @Test("cells may reach beyond the picture", arguments: [(100, 70), (65, 65), (128, 66)])
    func cutsGrids(size: (Int, Int)) throws {
        let cell = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64, pixel: { x, y in [4 * x, 4 * y, 90, 255] }))
        let single = try HEIFFile(cell).bytes.pixels()
        let bytes = HEIFFile(cell, columns: 2, rows: 2, width: size.0, height: size.1).bytes
        let pixels = try bytes.pixels()
        #expect((pixels.width, pixels.height) == size)
        for (x, y) in [(0, 0), (63, 20), (64, 64), (size.0 - 1, size.1 - 1)] {
            let expected = single[x % 64, y % 64]
            // Chroma is upsampled across cell borders.
            #expect(zip(pixels[x, y], expected).allSatisfy { abs(Int($0) - Int($1)) <= 60 }, "\(x), \(y)")
        }
        #expect(zip(pixels[20, 20], single[20, 20]).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test("the first frame of an animation is decoded, and frames are counted", arguments: [false, true])
    func decodesAnimations(hasAlpha: Bool) throws {
        let bytes = EncodedAVIF(hasAlpha: hasAlpha, frameCount: 3).bytes
        let header = try bytes.header()
        #expect(header.frameCount == 3 && header.hasAlpha == hasAlpha)
        let reference = try #require(EncodedAVIF.reference(bytes))
        #expect(try bytes.pixels().rgba.visibleDistance(to: reference) ?? 255 <= 6)
        // Without items, the tracks are read.
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "meta".utf8) })
        var tracks = bytes
        tracks.replaceSubrange(start..<start + 4, with: "free".utf8)
        #expect(try tracks.header().frameCount == 3)
        #expect(try tracks.pixels().rgba.visibleDistance(to: reference) ?? 255 <= 6)
        var limits = CodecLimits()
        limits.maxFrames = 2
        #expect(throws: CodecError.overLimit(.frames, value: 3, limit: 2)) { try bytes.header(limits: limits) }
    }

    @Test("data in several parts, and in the description itself, is found", arguments: [1, 2, 5], [false, true])
    func joinsParts(parts: Int, isInBox: Bool) throws {
        let cell = try HEIFFile.Cell(EncodedAVIF())
        var file = HEIFFile(cell)
        let expected = try file.bytes.pixels()
        (file.items[0].parts, file.items[0].isInBox) = (parts, isInBox)
        #expect(try file.bytes.header().coding?.joinedBytes == (parts > 1 ? cell.data.count : 0))
        #expect(try file.bytes.pixels().distance(to: expected) == 0)
    }

    @Test("a stopped render ends before the next cell is decoded")
    func stopsBetweenCells() throws {
        let cell = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64))
        let bytes = HEIFFile(cell, columns: 2, rows: 4).bytes
        let plan = try bytes.plan(width: 20)
        let questions = Questions()
        _ = try bytes.downsampled(as: plan, control: questions.control)
        #expect(questions.count >= 8)
        for moment in 1..<questions.count {
            let questions = Questions(raisingAt: moment)
            #expect(throws: CodecError.stopped) { try bytes.downsampled(as: plan, control: questions.control) }
        }
    }
}
