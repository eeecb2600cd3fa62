import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct DecodeSharingTests {
    /// A render target of a test case.
    struct Wish: Sendable {
        var width: Int
        var urgency: UInt8 = 0
        var format = OutputFormat.jpeg
        var effort = RenderTarget.Effort.balanced

        var target: RenderJob.Target {
            RenderJob.Target(
                RenderTarget(width: self.width, format: self.format, effort: self.effort), urgency: self.urgency)
        }
    }

    enum Source: Sendable {
        case baseline, progressive, webP, losslessWebP, png, avif, deepAVIF, gif

        var header: ImageHeader {
            switch self {
            case .baseline: RenderPlanTests.header(2000, 3000)
            case .progressive: RenderPlanTests.header(2000, 3000, isMultiScan: true)
            case .webP: Self.other(.webp)
            case .losslessWebP: Self.other(.webp, isLossless: true)
            case .png: Self.other(.png, isLossless: true)
            case .avif: Self.avif(bitDepth: 8)
            case .deepAVIF: Self.avif(bitDepth: 10)
            case .gif: Self.other(.gif, isLossless: true)
            }
        }

        private static func avif(bitDepth: Int) -> ImageHeader {
            var header = self.other(.avif)
            header.bitDepth = bitDepth
            header.sampling = RenderPlanTests.header(1, 1).sampling
            let cells = HEIFCoding.Cells(
                width: 2000, height: 3000, columns: 1, rows: 1, bitDepth: bitDepth, chromaShare: 1)
            header.coding = HEIFCoding(
                colours: cells, joinedBytes: 0, isPlain: true, heldPictures: 1, tileCount: 1)
            return header
        }

        private static func other(_ format: ImageFormat, isLossless: Bool = false) -> ImageHeader {
            ImageHeader(
                format: format, width: 2000, height: 3000, bitDepth: 8,
                colourModel: isLossless ? .rgb : .yCbCr, sampling: [], isProgressive: false, isMultiScan: false,
                isLossless: isLossless)
        }
    }

    /// Targets, and the expected jobs: each with its scale and the indices of its targets.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: Source
        let wishes: [Wish]
        let jobs: [(scale: String, indices: [Int])]
        /// One per target.
        let reasons: [DecodeSharing.Reason]

        init(
            _ description: String, _ source: Source, _ wishes: [Wish], jobs: [(String, [Int])],
            reasons: [DecodeSharing.Reason]
        ) {
            self.testDescription = description
            self.source = source
            self.wishes = wishes
            self.jobs = jobs.map { (scale: $0.0, indices: $0.1) }
            self.reasons = reasons
        }
    }

    static let ladder = [92, 154, 185, 342, 500, 780].flatMap { width in
        [Wish(width: width), Wish(width: width, format: .webp)]
    }

    static let cases = [
        Case("one target", .baseline, [Wish(width: 342)], jobs: [("4/8", [0])], reasons: [.onlyOne]),
        Case(
            "the ladder of a baseline JPEG", .baseline, ladder, jobs: [("8/8", Array(0..<12))],
            reasons: .init(repeating: .sharesDecode, count: 12)),
        Case(
            "the ladder of a progressive JPEG", .progressive, ladder, jobs: [("8/8", Array(0..<12))],
            reasons: .init(repeating: .sharesDecode, count: 12)),
        Case(
            "two widths of one scale", .baseline, [Wish(width: 342), Wish(width: 500)], jobs: [("4/8", [0, 1])],
            reasons: [.sharesDecode, .sharesDecode]),
        Case(
            "two small widths", .baseline, [Wish(width: 92), Wish(width: 154)], jobs: [("2/8", [0, 1])],
            reasons: [.sharesDecode, .sharesDecode]),
        Case(
            "the ladder of a PNG", .png, ladder, jobs: [("1/1", Array(0..<12))],
            reasons: .init(repeating: .sharesDecode, count: 12)),
        Case(
            "the ladder of a lossless WebP", .losslessWebP, ladder, jobs: [("1/1", Array(0..<12))],
            reasons: .init(repeating: .sharesDecode, count: 12)),
        Case(
            "the ladder of an AVIF", .avif, ladder, jobs: [("1/1", Array(0..<12))],
            reasons: .init(repeating: .sharesDecode, count: 12)),
        Case(
            "the ladder of a GIF", .gif, ladder, jobs: [("1/1", Array(0..<12))],
            reasons: .init(repeating: .sharesDecode, count: 12)),
        Case(
            "a lossy WebP is decoded at the largest scale, rounded up to a power of two", .webP,
            [Wish(width: 92), Wish(width: 300)], jobs: [("1/2", [0, 1])], reasons: [.sharesDecode, .sharesDecode]),
        Case(
            "a lossy WebP that is wanted at one scale is decoded at that", .webP,
            [Wish(width: 300), Wish(width: 310, format: .webp)], jobs: [("1/3", [0, 1])],
            reasons: [.sharesDecode, .sharesDecode]),
        Case(
            "a less urgent target does not enlarge the decode of a more urgent one", .baseline,
            [Wish(width: 780), Wish(width: 92, urgency: 2)], jobs: [("2/8", [1]), ("8/8", [0])],
            reasons: [.urgency, .urgency]),
        Case(
            "a less urgent target joins the decode of a more urgent one that is large enough", .baseline,
            [Wish(width: 92), Wish(width: 500, urgency: 2), Wish(width: 780)],
            jobs: [("4/8", [0, 1]), ("8/8", [2])], reasons: [.sharesDecode, .sharesDecode, .urgency]),
        Case(
            "a less urgent target joins where decoding takes as long at any scale", .webP,
            [Wish(width: 780), Wish(width: 92, urgency: 2)], jobs: [("1/1", [0, 1])],
            reasons: [.sharesDecode, .sharesDecode]),
        Case(
            "another effort has its own decode of a progressive file", .progressive,
            [Wish(width: 342), Wish(width: 342, effort: .full), Wish(width: 185)],
            jobs: [("4/8", [0, 2]), ("4/8", [1])], reasons: [.sharesDecode, .effort, .sharesDecode]),
        Case(
            "another effort shares the decode of a baseline file", .baseline,
            [Wish(width: 342), Wish(width: 342, effort: .full)], jobs: [("4/8", [0, 1])],
            reasons: [.sharesDecode, .sharesDecode]),
    ]

    static func divided(
        _ wishes: [Wish], _ source: Source, limits: CodecLimits = .init(), memoryLimit: Int? = nil
    ) -> DecodeSharing {
        DecodeSharing(
            wishes.map(\.target), of: source.header, byteCount: 2_200_000, limits: limits, memoryLimit: memoryLimit)
    }

    @Test("targets share a decode at the largest scale that one of them needs, unless that is worse", arguments: cases)
    func divides(_ expected: Case) {
        let sharing = Self.divided(expected.wishes, expected.source)
        #expect(sharing.failures.isEmpty)
        #expect(sharing.jobs.map(\.job.scale.description) == expected.jobs.map(\.scale))
        #expect(sharing.jobs.map { $0.members.map(\.index) } == expected.jobs.map(\.indices))
        let members = sharing.jobs.flatMap(\.members).sorted { $0.index < $1.index }
        #expect(members.map(\.reason) == expected.reasons)
        for decode in sharing.jobs {
            #expect(decode.job.targets == decode.members.map { expected.wishes[$0.index].target })
        }
    }

    @Test("a target is alone when its share costs more than a decode of its own")
    func weighsCosts() {
        var cost = DecodeCost(source: Source.baseline.header, byteCount: 20_000)
        let targets = [Wish(width: 92), Wish(width: 780)].map(\.target)
        func division() -> DecodeSharing {
            DecodeSharing(targets, cost: cost, limits: .init(), memoryLimit: .max)
        }
        #expect(division().jobs.count == 1)
        cost.halved = 1
        #expect(division().jobs.map(\.job.scale.description) == ["2/8", "8/8"])
        #expect(division().jobs.flatMap(\.members).map(\.reason) == [.cost, .cost])
    }

    @Test("decoding costs by the bytes of a file and by its samples", arguments: [Source.avif, .gif, .progressive])
    func countsBytes(source: Source) {
        func cost(_ source: Source, byteCount: Int) -> Double {
            DecodeCost(source: source.header, byteCount: byteCount).decoding(at: .eighths(8), effort: .full)
        }
        let (small, large) = (cost(source, byteCount: 100_000), cost(source, byteCount: 1_100_000))
        // The cost is linear in the bytes, with a constant part.
        #expect(small - (large - small) / 10 > 0 && large > 1.1 * small)
        #expect(cost(.deepAVIF, byteCount: 100_000) > cost(.avif, byteCount: 100_000))
    }

    @Test("where scans may be left out, little of the time by bytes is left")
    func leavesScansOut() {
        let cost = DecodeCost(source: Source.progressive.header, byteCount: 2_200_000)
        let costs = [1, 2, 4, 8].map { cost.decoding(at: .eighths($0), effort: .balanced) }
        #expect(costs == costs.sorted() && costs[0] < costs[3] / 8)
        #expect(cost.decoding(at: .eighths(1), effort: .full) > costs[3] / 2)
    }

    @Test("targets that exceed the memory together are divided, the most urgent last")
    func limitsMemory() throws {
        let wishes = [780, 770, 760].map { Wish(width: $0, urgency: $0 == 780 ? 2 : 1, format: .webp) }
        let all = Self.divided(wishes, .baseline)
        let needed = try #require(all.jobs.first).memory.bytes
        #expect(all.jobs.count == 1)
        let two = Self.divided(wishes, .baseline, memoryLimit: needed - 1)
        #expect(two.jobs.map { $0.members.map(\.index) } == [[0, 2], [1]])
        #expect(two.jobs.allSatisfy { $0.memory.bytes < needed })
        #expect(two.jobs[1].members[0].reason == .memory)
        let none = Self.divided(wishes, .baseline, memoryLimit: 1)
        #expect(
            none.jobs.map { $0.members.map(\.index) } == [[0], [2], [1]]
                || none.jobs.map { $0.members.map(\.index) } == [[0], [1], [2]])
        #expect(none.jobs.flatMap(\.members).allSatisfy { $0.reason == .memory })
    }

    @Test("a target that cannot be planned fails alone")
    func failsAlone() throws {
        let header = RenderPlanTests.header(100, 9000)
        let targets = [92, 50].map { RenderJob.Target(RenderTarget(width: $0, format: .jpeg)) }
        let sharing = DecodeSharing(targets, of: header, byteCount: 1000)
        #expect(sharing.failures == [0: .sideTooLong(pixels: 8280, limit: 8192)])
        #expect(sharing.jobs.map { $0.members.map(\.index) } == [[1]])
        #expect(sharing.jobs[0].members[0].reason == .onlyOne)
    }

    @Test("thirty-three targets are two jobs, of which the first has the most urgent")
    func limitsTheCount() {
        let wishes = (0..<33).map { Wish(width: 100 + $0, urgency: $0 == 7 ? 0 : 1) }
        let jobs = Self.divided(wishes, .baseline).jobs
        #expect(jobs.map(\.members.count) == [32, 1])
        #expect(jobs[1].members[0].index == 7)
        #expect(jobs[1].members[0].reason == .count)
    }

    @Test("the division does not depend on the order of equals", arguments: 0..<20)
    func ignoresTheOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let wishes = Self.ladder.enumerated().map { index, wish in
            Wish(width: wish.width, urgency: UInt8(index % 3), format: wish.format)
        }
        func jobs(_ wishes: [Wish]) -> Set<Set<RenderJob.Target>> {
            Set(Self.divided(wishes, .baseline).jobs.map { Set($0.job.targets) })
        }
        #expect(jobs(wishes) == jobs(wishes.shuffled(using: &random)))
    }

    @Test("the estimated cost is never more than that of single renders", arguments: 0..<50)
    func neverCostsMore(seed: UInt64) throws {
        var random = SeededRandom(seed: 1000 + seed)
        for _ in 0..<10 {
            let source = RandomTargets.header(&random)
            let targets = RandomTargets.targets(&random)
            var cost = DecodeCost(
                source: source, byteCount: Int.random(in: 1...source.width * source.height, using: &random))
            cost.filtered = Double.random(in: 0.1...4, using: &random)
            cost.halved = Double.random(in: 0.01...0.1, using: &random)
            let sharing = DecodeSharing(targets, cost: cost, limits: .init(), memoryLimit: 64 << 20)
            var (shared, single) = (0.0, 0.0)
            for decode in sharing.jobs {
                let plans = try decode.job.targets.indices.map { try decode.job.plan($0) }
                shared += cost.total(plans)
                #expect(plans.allSatisfy { $0.scale == decode.job.scale })
                for target in decode.job.targets {
                    single += cost.total([try RenderPlan(source, target: target.target)])
                }
            }
            #expect(shared <= single * 1.000_001, "\(source) \(targets)")
            let indices = sharing.jobs.flatMap(\.members).map(\.index) + sharing.failures.keys
            #expect(indices.sorted() == Array(targets.indices), "each target is in one job, or fails")
        }
    }
}

