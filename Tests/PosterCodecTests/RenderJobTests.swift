import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct RenderJobTests {
    static func job(_ widths: [Int], of source: DecodeSharingTests.Source = .baseline) throws -> RenderJob {
        let targets = widths.map { RenderJob.Target(RenderTarget(width: $0, format: .webp)) }
        let jobs = DecodeSharing(targets, of: source.header, byteCount: 1_000_000).jobs
        try #require(jobs.count == 1)
        return jobs[0].job
    }

    @Test("a target alone is planned as ever")
    func plansOne() throws {
        for source in [DecodeSharingTests.Source.baseline, .progressive, .webP, .png] {
            let job = try Self.job([342], of: source)
            let plan = try RenderPlan(source.header, target: job.targets[0].target)
            #expect(try job.plan(0) == plan)
            #expect(plan.recipe == .own && plan.levels == (0, 0))
        }
    }

    @Test("a target whose own scale is the decode's is planned as if it were alone")
    func plansTheLargest() throws {
        let job = try Self.job([92, 500, 780])
        #expect(try job.plan(2) == RenderPlan(job.source, target: job.targets[2].target))
        #expect(try job.plan(0).recipe == .shared(.eighths(8)))
        #expect(try job.plan(0).size == RenderPlan(job.source, target: job.targets[0].target).size)
        let png = try Self.job([92, 500, 780], of: .png)
        #expect(try png.targets.indices.allSatisfy { try png.plan($0).recipe == .own })
    }

    @Test("a decode that is too small for a target is refused")
    func refusesSmallScales() throws {
        let job = try Self.job([92, 780])
        let small = RenderJob(source: job.source, byteCount: 1, targets: job.targets, scale: .eighths(2))
        #expect(throws: CodecError.internalError(reason: "a decode at 2/8 for a target that needs 8/8")) {
            try small.plan(1)
        }
    }

    /// Widths, and the numbers of halvings of luma and chroma in a decode at 8/8 of 2000×3000 samples.
    @Test(
        "rows are halved as long as the filter keeps enough to do",
        arguments: [(780, 0), (500, 1), (342, 1), (185, 1), (154, 2), (92, 2), (50, 3), (8, 3)])
    func halves(width: Int, level: Int) throws {
        let job = try Self.job([width, 1900])
        #expect(try job.plan(0).levels == (level, level))
    }

    /// libjpeg decodes the chroma of 4:2:0 at 4/8 to as many samples as luma has.
    @Test("chroma is halved once more where it has as many samples as luma")
    func halvesChroma() throws {
        let targets = [154, 185, 342].map { RenderJob.Target(RenderTarget(width: $0, format: .jpeg)) }
        let job = RenderJob(
            source: DecodeSharingTests.Source.progressive.header, byteCount: 1, targets: targets, scale: .eighths(4))
        #expect(try job.plan(0).levels == (1, 2))
        // Decoder and halving together would shrink luma to a quarter, and leave the filter a ratio below 3.
        #expect(try job.plan(1).levels == (0, 1))
        #expect(try job.plan(2).levels == (0, 1))
        #expect(try job.plan(2).recipe == .shared(.eighths(4)), "scans are read that its own decode leaves out")
    }

    @Test("rows of turned pictures are halved by the sides as they are stored")
    func halvesTurned() throws {
        var header = DecodeSharingTests.Source.baseline.header
        let target = RenderTarget(width: 300, height: 300, fit: .cover, format: .jpeg)
        let upright = try RenderPlan(header, target: target).inJob(at: .eighths(8), isAlone: false, limits: .init())
        header.orientation = .turnedLeft
        let turned = try RenderPlan(header, target: target).inJob(at: .eighths(8), isAlone: false, limits: .init())
        #expect(upright.levels == turned.levels)
        // Three samples per pixel along the stored rows, twelve along the columns.
        #expect(turned.level(samplesPerPixel: (0.5, 2), decodedAt: 1, pixelsPerSample: 1) == 0)
    }

    @Test("the recipes of a target are those that jobs give it, at most five")
    func namesRecipes() throws {
        var random = SeededRandom(seed: 19)
        for _ in 0..<300 {
            let header = RandomTargets.header(&random)
            let targets = RandomTargets.targets(&random)
            for decode in DecodeSharing(targets, of: header, byteCount: 100_000).jobs {
                for index in decode.job.targets.indices {
                    let possible = DecodeRecipe.possible(for: header, target: decode.job.targets[index].target)
                    #expect(possible.count <= 5 && possible.first == .own && Set(possible).count == possible.count)
                    #expect(try possible.contains(decode.job.plan(index).recipe))
                }
            }
        }
        let widest = RenderTarget(width: 20, format: .jpeg)
        #expect(
            DecodeRecipe.possible(for: DecodeSharingTests.Source.progressive.header, target: widest).map(\.description)
                == ["own", "shared 1/8", "shared 2/8", "shared 4/8", "shared 8/8"])
        #expect(
            DecodeRecipe.possible(for: DecodeSharingTests.Source.png.header, target: widest) == [.own, .shared(.none)])
    }

    @Test("a job's estimate is not less than its largest plan's, and for the ladder less than their sum")
    func estimatesMemory() throws {
        for source in [DecodeSharingTests.Source.baseline, .progressive, .webP, .losslessWebP, .png] {
            let sharing = DecodeSharingTests.divided(DecodeSharingTests.ladder, source)
            try #require(sharing.jobs.count == 1)
            let plans = try sharing.jobs[0].job.targets.indices.map { try sharing.jobs[0].job.plan($0) }
            let memory = sharing.jobs[0].memory
            #expect(memory.bytes >= plans.map(\.workingBytes).max()!)
            #expect(memory.bytes < plans.reduce(0) { $0 + $1.workingBytes }, "\(source)")
            #expect(memory.encodingBytes < memory.decodingBytes || source == .baseline, "\(source)")
            for plan in plans {
                let one = JobMemoryEstimate([plan], limits: .init())
                #expect(one.bytes == plan.workingBytes && one.encodingBytes <= plan.workingBytes)
                #expect(plan.encodingBytes <= plan.workingBytes)
            }
        }
    }
}
