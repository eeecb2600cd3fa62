import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PNGMemoryTests {
    @Test("the estimate that limits are checked with includes the rows and the inflater", arguments: [100, 65_500])
    func isEstimated(width: Int) throws {
        var limits = CodecLimits()
        limits.maxWorkingBytes = 1
        let bytes = PNGLimitTests.promising(width: width, height: 100)
        let error = #expect(throws: CodecError.self) { try bytes.plan(width: 1, limits: limits) }
        guard case .overLimit(.workingMemory, let estimate, _) = error else {
            Issue.record("no estimate")
            return
        }
        #expect(2 * (1 + 3 * width) + 110_000 < estimate)
    }
}
