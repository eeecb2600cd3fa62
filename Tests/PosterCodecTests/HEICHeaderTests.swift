import CodecTesting
import Testing

@testable import PosterCodec

/// HEICs that contradict themselves, or cost more than their size suggests.
@Suite(.computingThread) struct HEICHeaderTests {
    private static let file = HEIFFile(HEVCSample.s420.cell)
    /// The lengths before the first unit of the sample's data.
    private static let lengthSize = 4

    private static func changed(_ sample: HEVCSample = .s420, _ change: (inout HEIFFile.Cell) -> Void) -> [UInt8] {
        var cell = sample.cell
        change(&cell)
        return HEIFFile(cell).bytes
    }

    /// Replaces the parameter set of a kind in a configuration's bytes; `nil` removes it.
    private static func configuration(kind: UInt8, _ unit: [UInt8]?) -> [UInt8] {
        let bytes = HEVCSample.s420.configuration
        var changed = Array(bytes[..<23])
        var offset = 23
        for _ in 0..<bytes[22] {
            let length = Int(bytes[offset + 3]) << 8 | Int(bytes[offset + 4])
            let array = Array(bytes[offset..<offset + 5 + length])
            offset += array.count
            guard array[0] & 63 == kind else {
                changed += array
                continue
            }
            guard let unit else {
                changed[22] -= 1
                continue
            }
            changed += array[..<3] + HEIFFile.short(unit.count) + unit
        }
        return HEIFFile.box("hvcC", changed)
    }

    /// A sequence parameter set up to its bit depths.
    private static func sequence(width: Int, height: Int, hidden: [Int] = [0, 0, 0, 0], depth: Int = 8) -> [UInt8] {
        var bits = Bits()
        bits.number(0, 8)
        // Profile and level, with the bytes that prevent start codes.
        for _ in 0..<12 { bits.number(0xFF, 8) }
        for value in [0, 1, width, height] { bits.variable(value) }
        bits.number(1, 1)
        for value in hidden + [depth - 8, depth - 8] { bits.variable(value) }
        return [0x42, 1] + bits.bytes
    }

    private static func refuses(_ bytes: [UInt8], _ reason: String) {
        #expect(throws: CodecError.damaged(reason: reason)) { try bytes.header() }
    }

    @Test("items of AV1 in a HEIC, and of HEVC in an AVIF, are refused by name")
    func refusesForeignItems() throws {
        var file = Self.file
        (file.brand, file.brands) = ("avif", "avifmif1miaf")
        let avif = file.bytes
        #expect(throws: CodecError.unsupported("AVIF of an item that is neither AV1 nor a grid")) { try avif.header() }
        var other = HEIFFile(try HEIFFile.Cell(EncodedAVIF()))
        (other.brand, other.brands) = ("mif1", "mif1heic")
        let heic = other.bytes
        #expect(throws: CodecError.unsupported("HEIC of an item that is neither HEVC nor a grid")) { try heic.header() }
    }

    @Test("a coded picture of another size than its item is refused before it is decoded")
    func refusesOtherSizes() {
        for (width, height) in [(63, 62), (65, 64), (64, 65), (32, 64), (4096, 64)] {
            let bytes = Self.changed { $0.properties[0] = HEIFFile.size(width, height) }
            Self.refuses(bytes, "a HEIC with a picture of another size than its item")
        }
    }

