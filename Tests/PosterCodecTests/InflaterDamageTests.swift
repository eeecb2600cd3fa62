import CCodecTesting
import Testing

@testable import PosterCodec

/// The inflater rejects streams that zlib rejects.
@Suite(.computingThread) struct InflaterDamageTests {
    /// The status after a stream and 40 zeros; it must be the same byte by byte.
    static func status(_ writer: DeflateWriter) -> Inflater.Status {
        var writer = writer
        writer.align()
        let stream = writer.bytes + [UInt8](repeating: 0, count: 40)
        let status = InflaterTests.inflated(stream).1
        #expect(InflaterTests.inflated(stream, pieces: 1).1 == status)
        return status
    }

    /// Code lengths of `count` symbols: zero except for `special`.
    static func lengths(_ count: Int, _ special: [Int: Int]) -> [Int] {
        (0..<count).map { special[$0] ?? 0 }
    }

    @Test(
        "a header of another method, window or check, or with a dictionary, is refused",
        arguments: [[0x77, 0x09], [0x79, 0x18], [0x88, 0x1C], [0x78, 0x9D], [0x78, 0xBB], [0, 0]] as [[UInt8]])
    func refusesHeader(header: [UInt8]) {
        #expect(Self.status(DeflateWriter(header: header)) == .corrupt)
    }

    @Test("a window that is smaller than the matches need does not matter")
    func acceptsWindow() {
        let content = Array(InflaterTests.noise.prefix(2000)) + InflaterTests.noise.prefix(10)
        var writer = DeflateWriter(header: [0x08, 0x1D])
        writer.putStored(Array(content.prefix(2000)))
        writer.beginBlock(1)
        writer.putMatch(distance: 2000, length: 10)
        writer.put(fixed: 256)
        let (bytes, status) = InflaterTests.inflated(writer.finished(content))
        #expect(status == .ended)
        #expect(bytes == content)
    }

    @Test("a fourth kind of block is refused")
    func refusesKind() {
        var writer = DeflateWriter()
        writer.beginBlock(3)
        #expect(Self.status(writer) == .corrupt)
    }

    @Test("a stored block whose lengths differ is refused")
    func refusesStored() {
        var writer = DeflateWriter()
        writer.beginBlock(0)
        writer.align()
        writer.put(5, 16)
        writer.put(5 ^ 0xFFFE, 16)
        #expect(Self.status(writer) == .corrupt)
    }

    @Test("a match that reaches before the beginning is refused, and what came before it can be taken")
    func refusesDistance() {
        for distance in [3, 4, 5, 300, 32768] {
            var writer = DeflateWriter()
            writer.beginBlock(1)
            for byte in [7, 8, 9] { writer.put(fixed: byte) }
            writer.putMatch(distance: distance, length: 4)
            writer.put(fixed: 256)
            if distance == 3 {
                let content: [UInt8] = [7, 8, 9, 7, 8, 9, 7]
                #expect(InflaterTests.inflated(writer.finished(content)) == (content, .ended))
            } else {
                #expect(Self.status(writer) == .corrupt)
                let padded = writer.bytes + [UInt8](repeating: 0, count: 50)
                #expect(InflaterTests.inflated(padded).0 == [7, 8, 9])
            }
        }
    }

    @Test("the fixed codes' lengths 286 and 287, and distances 30 and 31, are refused")
    func refusesSymbols() {
        for symbol in [286, 287] {
            var writer = DeflateWriter()
            writer.beginBlock(1)
            writer.put(fixed: symbol)
            #expect(Self.status(writer) == .corrupt)
        }
        for code in [30, 31] {
            var writer = DeflateWriter()
            writer.beginBlock(1)
            for _ in 0..<20 { writer.put(fixed: 1) }
            writer.put(fixed: 257)
            writer.put(code: code, 5)
            #expect(Self.status(writer) == .corrupt)
        }
    }

    @Test("more than 286 literals and lengths, or 30 distances, are refused", arguments: [(287, 1), (257, 31)])
    func refusesCounts(literals: Int, distances: Int) {
        var writer = DeflateWriter()
        writer.beginDynamic(
            literals: Self.lengths(literals, [0: 1, 256: 1]), distances: Self.lengths(distances, [0: 1]))
        #expect(Self.status(writer) == .corrupt)
    }

