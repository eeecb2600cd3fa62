import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct GIFTests {
    static let index: @Sendable (Int, Int) -> Int = { x, y in (x / 2 + 3 * y) % 16 }

    static func file(
        width: Int = 37, height: Int = 29, colours: Int = 16, change: (inout GIFFile.Picture) -> Void = { _ in }
    ) -> GIFFile {
        var picture = GIFFile.Picture(width: width, height: height, index: { (x, y) in Self.index(x, y) % colours })
        change(&picture)
        return GIFFile(width: width, height: height, palette: GIFFile.palette(colours), pictures: [picture])
    }

    static func expected(_ file: GIFFile, _ x: Int, _ y: Int) -> [UInt8] {
        let picture = file.pictures[0]
        let (column, row) = (x - picture.left, y - picture.top)
        guard (0..<picture.width).contains(column), (0..<picture.height).contains(row) else { return [0, 0, 0, 0] }
        let index = picture.index(column, row)
        if let transparent = picture.transparentIndex, Int(transparent) == index { return [0, 0, 0, 0] }
        let palette = picture.palette.isEmpty ? file.palette : picture.palette
        guard 3 * index + 2 < palette.count else { return [0, 0, 0, 255] }
        return Array(palette[3 * index..<3 * index + 3]) + [255]
    }

    func expectShown(_ file: GIFFile, width: Int, height: Int, hasAlpha: Bool) throws {
        let header = try file.bytes.header()
        #expect(header.format == .gif && header.colourModel == .palette && header.isLossless)
        #expect((header.width, header.height) == (width, height))
        #expect(header.hasAlpha == hasAlpha)
        let pixels = try file.bytes.pixels()
        #expect(pixels.channels == (hasAlpha ? 4 : 3))
        let all = pixels.rgba
        for y in 0..<height {
            for x in 0..<width { #expect(all[x, y] == Self.expected(file, x, y), "\(x), \(y)") }
        }
    }

    @Test(
        "every pixel has its colour, whatever the number of colours", arguments: [2, 4, 8, 16, 64, 256], [false, true])
    func decodes(colours: Int, isInterlaced: Bool) throws {
        let file = Self.file(colours: colours) { $0.isInterlaced = isInterlaced }
        try self.expectShown(file, width: 37, height: 29, hasAlpha: false)
        let header = try file.bytes.header()
        #expect(1 << header.bitDepth == colours && header.isProgressive == isInterlaced)
        #expect(header.isMultiScan == isInterlaced && header.frameCount == 1)
    }

    @Test("interlaced pictures of few rows have all of them", arguments: [1, 2, 3, 4, 5, 7, 8, 9])
    func decodesShortInterlaced(height: Int) throws {
        try self.expectShown(
            Self.file(height: height) { $0.isInterlaced = true }, width: 37, height: height, hasAlpha: false)
    }

    @Test("a transparent index, and the canvas beside the picture, are transparent")
    func decodesTransparency() throws {
        try self.expectShown(Self.file { $0.transparentIndex = 3 }, width: 37, height: 29, hasAlpha: true)
        var file = Self.file {
            ($0.left, $0.top, $0.transparentIndex) = (5, 3, 2)
            $0.palette = GIFFile.palette(32).reversed()
        }
        (file.width, file.height) = (50, 40)
        try self.expectShown(file, width: 50, height: 40, hasAlpha: true)
        file.pictures[0].transparentIndex = nil
        file.pictures[0].isInterlaced = true
        try self.expectShown(file, width: 50, height: 40, hasAlpha: true)
    }

    @Test("a picture beyond the screen enlarges it")
    func enlargesCanvas() throws {
        var file = Self.file { ($0.left, $0.top) = (4, 0) }
        (file.width, file.height) = (10, 10)
        try self.expectShown(file, width: 41, height: 29, hasAlpha: true)
        file.pictures[0].left = 0
        (file.width, file.height) = (0, 0)
        try self.expectShown(file, width: 37, height: 29, hasAlpha: false)
    }

    @Test("codes that grow, and tables that are full, are understood", arguments: [2, 4, 8], [false, true])
    func decodesCompressed(codeSize: Int, isNoise: Bool) throws {
        var random = SeededRandom(seed: UInt64(codeSize))
        let (width, height) = (160, 120)
        let indices = (0..<width * height).map { place in
            isNoise ? Int.random(in: 0..<1 << codeSize, using: &random) : place / 50 % (1 << codeSize)
        }
        var file = Self.file(width: width, height: height, colours: 1 << codeSize) { picture in
            picture.index = { x, y in indices[y * width + x] }
        }
        file.pictures[0].data = GIFFile.compressed(indices, codeSize: codeSize)
        try self.expectShown(file, width: width, height: height, hasAlpha: false)
    }

    @Test("other blocks are passed over, and frames are counted")
    func countsFrames() throws {
        var file = Self.file()
        file.pictures += [file.pictures[0], file.pictures[0]]
        let comment = [0x21, 0xFE] + GIFFile.subBlocks([UInt8](repeating: 65, count: 700))
        var bytes = file.bytes
        bytes.insert(contentsOf: comment, at: 13 + file.palette.count)
        #expect(try bytes.header().frameCount == 3)
        #expect(try bytes.pixels().distance(to: Self.file().bytes.pixels()) == 0)
        var limits = CodecLimits()
        limits.maxFrames = 2
        #expect(throws: CodecError.overLimit(.frames, value: 3, limit: 2)) { try bytes.header(limits: limits) }
        #expect(try (bytes + [1, 2, 3]).header() == bytes.header(), "bytes after the end")
        // The header is the same for pieces of any size.
        for count in [1, 13, 300] {
            var probe = IncrementalProbe(limits: .init())
            for start in stride(from: 0, to: bytes.count, by: count) {
                try bytes[start..<min(start + count, bytes.count)].withUnsafeBytes { _ = try probe.receive($0) }
            }
            guard case .header(var found) = probe.finding else {
                Issue.record("no header")
                return
            }
            found.frameCount = 3
            #expect(try found == bytes.header())
        }
    }

    @Test("cut off before its last pixel, a GIF is truncated; cut off after it, it is shown", arguments: [false, true])
    func decidesByPixels(isInterlaced: Bool) throws {
        let bytes = Self.file { $0.isInterlaced = isInterlaced }.bytes
        let plan = try bytes.plan(width: 11)
        let whole = try bytes.downsampled(as: plan).pixels()
        // The last data byte holds only the end code; the two bytes after it end data and file.
        for count in 6..<bytes.count - 3 {
            let prefix = Array(bytes.prefix(count))
            #expect(throws: CodecError.truncated, "\(count) bytes") { try prefix.header() }
            #expect(throws: CodecError.truncated, "\(count) bytes") { try prefix.downsampled(as: plan) }
        }
        for count in bytes.count - 2..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            #expect(try prefix.header() == bytes.header(), "\(count) bytes")
            #expect(try prefix.downsampled(as: plan).pixels().distance(to: whole) == 0, "\(count) bytes")
        }
    }

    @Test("what follows the first picture may be cut off, and only whole pictures count")
    func showsTheFirstOfSeveral() throws {
        var file = Self.file()
        let first = file.bytes.count - file.end.count
        file.pictures += [file.pictures[0], file.pictures[0]]
        let bytes = file.bytes
        let picture = (bytes.count - first - file.end.count) / 2
        let whole = try bytes.pixels()
        for (count, frames) in [
            (first, 1), (first + 5, 1), (first + 100, 1), (first + picture - 1, 1), (first + picture, 2),
            (bytes.count - 1, 3),
        ] {
            let prefix = Array(bytes.prefix(count))
            #expect(try prefix.header().frameCount == frames, "\(count) bytes")
            #expect(try prefix.pixels().distance(to: whole) == 0, "\(count) bytes")
        }
    }

    @Test("code sizes larger than the palette needs are understood", arguments: [8, 9, 10, 11], [false, true])
    func decodesLargeCodes(codeSize: Int, isInterlaced: Bool) throws {
        var file = Self.file { $0.isInterlaced = isInterlaced }
        let (width, height) = (file.width, file.height)
        let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        let indices = passes.flatMap { first, step in
            stride(from: first, to: height, by: step).flatMap { y in (0..<width).map { x in Self.index(x, y) } }
        }
        file.pictures[0].data = GIFFile.data(indices, codeSize: codeSize)
        try self.expectShown(file, width: width, height: height, hasAlpha: false)
    }

    static let damages: [(name: String, data: [UInt8])] = [
        ("codes of no bits", [0] + GIFFile.subBlocks([1, 2, 3])),
        ("codes that are too long", [12] + GIFFile.subBlocks([1, 2, 3])),
        ("no data", [4, 0]),
        ("the end before the picture's", [4] + GIFFile.subBlocks(GIFFile.packed([16, 1, 17], length: 5))),
        ("data that ends before the picture", [4] + GIFFile.subBlocks(GIFFile.packed([16, 1, 2], length: 5))),
        ("a code that is not defined", [4] + GIFFile.subBlocks(GIFFile.packed([16, 1, 25], length: 5))),
        ("a first code that is not defined", [4] + GIFFile.subBlocks(GIFFile.packed([16, 18, 1], length: 5))),
    ]

    @Test("data that makes no picture is damaged", arguments: damages.indices, [false, true])
    func refusesDamage(index: Int, isInterlaced: Bool) throws {
        let bytes = Self.file {
            $0.data = Self.damages[index].data
            $0.isInterlaced = isInterlaced
        }.bytes
        #expect(try bytes.header().width == 37)
        let error = #expect(throws: CodecError.self) { try bytes.pixels() }
        guard case .damaged = error else {
            Issue.record("\(Self.damages[index].name): \(String(describing: error))")
            return
        }
    }

    @Test("a GIF without palette, pixels or picture is damaged")
    func refusesContradictions() throws {
        var none = Self.file()
        none.palette = []
        var empty = Self.file()
        (empty.pictures[0].width, empty.pictures[0].data) = (0, [4, 0])
        var nothing = Self.file()
        nothing.pictures = []
        var unknown = nothing
        unknown.end = [0x42]
        for bytes in [none.bytes, empty.bytes, nothing.bytes, unknown.bytes] {
            let error = #expect(throws: CodecError.self) { try bytes.probed() }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("an index without a colour is black, and the first code may come without a clear code")
    func toleratesSloppiness() throws {
        let file = Self.file(colours: 4) {
            $0.index = { x, _ in x % 8 }
            $0.data = GIFFile.data((0..<37 * 29).map { $0 % 37 % 8 }, codeSize: 3)
        }
        try self.expectShown(file, width: 37, height: 29, hasAlpha: false)
        let short = Self.file(width: 3, height: 1, colours: 4) {
            $0.index = { x, _ in x }
            $0.data = [2] + GIFFile.subBlocks(GIFFile.packed([0, 1, 2, 5], length: 3))
        }
        try self.expectShown(short, width: 3, height: 1, hasAlpha: false)
    }

    @Test("flipped bits throw or give a picture of the planned size", arguments: [false, true])
    func survivesFlippedBits(isInterlaced: Bool) throws {
        let file = Self.file {
            $0.isInterlaced = isInterlaced
            $0.transparentIndex = 1
        }.bytes
        var random = SeededRandom(seed: isInterlaced ? 1 : 2)
        var limits = CodecLimits()
        limits.maxPixels = 1 << 18
        for turn in 0..<1500 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = turn % 2 == 0 ? turn / 2 % bytes.count : Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            do {
                let picture = try bytes.rendered(width: 11, limits: limits)
                let header = try picture.bytes.header()
                #expect((header.width, header.height) == (picture.size.width, picture.size.height))
            } catch {
                #expect(error != .stopped && error != .outOfMemory)
            }
        }
    }

    @Test("a decoder can be stopped between rows, also of an interlaced picture", arguments: [false, true])
    func stops(isInterlaced: Bool) throws {
        let bytes = Self.file { $0.isInterlaced = isInterlaced }.bytes
        let plan = try bytes.plan(width: 10)
        let whole = Questions()
        _ = try bytes.downsampled(as: plan, control: whole.control)
        #expect(whole.count > 7)
        for moment in 1..<whole.count {
            let questions = Questions(raisingAt: moment)
            #expect(throws: CodecError.stopped) { try bytes.downsampled(as: plan, control: questions.control) }
        }
    }
}
