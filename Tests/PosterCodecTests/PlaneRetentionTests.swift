import Testing

@testable import PosterCodec

@Suite struct PlaneRetentionTests {
    typealias Source = DecodeSharingTests.Source

    /// A decode, and the widest target that its planes serve.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: Source
        let scale: DecodeScale
        var ladder = [92, 154, 185, 342, 500, 780]
        var byteLimit = 5 << 20
        /// `nil` if no planes are retained.
        let servedWidth: Int?
        /// Halvings of each plane, in the decoder's order.
        var levels: [Int] = []
        var byteCount = 0
    }

    static let cases = [
        Case(
            testDescription: "a baseline JPEG at 4/8 serves up to 500, with half its chroma", source: .baseline,
            scale: .eighths(4), servedWidth: 500, levels: [0, 1, 1], byteCount: 1024 * 1500 + 2 * 512 * 750),
        Case(
            testDescription: "what the widest needs of 8/8 does not fit, so half of it stays for the next",
            source: .baseline, scale: .eighths(8), servedWidth: 500, levels: [1, 1, 1],
            byteCount: 1024 * 1500 + 2 * 512 * 750),
        Case(
            testDescription: "everything stays where there is room", source: .baseline, scale: .eighths(8),
            byteLimit: 16 << 20, servedWidth: 780, levels: [0, 0, 0], byteCount: 2016 * 3000 + 2 * 1024 * 1500),
        Case(
            testDescription: "thumbnails' planes serve thumbnails", source: .baseline, scale: .eighths(2),
            servedWidth: 154, levels: [0, 1, 1], byteCount: 512 * 750 + 2 * 256 * 375),
        Case(
            testDescription: "planes that nothing can be rendered from do not stay", source: .baseline,
            scale: .eighths(1), servedWidth: nil),
        Case(
            testDescription: "planes that do not fit do not stay", source: .baseline, scale: .eighths(4),
            ladder: [500, 342], byteLimit: 2_303_999, servedWidth: nil),
        Case(
            testDescription: "planes that just fit stay", source: .baseline, scale: .eighths(4), ladder: [342, 500],
            byteLimit: 2_304_000, servedWidth: 500, levels: [0, 1, 1], byteCount: 2_304_000),
        Case(
            testDescription: "without a ladder nothing stays", source: .baseline, scale: .eighths(8), ladder: [],
            servedWidth: nil),
        Case(
            testDescription: "without room nothing stays", source: .baseline, scale: .eighths(4), byteLimit: 0,
            servedWidth: nil),
        Case(
            testDescription: "widths that cannot be are passed over", source: .baseline, scale: .eighths(4),
            ladder: [0, -7, 342], servedWidth: 342, levels: [0, 1, 1], byteCount: 2_304_000),
        Case(
            testDescription: "lossy WebP at 1/2", source: .webP, scale: .one(in: 2), servedWidth: 500,
            levels: [0, 0, 0], byteCount: 1024 * 1500 + 2 * 512 * 750),
        Case(
            testDescription: "a scale that targets do not share has no recipe", source: .webP, scale: .one(in: 3),
            servedWidth: nil),
        Case(
            testDescription: "a PNG keeps three planes of half the size", source: .png, scale: .none, servedWidth: 500,
            levels: [1, 1, 1], byteCount: 3 * 1024 * 1500),
    ]

    @Test("the widest target that is served and fits decides what stays", arguments: cases)
    func chooses(_ example: Case) throws {
        let source = example.source.header
        let retention = PlaneRetention(
            ladder: example.ladder, source: source, scale: example.scale, byteLimit: example.byteLimit)
        #expect(retention?.servedWidth == example.servedWidth)
        guard let retention else { return }
        #expect(retention.levels(of: source, scale: example.scale) == example.levels)
        #expect(retention.byteCount(of: source, scale: example.scale) == example.byteCount)
        #expect(example.byteCount <= example.byteLimit)
    }

    @Test("every target of the ladder that is not wider than the served one reads what stays, or less of it")
    func servesNarrower() throws {
        for example in Self.cases {
            let source = example.source.header
            guard
                let retention = PlaneRetention(
                    ladder: example.ladder, source: source, scale: example.scale, byteLimit: example.byteLimit)
            else { continue }
            let retained = retention.levels(of: source, scale: example.scale)
            for width in example.ladder where (1...retention.servedWidth).contains(width) {
                for format in [OutputFormat.jpeg, .webp] {
                    let plan = try RenderPlan(source, target: RenderTarget(width: width, format: format))
                        .forJob(at: example.scale, limits: .init())
                    let levels = DecodedPlane.planes(of: source, at: example.scale).map(plan.level)
                    #expect(zip(levels, retained).allSatisfy { $0 >= $1 }, "\(example.testDescription), \(width)")
                }
            }
        }
    }

    /// Targets of one decode, and its expected properties with retained planes.
    struct Decode: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: Source
        let widths: [Int]
        var byteLimit = 5 << 20
        let scale: String
        let servedWidth: Int?
        var recipe = DecodeRecipe.own
    }

    @Test(
        "the scale of a decode is larger where that serves more of the ladder at little cost",
        arguments: [
            Decode(
                testDescription: "a JPEG's planes are those of its scale", source: .baseline, widths: [342],
                scale: "4/8", servedWidth: 500),
            Decode(
                testDescription: "a larger inverse DCT costs too much", source: .baseline, widths: [92], scale: "2/8",
                servedWidth: 154),
            Decode(
                testDescription: "libwebp decodes everything, so a thumbnail leaves planes for the ladder",
                source: .webP, widths: [92], scale: "1/2", servedWidth: 500, recipe: .shared(.one(in: 2))),
            Decode(
                testDescription: "what is large enough stays as it is", source: .webP, widths: [500], scale: "1/2",
                servedWidth: 500),
            Decode(
                testDescription: "a PNG has one scale", source: .png, widths: [92], scale: "1/1", servedWidth: 500),
            Decode(
                testDescription: "without room nothing changes", source: .webP, widths: [92], byteLimit: 0,
                scale: "1/7", servedWidth: nil),
        ])
    func retains(_ example: Decode) throws {
        let sharing = DecodeSharingTests.divided(
            example.widths.map { DecodeSharingTests.Wish(width: $0) }, example.source)
        let decode = try #require(sharing.jobs.first)
        let retaining = decode.retaining(ladder: [92, 154, 185, 342, 500, 780], byteLimit: example.byteLimit)
        #expect(retaining.job.scale.description == example.scale)
        #expect(retaining.job.retention?.servedWidth == example.servedWidth)
        #expect(retaining.members == decode.members && retaining.job.targets == decode.job.targets)
        #expect(try retaining.job.plan(0).recipe == example.recipe)
        #expect((retaining.memory.bytes > decode.memory.bytes) == (example.servedWidth != nil))
        if example.servedWidth == nil { #expect(retaining == decode) }
    }

    @Test("a decode that may cost more leaves planes for wider targets")
    func mayCostMore() throws {
        let decode = try #require(DecodeSharingTests.divided([.init(width: 92)], .baseline).jobs.first)
        func retained(_ costFactor: Double) -> (String, Int?) {
            let job = decode.retaining(ladder: [92, 154, 342, 500, 780], byteLimit: 16 << 20, costFactor: costFactor)
                .job
            return (job.scale.description, job.retention?.servedWidth)
        }
        #expect(retained(1) == ("2/8", 154))
        #expect(retained(100) == ("8/8", 780))
    }

    @Test("planes do not stay where they would exceed the working memory of a job")
    func isWithinLimits() throws {
        let decode = try #require(DecodeSharingTests.divided([.init(width: 342)], .baseline).jobs.first)
        var limits = CodecLimits()
        limits.maxWorkingBytes = decode.memory.bytes
        #expect(decode.retaining(ladder: [342], byteLimit: 5 << 20, limits: limits) == decode)
    }
}
