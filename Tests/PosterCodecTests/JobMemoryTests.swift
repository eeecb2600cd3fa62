import CodecTesting
import Testing

@testable import PosterCodec

/// Jobs of several targets use no more memory than estimated.
@Suite(.computingThread) struct JobMemoryTests {
    private static func originals() throws -> [(name: String, bytes: [UInt8])] {
        let picture = FormulaPicture.gradient(width: 700, height: 1050)
        let baseline = try picture.jpeg(quality: 85)
        return [
            ("baseline", baseline), ("progressive", try picture.jpeg(quality: 85, isProgressive: true)),
            ("PNG", try baseline.rendered(width: nil, format: .png).bytes),
            ("WebP", try baseline.rendered(width: nil, format: .webp).bytes),
        ]
    }

    @Test(
        "a job of twelve targets takes no more than 1.25 times its estimate and 2 MiB, as a render does",
        .disabled(if: PeakMemory.isHidden, "AddressSanitizer takes more itself"),
        .enabled(if: PeakMemory.isAvailable, "the kernel cannot reset the peak"))
    func estimatesHold() async {
        // In a separate process, without other allocations.
        await #expect(processExitsWith: .success) {
            ProcessHeap.configure()
            _ = try PNGFile(width: 64, height: 64).bytes.rendered(width: 32, format: .webp)
            let targets = [40, 92, 154, 185, 342, 500].flatMap { width in
                [OutputFormat.jpeg, .webp].map { RenderJob.Target(RenderTarget(width: width, format: $0)) }
            }
            for (name, bytes) in try JobMemoryTests.originals() {
                let sharing = DecodeSharing(targets, of: try bytes.header(), byteCount: bytes.count)
                try #require(sharing.jobs.count == 1)
                let (job, memory) = (sharing.jobs[0].job, sharing.jobs[0].memory)
                var results: [[UInt8]] = []
                let growth = try #require(
                    try PeakMemory.growth {
                        let control = JobControl(targetCount: job.targets.count)
                        try renderFiles(bytes.span.bytes, job: job, control: control) { _, result in
                            if case .success(let file) = consume result { results.append(file.bytes.array) }
                        }
                    })
                #expect(results.count == 12, "\(name)")
                let allowed = memory.bytes / 4 * 5 + (2 << 20) + results.reduce(0) { $0 + $1.count }
                #expect(growth <= allowed, "\(name) took \(growth) where \(memory.bytes) were planned")
            }
        }
    }

    @Test(
        "a job that retains planes, and one that reads them, take no more than their estimates",
        .disabled(if: PeakMemory.isHidden, "AddressSanitizer takes more itself"),
        .enabled(if: PeakMemory.isAvailable, "the kernel cannot reset the peak"))
    func estimatesOfPlanesHold() async {
        await #expect(processExitsWith: .success) {
            ProcessHeap.configure()
            _ = try PNGFile(width: 64, height: 64).bytes.rendered(width: 32, format: .webp)
            let pool = PlaneMemoryPool(spareBytes: 0)
            for (name, bytes) in try JobMemoryTests.originals() {
                let target = RenderJob.Target(RenderTarget(width: 340, format: .webp))
                let source = try bytes.header()
                var job = RenderJob(
                    source: source, byteCount: bytes.count, targets: [target],
                    scale: source.format == .jpeg ? .eighths(8) : .none)
                job.retention = PlaneRetention(
                    ladder: [690], source: job.source, scale: job.scale, byteLimit: 1 << 30)
                let memory = JobMemoryEstimate([try job.plan(0)], limits: .init())
                    .retaining(job.retention, of: job.source, scale: job.scale)
                var planes: RetainedPlanes?
                let growth = try #require(
                    try PeakMemory.growth {
                        let control = JobControl(targetCount: 1)
                        let decoded = try decodeJob(bytes.span.bytes, job: job, control: control, pool: pool)
                        planes = decoded.planes
                        while let picture = decoded.pictures.next() { _ = try picture.encode(control: control) }
                    })
                let retained = try #require(planes, "\(name)")
                #expect(
                    growth <= memory.bytes / 4 * 5 + (2 << 20),
                    "\(name) took \(growth) where \(memory.bytes) were planned")
                // The retained planes include full-size luma.
                #expect(retained.byteCount >= 700 * 1050)
                let reading = retained.job([target, .init(RenderTarget(width: 500, format: .jpeg))])
                let planned = try retained.memory(for: reading)
                #expect(planned.bytes < memory.bytes)
                let more = try #require(
                    try PeakMemory.growth {
                        let control = JobControl(targetCount: 2)
                        let pictures = try decodeJob(retained, job: reading, control: control).pictures
                        while let picture = pictures.next() { _ = try picture.encode(control: control) }
                    })
                #expect(
                    more <= planned.bytes / 4 * 5 + (2 << 20),
                    "\(name) took \(more) where \(planned.bytes) were planned")
            }
        }
    }
}
