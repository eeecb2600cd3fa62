import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct JPEGBitsTests {
    private static func withBits<Result>(_ bytes: [UInt8], _ body: (inout JPEGBits) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            var bits = JPEGBits(buffer)
            return body(&bits)
        }
    }

    @Test("bits come in the order of the bytes, without the zeros after 0xFF", arguments: [1, 3, 7, 8, 13, 16, 31])
    func takesBits(size: Int) {
        var random = SeededRandom(seed: UInt64(size))
        let data: [UInt8] = (0..<200).map { _ in
            Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random)
        }
        let stuffed: [UInt8] = data.flatMap { $0 == 0xFF ? [0xFF, 0x00] : [$0] }
        let expected: [Int] = data.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0) & 1) } }
        Self.withBits(stuffed) { bits in
            var at = 0
            while at + size <= expected.count {
                let taken = bits.take(size)
                let value = expected[at..<at + size].reduce(0) { $0 << 1 | $1 }
                #expect(taken == value)
                at += size
            }
            #expect(bits.isIntact)
            #expect(bits.isAtEnd == (expected.count - at < 8))
        }
    }

    @Test(
        "bits behind the end are zeros, and are noticed", arguments: [[], [0xAB], [0xAB, 0xFF], [0xAB, 0xFF, 0xD9]])
    func noticesTheEnd(bytes: [UInt8]) {
        Self.withBits(bytes) { bits in
            let first = bytes.isEmpty ? 0xAB : bits.take(8)
            #expect(first == 0xAB && bits.isIntact)
            for _ in 0..<100 {
                let bit = bits.take(1)
                #expect(bit == 0 && !bits.isIntact)
            }
        }
    }

    @Test("a restart marker is passed over where it stands, after the rest of a byte")
    func restarts() {
        Self.withBits([0xAB, 0xFF, 0xD2, 0xCD]) { bits in
            let first = bits.take(3)
            let isOther = bits.restart(1)
            let isRight = bits.restart(2)
            let second = bits.take(8)
            #expect(first == 5 && second == 0xCD)
            #expect(!isOther && isRight && bits.isAtEnd)
        }
        Self.withBits([0xAB, 0xCD, 0xFF, 0xD0]) { bits in
            let first = bits.take(5)
            let isRestarted = bits.restart(0)
            #expect(first == 0x15)
            #expect(!isRestarted, "a whole byte is left")
        }
    }
}

@Suite struct JPEGSymbolTableTests {
    @Test("codes of every length are found, with the values after them", arguments: [true, false])
    func findsSymbols(isDC: Bool) throws {
        // 0, 10, 110 …: one code of each length.
        let counts = [UInt8](repeating: 1, count: 16)
        let values: [UInt8] = (0..<16).map { isDC ? $0 % 12 : $0 << 4 | $0 % 11 }
        let storage = JPEGSymbolTable.Storage()
        let table = try #require(storage.table(counts: counts, values: values, isDC: isDC))
        for (length, symbol) in zip(1..., values) {
            for isNegative in [false, true] {
                let size = Int(symbol & 15)
                let largest = 1 << size
                let value = size == 0 ? 0 : isNegative ? 1 - largest : largest / 2
                let code: UInt64 = 1 << length - 2
                let coded = UInt64(max(0, value))
                let buffer: UInt64 = code << (64 - length) | coded << (64 - length - size)
                var entry = table.entry(of: buffer)
                if entry.codeBits == 0 { entry = table.longEntry(of: buffer) }
                #expect(entry.codeBits == length && entry.bitCount == length + size)
                #expect(entry.size == size && entry.run == Int(symbol >> 4))
                #expect(entry.isException == (!isDC && size == 0))
                #expect(entry.isException || entry.value(in: buffer) == value)
            }
        }
        // No code begins with sixteen ones.
        #expect(table.entry(of: .max).codeBits == 0 && table.longEntry(of: .max).codeBits == 0)
    }

    @Test("codes that libjpeg refuses, and values that 8 bits do not need, have no table")
    func refusesCodes() {
        func isTaken(_ counts: [UInt8], _ values: [UInt8], isDC: Bool = true) -> Bool {
            let counts = counts + [UInt8](repeating: 0, count: 16 - counts.count)
            return JPEGSymbolTable.Storage().table(counts: counts, values: values, isDC: isDC) != nil
        }
        #expect(isTaken([1, 1], [0, 1]))
        #expect(!isTaken([2], [0, 1]), "a code of ones only")
        #expect(!isTaken([3], [0, 1, 2]), "more codes than there are")
        #expect(!isTaken([1, 2], [0, 1, 2]))
        #expect(!isTaken([1], []), "too few values")
        #expect(isTaken([1], [11]) && !isTaken([1], [12]))
        #expect(isTaken([1], [0xFA], isDC: false) && !isTaken([1], [0x0B], isDC: false))
    }
}
