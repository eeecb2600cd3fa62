import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct JPEGHeaderTests {
    struct File: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    static let wholeFiles: [File] = {
        let picture = FormulaPicture.gradient(width: 33, height: 21)
        let segments: [JPEGSegment] = [
            .comment(byteCount: 300), .exif(orientation: 6), .icc, .adobe(transform: 1), .comment(byteCount: 0),
        ]
        return [
            File(testDescription: "baseline", bytes: try! picture.jpeg()),
            File(testDescription: "progressive", bytes: try! picture.jpeg(isProgressive: true)),
            File(
                testDescription: "many segments",
                bytes: segments.reversed().reduce(try! picture.jpeg()) { $0.splicing($1) }),
            File(testDescription: "blocks", bytes: BlockJPEG(width: 40, height: 24).bytes),
        ]
    }()

    @Test("every prefix gives the whole header, or asks for more bytes than there are", arguments: wholeFiles)
    func isIncremental(_ file: File) throws {
        let header = try file.bytes.header()
        var answers = 0
        for count in 0...file.bytes.count {
            switch try Array(file.bytes.prefix(count)).probed() {
            case .header(let early):
                #expect(early == header, "after \(count) bytes")
                answers += 1
            case .needsMoreBytes(let least):
                #expect(least > count, "after \(count) bytes")
                #expect(answers == 0, "once there is an answer, it stays")
            }
        }
        #expect(answers > 0)
    }

    @Test("asking again with the bytes that were asked for comes to an end soon", arguments: wholeFiles)
    func asksForWholeSegments(_ file: File) throws {
        var count = ImageFormat.prefixLength
        var rounds = 0
        while case .needsMoreBytes(let least) = try Array(file.bytes.prefix(count)).probed() {
            count = least
            rounds += 1
        }
        #expect(rounds <= 40)
    }

    @Test("size, depth and coding are in the header", arguments: [false, true])
    func describesTheFrame(isProgressive: Bool) throws {
        let header = try FormulaPicture.gradient(width: 1234, height: 5).jpeg(isProgressive: isProgressive).header()
        #expect(header.format == .jpeg)
        #expect((header.width, header.height) == (1234, 5))
        #expect(header.bitDepth == 8)
        #expect(header.isProgressive == isProgressive)
        #expect(header.isMultiScan == isProgressive)
        #expect(header.colourModel == .yCbCr)
        #expect(header.orientation == .upright)
        #expect((header.hasAlpha, header.frameCount, header.hasICCProfile) == (false, 1, false))
    }

    @Test("a baseline file with a scan for each component is of several scans")
    func countsTheComponentsOfTheFirstScan() throws {
        var file = BlockJPEG(width: 20, height: 20)
        #expect(try !file.bytes.header().isMultiScan)
        file.isInterleaved = false
        let header = try file.bytes.header()
        #expect(header.isMultiScan)
        #expect(!header.isProgressive)
    }

    @Test(
        "subsampling has its usual name, or lists the factors",
        arguments: [
            ([(1, 1), (1, 1), (1, 1)], "4:4:4"),
            ([(2, 1), (1, 1), (1, 1)], "4:2:2"),
            ([(2, 2), (1, 1), (1, 1)], "4:2:0"),
            ([(1, 2), (1, 1), (1, 1)], "4:4:0"),
            ([(4, 1), (1, 1), (1, 1)], "4:1:1"),
            ([(4, 2), (1, 1), (1, 1)], "4:1:0"),
            ([(2, 2), (2, 1), (1, 2)], "2x2,2x1,1x2"),
            ([(1, 1), (2, 2), (1, 1)], "1x1,2x2,1x1"),
            ([(3, 1), (1, 1), (1, 1)], "3x1,1x1,1x1"),
            ([(2, 2)], nil),
        ] as [([(Int, Int)], String?)]
    )
    func namesTheSubsampling(factors: [(Int, Int)], name: String?) throws {
        let header = try BlockJPEG(width: 16, height: 16, factors: factors).bytes.header()
        #expect(header.subsampling == name)
        #expect(header.sampling.map(\.horizontal) == factors.map(\.0))
        #expect(header.sampling.map(\.vertical) == factors.map(\.1))
    }

    /// The segments before the frame, the components' identifiers, and the expected colour model.
    struct Clues: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var segments: [JPEGSegment] = []
        var ids: [UInt8] = [1, 2, 3]
        let model: ImageHeader.ColourModel
    }

    @Test(
        "colours follow from JFIF, Adobe's segment and the identifiers, in that order",
        arguments: [
            Clues(testDescription: "nothing", model: .yCbCr),
            Clues(testDescription: "JFIF", segments: [.jfif], model: .yCbCr),
            Clues(testDescription: "Adobe 0", segments: [.adobe(transform: 0)], model: .rgb),
            Clues(testDescription: "Adobe 1", segments: [.adobe(transform: 1)], model: .yCbCr),
            Clues(testDescription: "Adobe with an unknown transform", segments: [.adobe(transform: 9)], model: .yCbCr),
            Clues(testDescription: "Adobe 0, then JFIF", segments: [.adobe(transform: 0), .jfif], model: .yCbCr),
            Clues(testDescription: "JFIF, then Adobe 0", segments: [.jfif, .adobe(transform: 0)], model: .yCbCr),
            Clues(
                testDescription: "Adobe 0 and a JFIF segment that is too short",
                segments: [.adobe(transform: 0), JPEGSegment(0xE0, Array("JFIF\0".utf8) + [1, 1])], model: .rgb),
            Clues(testDescription: "called R, G and B", ids: Array("RGB".utf8), model: .rgb),
            Clues(testDescription: "JFIF and called RGB", segments: [.jfif], ids: Array("RGB".utf8), model: .yCbCr),
            Clues(
                testDescription: "Adobe 1 and called RGB", segments: [.adobe(transform: 1)], ids: Array("RGB".utf8),
                model: .yCbCr),
            Clues(testDescription: "strange identifiers", ids: [0, 0x22, 0x7F], model: .yCbCr),
            Clues(testDescription: "one component", segments: [.adobe(transform: 1)], ids: [1], model: .gray),
            Clues(testDescription: "four components", ids: [1, 2, 3, 4], model: .cmyk),
            Clues(testDescription: "4 and Adobe 0", segments: [.adobe(transform: 0)], ids: [1, 2, 3, 4], model: .cmyk),
            Clues(testDescription: "4 and Adobe 2", segments: [.adobe(transform: 2)], ids: [1, 2, 3, 4], model: .ycck),
        ]
    )
    func findsTheColourModel(_ clues: Clues) throws {
        var file = BlockJPEG(width: 16, height: 16, factors: clues.ids.map { _ in (1, 1) })
        for (index, id) in clues.ids.enumerated() { file.components[index].id = id }
        file.segments = clues.segments
        #expect(try file.bytes.header().colourModel == clues.model)
    }

    @Test("segments may come in any order, and comments between them do not matter", arguments: 0..<24)
    func readsSegmentsInAnyOrder(permutation: Int) throws {
        var rest: [JPEGSegment] = [.exif(orientation: 8), .icc, .adobe(transform: 0), .comment(byteCount: 5)]
        var ordered: [JPEGSegment] = []
        var number = permutation
        while !rest.isEmpty {
            ordered.append(rest.remove(at: number % rest.count))
            number /= rest.count + 1
        }
        var file = BlockJPEG(width: 16, height: 16)
        file.segments = ordered
        let header = try file.bytes.header()
        #expect(header.orientation == .turnedRight)
        #expect(header.hasICCProfile)
        #expect(header.colourModel == .rgb)
    }

    @Test("bytes between segments and fill bytes before a marker are skipped")
    func skipsStrayBytes() throws {
        let file = BlockJPEG(width: 16, height: 16).bytes
        let tables = 2 + 4 + 65
        #expect(file[tables] == 0xFF)
        let stray = Array(file.prefix(tables)) + [0, 1, 2, 0xFF, 0xFF] + Array(file.dropFirst(tables))
        #expect(try stray.header() == file.header())
    }
}