    @Test(
        "too many codes are refused, and too few, and codes without an end of the block",
        arguments: [
            [0: 1, 1: 1, 256: 1], [0: 2, 1: 2, 256: 2], [0: 2, 256: 1], [256: 2], [0: 1, 1: 1], [:],
        ])
    func refusesLiterals(lengths: [Int: Int]) {
        var writer = DeflateWriter()
        writer.beginDynamic(literals: Self.lengths(257, lengths), distances: [1, 1])
        #expect(Self.status(writer) == .corrupt)
    }

    @Test("too many distances are refused, and too few", arguments: [[1, 1, 1], [2, 2, 2], [2], [1, 2]])
    func refusesDistances(lengths: [Int]) {
        var writer = DeflateWriter()
        writer.beginDynamic(literals: Self.lengths(257, [0: 1, 256: 1]), distances: lengths)
        #expect(Self.status(writer) == .corrupt)
    }

    @Test("a single code of one bit is fine, and no distance at all, as long as nothing else occurs")
    func acceptsSingle() {
        for distances in [[0], [1]] {
            for follows in [false, true] {
                var writer = DeflateWriter()
                // Codes: 0 is the end, 10 literal 5, 11 length 3.
                writer.beginDynamic(literals: Self.lengths(258, [5: 2, 256: 1, 257: 2]), distances: distances)
                writer.put(code: 2, 2)
                writer.put(code: 3, 2)
                writer.put(code: follows ? 1 : 0, 1)
                writer.put(code: 0, 1)
                if distances == [1], !follows {
                    #expect(InflaterTests.inflated(writer.finished([5, 5, 5, 5])) == ([5, 5, 5, 5], .ended))
                } else {
                    #expect(Self.status(writer) == .corrupt)
                }
            }
        }
        for bit in 0...1 {
            var writer = DeflateWriter()
            writer.beginDynamic(literals: Self.lengths(257, [256: 1]), distances: [0])
            writer.put(bit, 1)
            #expect(InflaterTests.inflated(writer.finished([])).1 == (bit == 0 ? .ended : .corrupt))
        }
    }

    @Test("a length that repeats nothing, or too often, is refused", arguments: [false, true])
    func refusesRepetition(isFirst: Bool) {
        var writer = DeflateWriter()
        writer.beginBlock(2)
        for (value, bits) in [(0, 5), (0, 5), (0, 4)] { writer.put(value, bits) }
        for length in [isFirst ? 1 : 0, 0, isFirst ? 0 : 1, 1] { writer.put(length, 3) }  // 16, 17, 18, 0
        // 0 has the first code, and 16 or 18 the second.
        for _ in 0..<3 {
            writer.put(1, 1)
            writer.put(127, isFirst ? 2 : 7)
        }
        #expect(Self.status(writer) == .corrupt)
    }

    @Test("a checksum that does not fit is an end of its own", arguments: 1...4)
    func checksChecksum(place: Int) {
        var (stream, content) = InflaterTests.mixed()
        stream[stream.count - place] ^= 1
        #expect(InflaterTests.inflated(stream) == (content, .wrongChecksum))
        #expect(InflaterTests.inflated(stream, pieces: 1) == (content, .wrongChecksum))
    }

    @Test("with any bit wrong, the same bytes come out as out of zlib")
    func agrees() {
        let stream = InflaterTests.mixed().stream
        for bit in 0..<8 * stream.count {
            var damaged = stream
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            var expected = [UInt8](repeating: 0, count: 200_000)
            expected.removeLast(
                expected.count - codec_testing_inflate(damaged, damaged.count, &expected, expected.count))
            let (bytes, status) = InflaterTests.inflated(damaged, pieces: 1 + bit % 40)
            if status == .corrupt {
                // zlib may have read a little more or less before it detected the fault.
                #expect(expected.starts(with: bytes) || bytes.starts(with: expected), "bit \(bit)")
            } else {
                #expect(bytes == expected, "bit \(bit)")
            }
        }
    }
}
