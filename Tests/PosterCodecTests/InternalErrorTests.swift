import CCodecTesting
import CPosterCodecs
import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

/// An internal error of the codec fails one render, not the process.
@Suite(.computingThread) struct InternalErrorTests {
    private static func expectInternalError(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: CodecError.self, sourceLocation: sourceLocation) { try body() }
        guard case .internalError? = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
    }

    private static var watch: RenderWatch { RenderWatch(.init(), limits: .init()) }

    @Test("a decoder that is used out of order throws")
    func decoders() throws {
        let jpeg = try FormulaPicture.gradient(width: 20, height: 20).jpeg()
        let plan = try jpeg.plan(width: nil)
        try jpeg.span.bytes.withUnsafeBytes { buffer in
            let stop = StopFlag()
            let watch = RenderWatch(.init(stop: stop), limits: .init())
            var reader = try JPEGDecoder(buffer, plan.decoding, watch: watch)
            let targets = reader.layout.planes.map { _ in UnsafeMutablePointer<UInt8>.allocate(capacity: 64 * 64) }
            defer { for target in targets { target.deallocate() } }
            func read() -> CodecError? {
                do throws(CodecError) {
                    _ = try reader.readGroup(into: targets, strides: targets.map { _ in 64 })
                    return nil
                } catch {
                    return error
                }
            }
            stop.raise()
            #expect(read() == .stopped)
            #expect(read() == .internalError(reason: "JPEGReader used out of order"), "it does not go on after that")
        }
        let png = PNGFile(width: 4, height: 3).bytes
        try png.span.bytes.withUnsafeBytes { buffer in
            let pixels = try PNGStreamRowDecoder(DecoderInput(buffer, arriving: nil), watch: Self.watch)
            for _ in 0..<3 { _ = try pixels.nextRow() }
            Self.expectInternalError { _ = try pixels.nextRow() }
        }
    }

    @Test("an encoder that is given what it cannot encode throws")
    func encoders() {
        Self.expectInternalError {
            _ = try JPEGWriter(.init(quality: 80), width: 8, height: 8, planeCount: 2, watch: Self.watch)
        }
        Self.expectInternalError {
            _ = try PNGEncoder().encode(PixelBuffer(width: 4, height: 4, channels: 2), watch: Self.watch)
        }
        Self.expectInternalError {
            let planes = [Plane](repeating: Plane(width: 16_384, height: 2), count: 3)
            _ = try WebPEncoder(quality: 80).encode(planes, watch: Self.watch)
        }
    }

    @Test("a resampler that is used out of order throws")
    func resamplers() throws {
        let (across, down) = (ResampleAxis.Geometry.luma(20, to: 7), ResampleAxis.Geometry.luma(20, to: 7).mirrored)
        func output(bandRows: Int?, down: ResampleAxis.Geometry) throws -> ResampledPlane {
            try ResampledRows(across: across, down: down, rowBytes: 20, rowsPerGroup: 4, bandRows: bandRows).output
        }
        Self.expectInternalError { _ = try output(bandRows: 4, down: down) }
        let streaming = try output(bandRows: 4, down: across)
        Self.expectInternalError {
            var band = Plane(width: 7, height: 2)
            try streaming.take(into: &band)
        }
        Self.expectInternalError { _ = try output(bandRows: nil, down: down).takePlane() }
        Self.expectInternalError {
            var plane = Plane(width: 7, height: 1)
            try plane.append(Plane(width: 40, height: 1))
        }
    }

    @Test("codes that do not fit into a table are refused")
    func boundsTables() {
        let entries = [InflateEntry](repeating: .invalid, count: 4)
        var lengths: [UInt8] = [1, 2, 3, 3]
        entries.withUnsafeBufferPointer { symbols in
            let memory = UnsafeMutablePointer<InflateEntry>.allocate(capacity: 4)
            defer { memory.deallocate() }
            // Two root bits, and no space for the subtable of three-bit codes.
            var table = InflateTable(memory, capacity: 4, rootBits: 2)
            let isFilled = table.fill(
                lengths: &lengths, count: 4, symbols: symbols.baseAddress!, gaps: .areInvalid)
            #expect(!isFilled)
        }
    }

    @Test("AddressSanitizer sees where a row ends, and a decode table", .enabled(if: PeakMemory.isHidden))
    func hasBounds() async {
        await #expect(processExitsWith: .failure) {
            let bytes = PNGFile(width: 7, height: 3).bytes
            try bytes.span.bytes.withUnsafeBytes { buffer in
                let input = DecoderInput(buffer, arriving: nil)
                let rows = try PNGStreamRowDecoder(input, watch: RenderWatch(.init(), limits: .init()))
                let row = try #require(try rows.nextRow())
                // Reads the first byte after the row. If that is possible, the process exits successfully.
                withExtendedLifetime(rows) { print(codec_testing_read(row + 21)) }
            }
        }
        await #expect(processExitsWith: .failure) {
            let codes = InflateCodes()
            print(codec_testing_read(codes.distances.entries + 402))
        }
    }
}
