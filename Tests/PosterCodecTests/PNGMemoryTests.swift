import Testing

@testable import PosterCodec

/// The memory of a PNG decoder does not grow with the picture's height.
@Suite(.computingThread) struct PNGMemoryTests {
    /// The memory of the decoder of an RGB picture, in bytes.
    static func held(width: Int, height: Int) throws -> Int {
        let bytes = PNGLimitTests.promising(width: width, height: height)
        return try bytes.span.bytes.withUnsafeBytes { buffer in
            try PNGScanlines(PNGPreamble(buffer)).byteCount
        }
    }

    @Test("two rows are held, and what inflating takes", arguments: [1, 100, 1000, 20_000, 65_500])
    func isBounded(width: Int) throws {
        let rows = 2 * (1 + 3 * width)
        let short = try Self.held(width: width, height: 2)
        #expect(rows...rows + 120_000 ~= short)
        #expect(try Self.held(width: width, height: 60_000) == short)
    }

    @Test("the estimate that limits are checked with includes them", arguments: [100, 65_500])
    func isEstimated(width: Int) throws {
        var limits = CodecLimits()
        limits.maxWorkingBytes = 1
        let bytes = PNGLimitTests.promising(width: width, height: 100)
        let error = #expect(throws: CodecError.self) { try bytes.plan(width: 1, limits: limits) }
        guard case .overLimit(.workingMemory, let estimate, _) = error else {
            Issue.record("no estimate")
            return
        }
        #expect(try Self.held(width: width, height: 100) < estimate)
    }
}