/// Random headers and targets for property tests.
enum RandomTargets {
    static func header(_ random: inout SeededRandom) -> ImageHeader {
        let format = [ImageFormat.jpeg, .jpeg, .png, .webp].randomElement(using: &random)!
        let isProgressive = Bool.random(using: &random)
        let isLossless = format == .png || (format == .webp && Bool.random(using: &random))
        var header = ImageHeader(
            format: format, width: .random(in: 1...3000, using: &random), height: .random(in: 1...3000, using: &random),
            bitDepth: 8, colourModel: isLossless ? .rgb : .yCbCr, sampling: [], isProgressive: isProgressive,
            isMultiScan: isProgressive, isLossless: isLossless, hasAlpha: isLossless && Bool.random(using: &random))
        if format == .jpeg {
            header.sampling = RenderPlanTests.header(1, 1).sampling
            if Bool.random(using: &random) { header.sampling[0] = header.sampling[1] }
        }
        header.orientation = Orientation.allCases.randomElement(using: &random)!
        return header
    }

    static func targets(_ random: inout SeededRandom) -> [RenderJob.Target] {
        (0..<Int.random(in: 1...40, using: &random)).map { _ in
            var target = RenderTarget(
                width: .random(in: 1...1500, using: &random),
                format: OutputFormat.allCases.randomElement(using: &random)!,
                effort: RenderTarget.Effort.allCases.randomElement(using: &random)!)
            if Bool.random(using: &random) { target.height = .random(in: 1...1500, using: &random) }
            target.fit = RenderTarget.Fit.allCases.randomElement(using: &random)!
            target.position = RenderTarget.Position.allCases.randomElement(using: &random)!
            return RenderJob.Target(target, urgency: .random(in: 0...2, using: &random))
        }
    }
}
