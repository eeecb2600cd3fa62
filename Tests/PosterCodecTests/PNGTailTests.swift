import Synchronization
import Testing

@testable import PosterCodec

/// Data after a PNG's last row, which takes time to read and yields nothing.
@Suite(.computingThread) struct PNGTailTests {
    /// Writes a deflated run of zeros (RFC 1951, 3.2.6): 258 bytes in 13 bits.
    private static func zeros(repetitions: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        func put(_ value: Int, _ length: Int) {
            bits |= value << count
            count += length
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        put(1, 1)  // the last block
        put(1, 2)  // with the fixed codes
        put(0b0000_1100, 8)  // a literal 0: its code is written from its first bit on
        for _ in 0..<repetitions {
            put(0b1010_0011, 8)  // length 258: code 285
            put(0, 5)  // distance 1
        }
        put(0, 7)  // the end
        put(0, 8)
        return bytes
    }

    @Test("is not read for longer than a render may take", arguments: [false, true])
    func isBounded(isInterlaced: Bool) throws {
        var file = PNGFile(width: 10, height: 10)
        file.isInterlaced = isInterlaced
        // The rows in stored blocks, none of them the last, and then 30 MB of zeros.
        var stream = PNGFile.deflated(file.rows).dropLast(4)
        stream[stream.startIndex + 2] = 0
        stream += Self.zeros(repetitions: 120_000)
        let bytes = PNGStreamTests.bytes(of: file, data: [Array(stream)])
        let asked = Atomic<UInt64>(0)
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 20_000_000
        let control = RenderControl(cpuTime: { asked.wrappingAdd(1_000_000, ordering: .relaxed).newValue })
        #expect(throws: CodecError.overLimit(.cpuTime, value: 21, limit: 20)) {
            try bytes.rendered(width: 5, limits: limits, control: control)
        }
    }
}