    @Test("impossible parameter sets are refused")
    func refusesParameterSets() {
        let impossible = "a HEIC with an impossible sequence parameter set"
        let short = "a codec's header that is too short"
        let sets: [([UInt8], String)] = [
            (Self.sequence(width: 0, height: 32), impossible), (Self.sequence(width: 48, height: 0), impossible),
            (Self.sequence(width: 1 << 31, height: 1 << 31, hidden: [0, 1 << 30, 0, 0]), impossible),
            (Self.sequence(width: 48, height: 32, hidden: [12, 12, 0, 0]), impossible),
            (Self.sequence(width: 64, height: 64), short), (Array([0x42, 1, 0]), short),
            ([UInt8](repeating: 0x42, count: 1), "a HEIC with an impossible parameter set"),
            ([0x42] + [UInt8](repeating: 0, count: 5000), "a HEIC with an impossible parameter set"),
            ([0x42, 1] + [UInt8](repeating: 0, count: 4000), short),
        ]
        for (set, reason) in sets {
            let box = Self.configuration(kind: 33, set)
            Self.refuses(Self.changed { $0.properties[1] = box }, reason)
        }
        for kind: UInt8 in [33, 34] {
            let box = Self.configuration(kind: kind, nil)
            Self.refuses(Self.changed { $0.properties[1] = box }, "a HEIC without its parameter sets")
        }
        let deep = Self.configuration(kind: 33, Self.sequence(width: 64, height: 64, depth: 16))
        let bytes = Self.changed { $0.properties[1] = deep }
        #expect(throws: CodecError.unsupported("HEIC with samples of 16 and 16 bits")) { try bytes.header() }
    }

    @Test("a configuration that is cut off anywhere is refused, the video parameter set is not needed")
    func refusesCutConfigurations() throws {
        let whole = HEVCSample.s420.configuration
        for count in 0..<whole.count {
            let bytes = Self.changed { $0.properties[1] = HEIFFile.box("hvcC", Array(whole[..<count])) }
            #expect(throws: CodecError.self, "\(count)") { try bytes.header() }
        }
        let box = Self.configuration(kind: 32, nil)
        let bytes = Self.changed { $0.properties[1] = box }
        #expect(try bytes.pixels().distance(to: Self.file.bytes.pixels()) == 0)
    }

    @Test("a configuration that cannot be decoded refuses only files that show its item")
    func ignoresUnusedConfigurations() throws {
        let broken = Self.configuration(kind: 33, Self.sequence(width: 64, height: 64, depth: 16))
        var file = HEIFFile(HEVCSample.s420.cell)
        let pixels = try file.bytes.pixels()
        file.properties.append(broken)
        file.items.append(
            .init(id: 2, kind: "hvc1", data: HEVCSample.s420.cell.data, properties: [file.properties.count]))
        for kind in [nil, "thmb", "auxl"] as [String?] {
            file.references = kind.map { [($0, 2, [1])] } ?? []
            #expect(try file.bytes.pixels().distance(to: pixels) == 0)
        }
        file.primary = 2
        let shown = file.bytes
        #expect(throws: CodecError.unsupported("HEIC with samples of 16 and 16 bits")) { try shown.header() }
    }

    @Test("the limits apply to the coded picture, also if most of it is hidden")
    func limitsCodedSizes() throws {
        let bytes = HEIFFile(HEVCSample.windowed.cell).bytes
        #expect(try bytes.header().coding?.colours.width == 72)
        var limits = CodecLimits()
        limits.maxWidth = 71
        #expect(throws: CodecError.overLimit(.width, value: 72, limit: 71)) { try bytes.header(limits: limits) }
    }

    @Test("units beyond their item, of several pictures, and without intra slices are refused")
    func refusesUnits() {
        let start = Self.lengthSize
        let beyond = "a HEIC with a unit beyond its item"
        let foreign = "a HEIC with a picture that is not intra"
        Self.refuses(Self.changed { $0.data[2] += 1 }, beyond)
        Self.refuses(Self.changed { $0.data[0] = 0xFF }, beyond)
        Self.refuses(Self.changed { $0.data += [0, 0] }, beyond)
        Self.refuses(Self.changed { $0.data += [0, 0, 0, 1, 0] }, beyond)
        // A trailing picture, and a P slice.
        Self.refuses(Self.changed { $0.data[start] = 1 << 1 }, foreign)
        Self.refuses(Self.changed { $0.data[start + 2] = 0b1010_1000 | 0b0000_0010 }, foreign)
        Self.refuses(Self.changed { $0.data += $0.data }, "a HEIC of several pictures in one item")
        // Metadata alone.
        Self.refuses(Self.changed { $0.data[start] = 39 << 1 }, "a HEIC without a picture")
        var limits = CodecLimits()
        limits.maxCodedUnits = 1
        let sliced = HEIFFile(HEVCSample.sliced.cell).bytes
        #expect(throws: CodecError.overLimit(.codedUnits, value: 2, limit: 1)) { try sliced.header(limits: limits) }
    }

