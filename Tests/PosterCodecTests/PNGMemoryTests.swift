import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PNGMemoryTests {
    @Test("the estimate that limits are checked with includes the rows and the inflater", arguments: [100, 65_500])
    func isEstimated(width: Int) throws {
        for isInterlaced in [false, true] {
            var limits = CodecLimits()
            limits.maxWorkingBytes = 1
            let bytes = PNGLimitTests.promising(width: width, height: 100, isInterlaced: isInterlaced)
            let error = #expect(throws: CodecError.self) { try bytes.plan(width: 1, limits: limits) }
            guard case .overLimit(.workingMemory, let estimate, _) = error else {
                Issue.record("no estimate")
                return
            }
            let passes = isInterlaced ? 7 : 1
            #expect(2 * (1 + 3 * width) + passes * 110_000 < estimate)
        }
    }

    @Test(
        "an interlaced picture takes less than a quarter of its pixels' memory",
        .disabled(if: PeakMemory.isHidden, "AddressSanitizer takes more itself"),
        .enabled(if: PeakMemory.isAvailable, "the kernel cannot reset the peak"))
    func takesFewRows() async {
        // In a separate process, without other allocations.
        await #expect(processExitsWith: .success) {
            ProcessHeap.configure()
            func file(_ width: Int, _ height: Int) -> PNGFile {
                var file = PNGFile(width: width, height: height, colourType: 3)
                file.isInterlaced = true
                file.beforeData = [.init("tRNS", [100])]
                file.sample = { x, y, _ in x ^ y }
                return file
            }
            // Loads the program's pages, which count, too.
            _ = try file(64, 64).bytes.rendered(width: 32)
            let bytes = file(1600, 2400).bytes
            let plan = try bytes.plan(width: 300)
            var result: RenderedPicture?
            let growth = try #require(try PeakMemory.growth { result = try bytes.rendered(as: plan) })
            let pixels = 4 * 1600 * 2400
            #expect(plan.workingBytes < pixels / 2 && growth < pixels / 4, "\(growth) of \(plan.workingBytes)")
            withExtendedLifetime(result) {}
        }
    }
}
