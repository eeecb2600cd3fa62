import CodecTesting
import Testing

@testable import PosterCodec

/// The decoder reads some ranges of a buffer as if they were a file.
@Suite struct JPEGDecoderRangesTests {
    /// All planes' samples at full size, one after another.
    static func samples(_ bytes: [UInt8], ranges: [Range<Int>]) throws -> [UInt8] {
        let header = ImageHeader(
            format: .jpeg, width: 61, height: 47, bitDepth: 8, colourModel: .yCbCr,
            sampling: [(2, 2), (1, 1), (1, 1)].map { .init(horizontal: $0.0, vertical: $0.1) }, isProgressive: true,
            isMultiScan: true)
        let plan = try RenderPlan(header, target: RenderTarget(format: .jpeg))
        let watch = RenderWatch(.init(), limits: .init())
        return try bytes.withUnsafeBytes { buffer in
            var reader = try JPEGDecoder(buffer, plan.decoding, watch: watch, ranges: ranges)
            let planes = reader.layout.planes
            let strides = planes.map(\.rowBytes)
            let group = planes.map { UnsafeMutablePointer<UInt8>.allocate(capacity: $0.rowsPerGroup * $0.rowBytes) }
            defer { for plane in group { plane.deallocate() } }
            var samples: [UInt8] = []
            for _ in 0..<reader.layout.groupCount {
                #expect(try reader.readGroup(into: group, strides: strides))
                for (index, plane) in planes.enumerated() {
                    samples += UnsafeBufferPointer(start: group[index], count: plane.rowsPerGroup * plane.rowBytes)
                }
            }
            try reader.finish()
            return samples
        }
    }

    @Test("where a range ends makes no difference", arguments: [false, true])
    func joinsRanges(isProgressive: Bool) throws {
        // A comment longer than any range must be skipped across ranges.
        let file = try FormulaPicture.gradient(width: 61, height: 47)
            .jpeg(quality: 90, isProgressive: isProgressive).splicing(.comment(byteCount: 300))
        let whole = try Self.samples(file, ranges: [0..<file.count])
        for length in [1, 2, 3, 7, 64, 255, 256] {
            let pieces = stride(from: 0, to: file.count, by: length).map { $0..<min($0 + length, file.count) }
            #expect(try Self.samples(file, ranges: pieces) == whole, "\(length) bytes a range")
            #expect(try Self.samples(file, ranges: pieces.flatMap { [$0.lowerBound..<$0.lowerBound, $0] }) == whole)
        }
    }

    @Test("bytes between ranges are not seen")
    func leavesGaps() throws {
        let file = try FormulaPicture.gradient(width: 61, height: 47).jpeg(isProgressive: true)
        let whole = try Self.samples(file, ranges: [0..<file.count])
        let middle = file.count / 2
        let gap = [UInt8](repeating: 0xFF, count: 99)
        let padded: [UInt8] = [[7, 8], Array(file[..<middle]), gap, Array(file[middle...]), [9]].flatMap(\.self)
        let ranges = [2..<middle + 2, middle + 101..<file.count + 101]
        #expect(try Self.samples(padded, ranges: ranges) == whole)
    }

    @Test("ranges that end too early are a truncated file, none at all an empty one")
    func noticesTheEnd() throws {
        let file = try FormulaPicture.gradient(width: 61, height: 47).jpeg(isProgressive: true)
        for count in [1, 2, 30, file.count / 3, file.count / 2, file.count - 3] {
            #expect(throws: CodecError.self) { try Self.samples(file, ranges: [0..<count / 2, count / 2..<count]) }
        }
        #expect(throws: CodecError.truncated) { try Self.samples(file, ranges: []) }
        #expect(throws: CodecError.truncated) { try Self.samples(file, ranges: [3..<3]) }
        let comment = file.splicing(.comment(byteCount: 60000))
        #expect(throws: CodecError.self) { try Self.samples(comment, ranges: [0..<20]) }
    }
}
