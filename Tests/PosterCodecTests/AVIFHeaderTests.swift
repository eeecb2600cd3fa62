import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct AVIFHeaderTests {
    static let plain = EncodedAVIF()

    /// Four quarters: red, green, blue and white.
    static let quarters = EncodedAVIF(
        width: 48, height: 32, chroma: .s444,
        pixel: { x, y in
            [[[255, 0, 0, 255], [0, 255, 0, 255]], [[0, 0, 255, 255], [255, 255, 255, 255]]][y / 16][x / 24]
        })

    @Test("turns are anticlockwise, and the mirror follows them", arguments: 0..<4, [nil, 0, 1])
    func orients(turns: Int, mirror: Int?) throws {
        var shown = [["red", "green"], ["blue", "white"]]
        for _ in 0..<turns { shown = [[shown[0][1], shown[1][1]], [shown[0][0], shown[1][0]]] }
        if mirror == 0 { shown.reverse() }
        if mirror == 1 { shown = shown.map { $0.reversed() } }

        let turn = HEIFFile.box("irot", [UInt8(turns)])
        let properties = [turn] + (mirror.map { [HEIFFile.box("imir", [UInt8($0)])] } ?? [])
        let bytes = HEIFFile(try HEIFFile.Cell(Self.quarters), adding: properties).bytes
        let pixels = try bytes.pixels()
        #expect((pixels.width, pixels.height) == (turns % 2 == 0 ? (48, 32) : (32, 48)))
        func name(_ pixel: [UInt8]) -> String {
            pixel[0] > 128 ? pixel[1] > 128 ? "white" : "red" : pixel[1] > 128 ? "green" : "blue"
        }
        let (right, bottom) = (pixels.width - 8, pixels.height - 8)
        let corners = [[pixels[8, 8], pixels[right, 8]], [pixels[8, bottom], pixels[right, bottom]]]
        #expect(corners.map { $0.map(name) } == shown)
    }

    /// A clean aperture of whole pixels.
    static func aperture(_ width: Int, _ height: Int, across: (Int, Int), down: (Int, Int)) -> [UInt8] {
        let numbers = [width, 1, height, 1, across.0, across.1, down.0, down.1]
        return HEIFFile.box("clap", numbers.flatMap { PNGFile.number(Int(UInt32(truncatingIfNeeded: $0))) })
    }

    @Test("a clean aperture is cut out before the picture is turned")
    func cuts() throws {
        let cell = try HEIFFile.Cell(Self.plain)
        let whole = try HEIFFile(cell).bytes.pixels()
        // Starts at column 4, row 10.
        let aperture = Self.aperture(20, 12, across: (-11, 1), down: (-3, 1))
        let file = HEIFFile(cell, adding: [aperture])
        let header = try file.bytes.header()
        #expect((header.width, header.height) == (20, 12))
        let pixels = try file.bytes.pixels()
        for (x, y) in [(3, 3), (10, 6), (16, 8)] {
            #expect(zip(pixels[x, y], whole[x + 4, y + 10]).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        }
        let turned = HEIFFile(cell, adding: [aperture, HEIFFile.box("irot", [1])])
        #expect(try turned.bytes.header().uprightSize == (12, 20))
    }

    @Test(
        "a clean aperture that divides samples of chroma is cut out of enlarged chroma",
        arguments: EncodedAVIF.Chroma.allCases, [(5, 7), (4, 7), (5, 10), (29, 25), (0, 1)])
    func cutsBetweenChroma(chroma: EncodedAVIF.Chroma, origin: (Int, Int)) throws {
        let cell = try HEIFFile.Cell(EncodedAVIF(chroma: chroma))
        let whole = try HEIFFile(cell).bytes.pixels()
        let (left, top) = origin
        // The picture has 50×38 pixels.
        let aperture = Self.aperture(21, 13, across: (2 * left - 29, 2), down: (2 * top - 25, 2))
        let bytes = HEIFFile(cell, adding: [aperture]).bytes
        let header = try bytes.header()
        #expect((header.width, header.height) == (21, 13))
        let isDivided = chroma == .s420 && (left % 2 == 1 || top % 2 == 1) || chroma == .s422 && left % 2 == 1
        if isDivided { #expect(header.subsampling == "4:4:4") }
        let pixels = try bytes.pixels()
        for y in 0..<13 {
            for x in 0..<21 {
                // The whole picture's chroma is upsampled by another filter.
                let distances = zip(pixels[x, y], whole[x + left, y + top]).map { abs(Int($0) - Int($1)) }
                #expect(distances.max() ?? 255 <= 6, "\(x), \(y)")
            }
        }
        for format in [OutputFormat.jpeg, .webp] {
            let size = try bytes.rendered(width: 16, format: format).size
            #expect((size.width, size.height) == (16, 10))
        }
    }

    @Test("a description of size 0 extends to the end of the file, and so does its last box")
    func readsOpenBoxes() throws {
        var file = HEIFFile(try HEIFFile.Cell(Self.plain))
        file.items[0].isInBox = true
        // Without the empty box at the end.
        let closed = Array(file.bytes.dropLast(8))
        let start = try #require(closed.indices.first { closed[$0...].starts(with: "meta".utf8) }) - 4
        let last = try #require(closed.indices.last { closed[$0...].starts(with: "idat".utf8) }) - 4
        var bytes = closed
        bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0])
        for _ in 0..<2 {
            #expect(try bytes.header() == closed.header())
            #expect(try bytes.pixels().distance(to: closed.pixels()) == 0)
            var probe = IncrementalProbe(limits: .init())
            try bytes.withUnsafeBytes { _ = try probe.receive($0) }
            #expect(probe.finding == .incomplete, "where it ends is not known before the file has")
            for count in [start + 20, last - 5, last + 4] {
                let prefix = Array(bytes.prefix(count))
                #expect(throws: CodecError.truncated, "\(count) bytes") { try prefix.header() }
            }
            bytes.replaceSubrange(last..<last + 4, with: [0, 0, 0, 0])
        }
        #expect(throws: CodecError.self) { try Array(bytes.dropLast(20)).header() }
    }

    @Test(
        "an impossible clean aperture is refused",
        arguments: [
            (20, 12, 100, 1, CodecError.damaged(reason: "a HEIF with an impossible clean aperture")),
            (52, 12, 0, 1, .damaged(reason: "a HEIF with an impossible clean aperture")),
            (0, 12, 0, 1, .damaged(reason: "a HEIF with an impossible clean aperture")),
            (20, 12, 1, 3, .damaged(reason: "a HEIF with an impossible clean aperture")),
            (20, 12, 0, 0, .damaged(reason: "a HEIF with an impossible clean aperture")),
        ])
    func refusesApertures(
        width: Int, height: Int, numerator: Int, denominator: Int, error: CodecError
    ) throws {
        let aperture = Self.aperture(width, height, across: (numerator, denominator), down: (0, 1))
        let bytes = HEIFFile(try HEIFFile.Cell(Self.plain), adding: [aperture]).bytes
        #expect(throws: error) { try bytes.header() }
    }

    @Test("the header is the same whatever arrives at once", arguments: [1, 7, 100, 5000])
    func readsPieces(count: Int) throws {
        let files = [
            Self.plain, EncodedAVIF(width: 128, height: 64, hasAlpha: true, grid: (2, 1)), EncodedAVIF(frameCount: 2),
        ]
        for bytes in files.map(\.bytes) {
            var probe = IncrementalProbe(limits: .init())
            for start in stride(from: 0, to: bytes.count, by: count) {
                try bytes[start..<min(start + count, bytes.count)].withUnsafeBytes { _ = try probe.receive($0) }
            }
            guard case .header(var found) = probe.finding else {
                Issue.record("no header")
                return
            }
            let whole = try bytes.header()
            found.frameCount = whole.frameCount
            #expect(found.coding?.heldPictures == nil && whole.coding?.heldPictures != nil)
            #expect(found.coding?.colours == whole.coding?.colours)
            found.coding = whole.coding
            #expect(found == whole)
        }
    }

    @Test("without code points the colours are those of the data, of which the beginning suffices")
    func readsSequenceHeaders() throws {
        var properties = try HEIFFile.Cell(EncodedAVIF(isFullRange: false, colours: (1, 13, 1)))
        let file = HEIFFile(properties).bytes
        let range = try #require(file.indices.last { file[$0...].starts(with: "mdat".utf8) }) + 4
        guard case .needsMoreBytes(let count) = try Array(file.prefix(range)).probed() else {
            Issue.record("the data was not read")
            return
        }
        #expect((range + 1...range + 256).contains(count))
        guard case .header(let header) = try Array(file.prefix(count)).probed() else {
            Issue.record("more was read")
            return
        }
        #expect(header.coding?.isPlain == false)
        properties = try HEIFFile.Cell(EncodedAVIF(colours: (1, 13, 6)))
        #expect(try HEIFFile(properties).bytes.header().coding?.isPlain == true)
    }

    @Test(
        "tiles are counted", arguments: [(0, 0, 1), (1, 0, 2), (0, 1, 2), (2, 1, 6), (6, 6, 24)])
    func countsTiles(across: Int, down: Int, count: Int) throws {
        let file = EncodedAVIF(width: 330, height: 250, tiles: (across: across, down: down))
        #expect(try file.bytes.header().coding?.tileCount == count)
    }

    @Test("items, cells, references, units and pictures have limits, which hold before anything is decoded")
    func holdsLimits() throws {
        let cell = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64))
        let grid = HEIFFile(cell, columns: 4, rows: 2).bytes
        func refuses(_ bytes: [UInt8], _ error: CodecError, _ change: (inout CodecLimits) -> Void) {
            var limits = CodecLimits()
            change(&limits)
            #expect(throws: error) { try bytes.header(limits: limits) }
        }
        #expect(try grid.header().width == 256)
        refuses(grid, .overLimit(.gridCells, value: 8, limit: 7)) { $0.maxGridCells = 7 }
        refuses(grid, .overLimit(.items, value: 9, limit: 8)) { $0.maxItems = 8 }
        refuses(grid, .overLimit(.codedUnits, value: 2, limit: 1)) { $0.maxCodedUnits = 1 }
        refuses(grid, .overLimit(.codedPictures, value: 1, limit: 0)) { $0.maxCodedPictures = 0 }
        refuses(grid, .overLimit(.pixels, value: 256 * 128, limit: 1000)) { $0.maxPixels = 1000 }
        refuses(grid, .overLimit(.width, value: 256, limit: 255)) { $0.maxWidth = 255 }

        var linked = HEIFFile(cell)
        linked.references = [("cdsc", 1, [Int](repeating: 1, count: 80))]
        refuses(linked.bytes, .overLimit(.itemReferences, value: 81, limit: 80)) { $0.maxItems = 10 }
        var described = HEIFFile(cell)
        described.properties += [[UInt8]](repeating: HEIFFile.size(1, 1), count: 9)
        refuses(described.bytes, .overLimit(.itemProperties, value: 11, limit: 10)) { $0.maxItems = 10 }

        var vast = HEIFFile(cell)
        vast.properties[0] = HEIFFile.size(1 << 30, 1 << 30)
        let bytes = vast.bytes
        #expect(throws: CodecError.overLimit(.width, value: 1 << 30, limit: 65_500)) { try bytes.header() }
        var repeated = cell.data
        while repeated.count < 9 * cell.data.count { repeated += cell.data }
        var pictures = HEIFFile(cell)
        pictures.items[0].data = repeated
        let many = pictures.bytes
        #expect(throws: CodecError.overLimit(.codedPictures, value: 9, limit: 8)) { try many.header() }
    }

    static let contradictions: [(name: String, change: @Sendable (inout HEIFFile) -> Void)] = [
        ("no primary item", { $0.primary = 7 }),
        ("no size", { $0.items[0].properties = [2] }),
        ("no coding", { $0.items[0].properties = [1] }),
        ("an impossible size", { $0.properties[0] = HEIFFile.size(Int(UInt32.max), Int(UInt32.max)) }),
        ("no pixels", { $0.properties[0] = HEIFFile.size(0, 5) }),
        ("another size than is coded", { $0.properties[0] = HEIFFile.size(51, 38) }),
        ("another depth than is coded", { $0.properties[1] = HEIFFile.box("av1C", [0x81, 0, 0x4C, 0]) }),
        ("another subsampling than is coded", { $0.properties[1] = HEIFFile.box("av1C", [0x81, 0x20, 0, 0]) }),
        ("a size that is too short", { $0.properties[0] = HEIFFile.fullBox("ispe", [0, 0, 0]) }),
        ("two items of one number", { $0.items.append($0.items[0]) }),
        ("data that is no AV1", { $0.items[0].data = [UInt8](repeating: 0xFF, count: 100) }),
        (
            "no sequence header",
            { file in
                // Turns it into padding.
                if let start = file.items[0].data.firstIndex(of: 0x0A) { file.items[0].data[start] = 0x7A }
            }
        ),
        ("half of the data", { $0.items[0].data = Array($0.items[0].data.prefix($0.items[0].data.count / 2)) }),
        (
            "alpha of another size",
            {
                $0.properties += [HEIFFile.alpha, HEIFFile.size(10, 10)]
                $0.items.append(.init(id: 2, data: $0.items[0].data, properties: [4, 2, 3]))
                $0.references = [("auxl", 2, [1])]
            }
        ),
        (
            "a grid of itself",
            {
                $0.items[0] = .init(id: 1, kind: "grid", data: HEIFFile.grid(2, 1, 50, 38), properties: [1])
                $0.references = [("dimg", 1, [1])]
            }
        ),
        (
            "a grid without cells",
            {
                $0.items[0] = .init(id: 1, kind: "grid", data: HEIFFile.grid(2, 1, 50, 38), properties: [1])
            }
        ),
        (
            "a grid of missing cells",
            {
                $0.items[0] = .init(id: 1, kind: "grid", data: HEIFFile.grid(1, 1, 50, 38), properties: [1])
                $0.references = [("dimg", 1, [9])]
            }
        ),
        (
            "a grid that is too short",
            {
                $0.items[0] = .init(id: 1, kind: "grid", data: [0, 1, 0, 0, 0], properties: [1])
            }
        ),
        (
            "a box beyond its container",
            { $0.before = HEIFFile.fullBox("meta", [0, 0, 0, 99] + Array("pitm".utf8)) }
        ),
        ("a box of impossible size", { $0.before = [0, 0, 0, 7] + Array("free".utf8) }),
    ]

    @Test("a file that contradicts itself is refused before it is decoded", arguments: contradictions.indices)
    func refusesContradictions(index: Int) throws {
        var file = HEIFFile(try HEIFFile.Cell(Self.plain))
        Self.contradictions[index].change(&file)
        let bytes = file.bytes
        let error = #expect(throws: CodecError.self) { try bytes.header() }
        switch error {
        case .damaged, .unsupported: break
        default: Issue.record("\(Self.contradictions[index].name): \(String(describing: error))")
        }
    }

    @Test("items of other codecs, in other files and of other items are not supported")
    func refusesForeignItems() throws {
        let plain = HEIFFile(try HEIFFile.Cell(Self.plain))
        for (kind, name) in [
            ("hvc1", "AVIF of an item that is neither AV1 nor a grid"),
            ("iden", "AVIF of an item that is neither AV1 nor a grid"),
        ] {
            var file = plain
            file.items[0].kind = kind
            let bytes = file.bytes
            #expect(throws: CodecError.unsupported(name)) { try bytes.probed() }
        }
        var file = plain
        file.properties.append(HEIFFile.box("what", [1]))
        file.items[0].properties.append(3)
        #expect(try file.bytes.header().width == 50, "optional")
        file.items[0].areEssential = true
        let bytes = file.bytes
        #expect(throws: CodecError.unsupported("AVIF with an unknown essential property")) {
            try bytes.header()
        }
    }

    @Test("data that ends too early is truncated, wherever it is cut off")
    func refusesPrefixes() throws {
        let bytes = EncodedAVIF(width: 30, height: 20, hasAlpha: true).bytes
        let plan = try bytes.plan(width: 11)
        for count in 16..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            #expect(throws: CodecError.truncated, "\(count) bytes") { try prefix.header() }
            #expect(throws: CodecError.truncated, "\(count) bytes") { try prefix.downsampled(as: plan) }
        }
        #expect(try (bytes + Array("<html>".utf8)).header() == bytes.header())
    }

    @Test("metadata behind the picture's data, and tracks, may be cut off or damaged")
    func ignoresMissingMetadata() throws {
        let cell = try HEIFFile.Cell(Self.plain)
        var file = HEIFFile(cell)
        let whole = try file.bytes.pixels()
        file.items.append(.init(id: 2, kind: "Exif", data: [UInt8](repeating: 0, count: 90)))
        let bytes = file.bytes
        for missing in [1, 50, 90] {
            #expect(try Array(bytes.dropLast(missing)).pixels().distance(to: whole) == 0, "\(missing) bytes less")
        }
        #expect(throws: CodecError.truncated) { try Array(bytes.dropLast(91)).header() }
        let movie = HEIFFile.box("moov", HEIFFile.box("trak", [UInt8](repeating: 1, count: 90)))
        let open = [0, 0, 0, 0] + movie[4..<80]
        for tracks in [movie, Array(movie[..<80]), open] {
            #expect(try (HEIFFile(cell).bytes + tracks).pixels().distance(to: whole) == 0)
        }
    }

    @Test("an animation whose later frames are cut off is shown")
    func ignoresLaterFrames() throws {
        let bytes = EncodedAVIF(frameCount: 3).bytes
        let end = try bytes.withUnsafeBytes { buffer in
            var parser = HEIFParser(buffer, resuming: .init(.av1), limits: .init(), isWhole: true)
            return try parser.checkToEnd().layout.end
        }
        #expect(end < bytes.count)
        let prefix = Array(bytes.prefix(end))
        #expect(try prefix.header() == bytes.header())
        #expect(try prefix.pixels().distance(to: bytes.pixels()) == 0)
    }

    @Test("properties of an item are read once, however many references to cells it has")
    func readsManyReferences() throws {
        let cell = try HEIFFile.Cell(EncodedAVIF(width: 64, height: 64))
        var file = HEIFFile(cell, columns: 16, rows: 16)
        let size = file.properties.count
        file.properties += [HEIFFile.box("auxC", [0, 0, 0, 0] + Array("depth\0".utf8)), HEIFFile.alpha]
        let depth = [Int](repeating: size + 1, count: 255)
        file.items.append(.init(id: 300, data: [1], properties: depth))
        file.items.append(.init(id: 301, data: [1], properties: [1, 2, size + 2]))
        // All cells are one item; its alpha is the last auxiliary item.
        file.references = [("dimg", 1, [Int](repeating: 2, count: 256))]
        for _ in 0..<3000 { file.references.append(("auxl", 300, [2])) }
        file.references.append(("auxl", 301, [2]))
        let bytes = file.bytes
        let start = Self.threadSeconds()
        guard case .header(let header) = try bytes.probed() else { throw CodecError.truncated }
        #expect(header.hasAlpha)
        #expect(Self.threadSeconds() - start < 5)
    }

    /// The CPU time of this thread.
    private static func threadSeconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec
    }

    @Test("flipped bits throw or give a picture of the planned size", arguments: 0..<3)
    func survivesFlippedBits(index: Int) throws {
        let file = [
            EncodedAVIF(width: 30, height: 20), EncodedAVIF(width: 30, height: 20, depth: 10, hasAlpha: true),
            EncodedAVIF(width: 128, height: 64, grid: (2, 1)),
        ][index].bytes
        let plan = try file.plan(width: 11)
        var random = SeededRandom(seed: UInt64(index))
        var limits = CodecLimits()
        limits.maxPixels = 1 << 18
        for turn in 0..<800 {
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
            _ = try? bytes.downsampled(as: plan, limits: limits)
        }
    }
}
