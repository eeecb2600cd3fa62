import CodecTesting
import Testing

@testable import PosterCodec

/// Renders use no more memory than estimated. Suites named so run without sanitizers in CI, too.
@Suite(.computingThread) struct RenderMemoryTests {
    /// Memory that a render may take: its estimate, malloc's overhead, and pages that the kernel counts in batches.
    private static func allowance(for plan: RenderPlan) -> Int { plan.workingBytes / 4 * 5 + (2 << 20) }

    @Test(
        "no render takes more than 1.25 times its estimate and 2 MiB",
        .disabled(if: PeakMemory.isHidden, "AddressSanitizer takes more itself"),
        .enabled(if: PeakMemory.isAvailable, "the kernel cannot reset the peak"))
    func estimatesHold() async {
        // In a separate process, without other allocations.
        await #expect(processExitsWith: .success) {
            ProcessHeap.configure()
            _ = try PNGFile(width: 64, height: 64).bytes.rendered(width: 32, format: .webp)
            for file in HostileFiles.all {
                let bytes = try file.make()
                for format in OutputFormat.quick {
                    let plan = try bytes.plan(width: 32, format: format)
                    #expect(plan.workingBytes <= 96 << 20, "\(file.name)")
                    var result: RenderedPicture?
                    let growth = try #require(PeakMemory.growth { result = try? bytes.rendered(as: plan) })
                    #expect(
                        growth <= RenderMemoryTests.allowance(for: plan),
                        "\(file.name) as \(format) took \(growth) where \(plan.workingBytes) were planned")
                    withExtendedLifetime(result) {}
                }
            }
        }
    }

    @Test(
        "a progressive file takes the memory of a few rows",
        .disabled(if: PeakMemory.isHidden, "AddressSanitizer takes more itself"),
        .enabled(if: PeakMemory.isAvailable, "the kernel cannot reset the peak"))
    func takesFewRows() async {
        // In a separate process, without other allocations.
        await #expect(processExitsWith: .success) {
            ProcessHeap.configure()
            let picture = FormulaPicture.gradient(width: 1200, height: 1800)
            let (small, large) = (
                try FormulaPicture.gradient(width: 60, height: 90).jpeg(isProgressive: true),
                try picture.jpeg(quality: 85, isProgressive: true)
            )
            // Initialises what the following renders use, with and without resampling.
            for width in [40, 60] { _ = try small.rendered(width: width) }
            for width in [1200, 500, 200, 92] {
                var result: RenderedPicture?
                let growth = try #require(try PeakMemory.growth { result = try large.rendered(width: width) })
                // All coefficients would be 6.5 MB.
                let allowed = (2 << 20) + 2 * (result?.bytes.count ?? 0)
                #expect(growth <= allowed, "width \(width) took \(growth)")
            }
        }
    }
}