@Suite(.computingThread) struct OrientationTests {
    @Test("EXIF gives the orientation in either byte order", arguments: Orientation.allCases, [true, false])
    func readsBothByteOrders(orientation: Orientation, isLittleEndian: Bool) throws {
        let segment = JPEGSegment.exif(orientation: UInt16(orientation.rawValue), isLittleEndian: isLittleEndian)
        let header = try BlockJPEG(width: 48, height: 16).bytes.splicing(segment).header()
        #expect(header.orientation == orientation)
        #expect((header.width, header.height) == (48, 16), "as stored")
        let upright: (Int, Int) = orientation.rawValue >= 5 ? (16, 48) : (48, 16)
        #expect(header.uprightSize == upright)
    }

    /// A changed EXIF segment, without a valid orientation.
    struct Nonsense: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let segment: JPEGSegment
    }

    static func exif(_ change: (inout [UInt8]) -> Void) -> JPEGSegment {
        var segment = JPEGSegment.exif(orientation: 6)
        change(&segment.payload)
        return segment
    }

    static let nonsense = [
        Nonsense(testDescription: "no such entry", segment: .exif(orientation: nil)),
        Nonsense(testDescription: "0", segment: .exif(orientation: 0)),
        Nonsense(testDescription: "9", segment: .exif(orientation: 9)),
        Nonsense(testDescription: "65535", segment: .exif(orientation: 65535)),
        Nonsense(testDescription: "an entry of another type", segment: .exif(orientation: 6, type: 2)),
        Nonsense(testDescription: "an entry of no values", segment: .exif(orientation: 6, count: 0)),
        Nonsense(testDescription: "an entry of many values", segment: .exif(orientation: 6, count: 0xFFFF_FFFF)),
        Nonsense(testDescription: "no byte order", segment: exif { $0[6] = 0x58 }),
        Nonsense(testDescription: "no 42", segment: exif { $0[8] = 43 }),
        Nonsense(
            testDescription: "a directory far away",
            segment: exif { $0.replaceSubrange(10..<14, with: [255, 255, 255, 255]) }),
        Nonsense(testDescription: "a directory at the very end", segment: exif { $0[10] = UInt8($0.count - 6) }),
        Nonsense(
            testDescription: "cut off in the entry", segment: exif { $0.removeLast($0.count - 6 - 8 - 2 - 12 - 9) }),
        Nonsense(
            testDescription: "65535 entries, none of them there",
            segment: exif { $0.replaceSubrange(14..., with: [255, 255]) }),
        Nonsense(testDescription: "a header and nothing more", segment: exif { $0.removeSubrange(6...) }),
        Nonsense(testDescription: "XMP", segment: JPEGSegment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))),
        Nonsense(testDescription: "an empty segment", segment: JPEGSegment(0xE1, [])),
    ]

    @Test("without a sensible orientation a picture is upright", arguments: nonsense)
    func toleratesNonsense(_ nonsense: Nonsense) throws {
        let file = BlockJPEG(width: 48, height: 16).bytes
        #expect(try file.header().orientation == .upright)
        #expect(try file.splicing(nonsense.segment).header().orientation == .upright)
        let both = file.splicing(nonsense.segment, .exif(orientation: 3))
        #expect(try both.header().orientation == .upsideDown, "a sensible one after it counts")
    }

    @Test("the first sensible orientation counts")
    func takesTheFirst() throws {
        let file = BlockJPEG(width: 48, height: 16).bytes.splicing(.exif(orientation: 5), .exif(orientation: 3))
        #expect(try file.header().orientation == .transposed)
    }
}
