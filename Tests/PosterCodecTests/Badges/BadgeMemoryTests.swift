import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct BadgeMemoryTests {
    @Test(
        "a job of badged pictures takes no more than 1.25 times its estimate and 2 MiB, as others do",
        .disabled(if: PeakMemory.isHidden, "AddressSanitizer takes more itself"),
        .enabled(if: PeakMemory.isAvailable, "the kernel cannot reset the peak"))
    func estimatesHold() async {
        // In a separate process, without other allocations.
        await #expect(processExitsWith: .success) {
            ProcessHeap.configure()
            _ = try PNGFile(width: 64, height: 64).bytes.rendered(width: 32, format: .webp)
            let badges = Badges(
                (0..<Badges.limit).map { Badges.Badge(text: "Score \($0)", colour: .init(red: 9, green: 0, blue: 200)) }
            )
            for subsampling in [FormulaPicture.Subsampling.gray, .s420] {
                let picture = FormulaPicture.gradient(width: 1500, height: 2200, subsampling: subsampling)
                let file = try picture.jpeg(quality: 85)
                for format in OutputFormat.quick {
                    let targets = [400, 780].map { RenderJob.Target(.init(width: $0, format: format, badges: badges)) }
                    let sharing = DecodeSharing(targets, of: try file.header(), byteCount: file.count)
                    let (job, memory) = (sharing.jobs[0].job, sharing.jobs[0].memory)
                    var results: [[UInt8]] = []
                    let growth = try #require(
                        try PeakMemory.growth {
                            let control = JobControl(targetCount: job.targets.count)
                            try renderFiles(file.span.bytes, job: job, control: control) { _, result in
                                if case .success(let file) = consume result { results.append(file.bytes.array) }
                            }
                        })
                    #expect(results.count == job.targets.count)
                    let allowed = memory.bytes / 4 * 5 + (2 << 20) + results.reduce(0) { $0 + $1.count }
                    #expect(growth <= allowed, "\(format) took \(growth) where \(memory.bytes) were planned")
                }
            }
        }
    }
}
