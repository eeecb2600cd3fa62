import Testing

@testable import PosterCodec

/// What the reader of a PNG holds does not grow with the picture's height.
@Suite(.computingThread) struct PNGMemoryTests {
    /// Bytes that are held of a picture of RGB.
    static func rows(width: Int, height: Int) throws -> Int {
        let bytes = PNGLimitTests.promising(width: width, height: height)
        return try bytes.span.bytes.withUnsafeBytes { buffer in
            try PNGScanlines(PNGPreamble(buffer)).byteCount
        }
    }

    @Test("rows of 64 KiB and one more are held, or two that are larger", arguments: [1, 100, 1000, 20_000, 65_500])
    func isBounded(width: Int) throws {
        let stride = 1 + 3 * width
        let short = try Self.rows(width: width, height: 2)
        #expect(short <= 3 * stride)
        let tall = try Self.rows(width: width, height: 60_000)
        #expect(tall <= max(1 << 16, stride) + stride)
        let taller = try Self.rows(width: width, height: 65_500)
        #expect(taller == tall || width == 1)
    }

    @Test("the estimate that limits are checked with knows of them")
    func isEstimated() throws {
        func estimate(width: Int) throws -> Int {
            var limits = CodecLimits()
            limits.maxWorkingBytes = 1
            let bytes = PNGLimitTests.promising(width: width, height: 100)
            let error = #expect(throws: CodecError.self) { try bytes.plan(width: 1, limits: limits) }
            guard case .overLimit(.workingMemory, let value, _) = error else { return 0 }
            return value
        }
        let rows = try Self.rows(width: 65_500, height: 100)
        #expect(try estimate(width: 65_500) > rows + (1 << 16), "zlib has a window, too")
    }
}