    @Test("metadata, parameter sets and other layers in the data do not reach the decoder")
    func ignoresOtherUnits() throws {
        let expected = try Self.file.bytes.pixels()
        let unit: [UInt8] = [0, 0, 0, 6, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF]
        for (kind, layer) in [(39, 0), (33, 0), (34, 0), (20, 3), (63, 0)] as [(UInt8, UInt8)] {
            var other = unit
            (other[4], other[5]) = (kind << 1, layer << 3 | 1)
            let bytes = Self.changed { $0.data = other + $0.data + other }
            #expect(try bytes.pixels().distance(to: expected) == 0, "\(kind)")
        }
    }

    @Test("a picture without one of its slices is damaged")
    func refusesMissingSlices() throws {
        let data = HEVCSample.sliced.data
        let first = 4 + Int(data[2]) << 8 + Int(data[3])
        let bytes = Self.changed(.sliced) { $0.data = Array(data[..<first]) }
        let plan = try bytes.plan(width: 20)
        let error = CodecError.damaged(reason: "libde265 cannot decode the HEIC's picture")
        #expect(throws: error) { try bytes.downsampled(as: plan) }
        // The same slice twice.
        let twice = Self.changed(.sliced) { $0.data = data + data[first...] }
        _ = try? twice.downsampled(as: twice.plan(width: 20))
    }

    @Test("bytes that prevent start codes may not take long to remove")
    func refusesStuffing() throws {
        let stuffing = [[UInt8]](repeating: [0, 0, 3], count: 50_000).flatMap(\.self)
        let length = HEVCSample.s420.data.count - 4 + stuffing.count
        let bytes = Self.changed { $0.data = PNGFile.number(length) + $0.data[4...] + stuffing }
        let plan = try bytes.plan(width: 20)
        #expect(throws: CodecError.self) { try bytes.downsampled(as: plan) }
    }

    @Test("a grid without one of its cells, or of cells of other parameter sets, is refused")
    func refusesGrids() {
        var file = HEIFFile(HEVCSample.s420.cell, columns: 2, rows: 1)
        file.items.removeLast()
        let missing = file.bytes
        #expect(throws: CodecError.unsupported("HEIC with a grid of items that are not HEVC")) { try missing.header() }
        var mixed = HEIFFile(HEVCSample.s420.cell, columns: 2, rows: 1)
        mixed.properties.append(HEVCSample.s444.cell.properties[1])
        mixed.items[2].properties = [1, mixed.properties.count]
        Self.refuses(mixed.bytes, "a HEIF with a grid of different cells")
    }

    @Test("data that ends too early is truncated, wherever it is cut off")
    func refusesPrefixes() throws {
        let bytes = try HEICDecodingTests.withAlpha(.s420).bytes
        for count in 16..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            #expect(throws: CodecError.truncated, "\(count) bytes") { try prefix.header() }
        }
    }

    @Test("flipped bits throw or give a picture of the planned size", arguments: HEVCSample.allCases)
    func survivesFlippedBits(sample: HEVCSample) throws {
        let file = HEIFFile(sample.cell).bytes
        var random = SeededRandom(seed: 5)
        for turn in 0..<300 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = turn % 2 == 0 ? turn / 2 * 3 % bytes.count : Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            do {
                let picture = try bytes.rendered(width: 11)
                let header = try picture.bytes.header()
                #expect((header.width, header.height) == (picture.size.width, picture.size.height))
            } catch {
                #expect(error != .stopped && error != .outOfMemory)
            }
        }
    }
}

/// Writes numbers bit by bit.
private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func number(_ value: Int, _ length: Int) {
        for shift in (0..<length).reversed() {
            if self.count % 8 == 0 { self.bytes.append(0) }
            self.bytes[self.bytes.count - 1] |= UInt8(value >> shift & 1) << UInt8(7 - self.count % 8)
            self.count += 1
        }
    }

    /// Writes an Exp-Golomb code.
    mutating func variable(_ value: Int) {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        self.number(0, length - 1)
        self.number(value + 1, length)
    }
}
