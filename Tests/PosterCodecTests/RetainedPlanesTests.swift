import CodecTesting
import Testing

@testable import PosterCodec

/// Retained planes of a decode, which serve further targets.
@Suite(.computingThread) struct RetainedPlanesTests {
    static let pool = PlaneMemoryPool(spareBytes: 16 << 20)

    /// A job of one small target that retains planes for targets of `servedWidth`; `nil` if the scale serves none.
    static func job(
        of file: [UInt8], scale: DecodeScale, servedWidth: Int, effort: RenderTarget.Effort = .balanced
    ) throws -> RenderJob? {
        let source = try file.header()
        let target = RenderTarget(width: 1, format: .png, effort: effort)
        var job = RenderJob(source: source, byteCount: file.count, targets: [.init(target)], scale: scale)
        job.retention = PlaneRetention(ladder: [servedWidth], source: source, scale: scale, byteLimit: 1 << 30)
        return job.retention == nil ? nil : job
    }

    static func planes(_ file: [UInt8], _ job: RenderJob) throws -> RetainedPlanes {
        let decoded = try decodeJob(file.span.bytes, job: job, control: JobControl(targetCount: 1), pool: self.pool)
        return try #require(decoded.planes)
    }

    /// Compares renders from the planes with a shared decode at their scale, and refused targets with the rule.
    ///
    /// - Returns: The number of targets that they serve.
    static func check(
        _ planes: RetainedPlanes, retained: [Int], of file: [UInt8], effort: RenderTarget.Effort = .balanced,
        targets: [RenderTarget]
    ) throws -> Int {
        var served: [RenderTarget] = []
        for target in targets {
            let own = try RenderPlan(planes.source, target: target)
            let plan = own.forJob(at: planes.scale, limits: .init())
            let levels = DecodedPlane.planes(of: planes.source, at: planes.scale).map(plan.level)
            let leavesOut = planes.source.isProgressive && planes.source.format == .jpeg && planes.scale.eighths < 8
            let isServed =
                own.scale <= planes.scale && zip(levels, retained).allSatisfy { $0 >= $1 }
                && (!leavesOut || target.effort == effort)
            #expect(planes.serves(target) == isServed, "\(target) at \(planes.scale), levels \(levels) of \(retained)")
            let job = planes.job([.init(target)])
            if planes.serves(target) {
                served.append(target)
            } else {
                #expect(throws: CodecError.internalError(reason: "a target that the planes do not serve")) {
                    try decodeJob(planes, job: job, control: JobControl(targetCount: 1))
                }
            }
        }
        for start in stride(from: 0, to: served.count, by: RenderJob.targetLimit) {
            let part = served[start..<min(start + RenderJob.targetLimit, served.count)].map { RenderJob.Target($0) }
            let control = JobControl(targetCount: part.count)
            let pictures = try decodeJob(planes, job: planes.job(part), control: control).pictures
            while let picture = pictures.next() {
                let target = part[picture.index].target
                #expect(picture.recipe == .shared(planes.scale))
                let plan = try RenderPlan(planes.source, target: target)
                    .forJob(at: planes.scale, limits: .init())
                let bytes = try picture.encode(control: control).bytes.array
                #expect(try bytes == file.rendered(as: plan).bytes, "\(target) at \(planes.scale) of \(retained)")
            }
        }
        return served.count
    }

    @Test(
        "planes give the bytes of a shared decode at their scale, and serve what the rule allows and nothing else",
        arguments: [FormulaPicture.Subsampling.s420, .s422, .s444, .gray], [false, true])
    func servesJPEG(subsampling: FormulaPicture.Subsampling, isProgressive: Bool) throws {
        let file = try SharedRenderTests.jpeg(327, 245, subsampling: subsampling, isProgressive: isProgressive)
        let targets = [5, 9, 13, 20, 27, 41, 54, 75, 82, 110, 163].flatMap { width in
            OutputFormat.quick.map { RenderTarget(width: width, format: $0) }
                + [RenderTarget(width: width, format: .jpeg, quality: 95, effort: .full)]
        }
        for eighths in [1, 2, 4, 8] {
            var levels: Set<[Int]> = []
            for width in [8, 13, 20, 41, 82, 163] {
                guard let job = try Self.job(of: file, scale: .eighths(eighths), servedWidth: width) else { continue }
                let retained = try #require(job.retention?.levels(of: job.source, scale: job.scale))
                guard levels.insert(retained).inserted else { continue }
                let served = try Self.check(Self.planes(file, job), retained: retained, of: file, targets: targets)
                #expect(served > 0 && (served < targets.count || eighths == 8))
            }
            #expect(levels.count >= (eighths < 4 ? 1 : 3), "several levels are compared: \(levels)")
        }
    }

    @Test("planes serve turned and cropped targets of any colours", arguments: Orientation.allCases)
    func servesAnyColours(orientation: Orientation) throws {
        for kind in FramedRenderTests.kinds {
            let file = FramedRenderTests.file(orientation, components: kind.components, segments: kind.segments)
            let targets = OutputFormat.quick.flatMap { format in
                [
                    RenderTarget(width: 12, format: format),
                    RenderTarget(width: 8, height: 8, fit: .cover, position: .top, format: format),
                    RenderTarget(width: 6, height: 8, fit: .cover, position: .entropy, format: format),
                ]
            }
            let job = try #require(try Self.job(of: file, scale: .eighths(8), servedWidth: 24))
            let retained = try #require(job.retention?.levels(of: job.source, scale: job.scale))
            let planes = try Self.planes(file, job)
            #expect(retained.allSatisfy { $0 > 0 } && planes.levels == retained, "\(kind.name)")
            #expect(planes.byteCount >= job.retention!.byteCount(of: job.source, scale: job.scale))
            #expect(try Self.check(planes, retained: retained, of: file, targets: targets) == 9, "\(kind.name)")
        }
    }

    @Test("planes of a PNG serve what reads them halved", arguments: [0, 2, 3, 4, 6])
    func servesPNG(colourType: Int) throws {
        let file = PNGFile(width: 121, height: 90, colourType: colourType).bytes
        for width in [10, 30, 110] {
            let job = try #require(try Self.job(of: file, scale: .none, servedWidth: width))
            let retained = try #require(job.retention?.levels(of: job.source, scale: job.scale))
            let targets = SharedRenderTests.targets([5, 10, 24, 30, 60, 110], OutputFormat.quick)
            let served = try Self.check(Self.planes(file, job), retained: retained, of: file, targets: targets)
            #expect(served == (width == 110 ? 18 : width == 30 ? 12 : 6), "\(width)")
        }
    }

    @Test("planes of a lossy WebP serve at the scales that targets share", arguments: [(320, 240), (323, 241)])
    func servesWebP(width: Int, height: Int) throws {
        let file = try SharedRenderTests.jpeg(width, height).rendered(width: nil, format: .webp).bytes
        let targets = SharedRenderTests.targets([9, 20, 40, 80, 130], OutputFormat.quick)
        for denominator in [1, 2, 4] {
            for servedWidth in [20, 75] {
                let scale = DecodeScale.one(in: denominator)
                guard let job = try Self.job(of: file, scale: scale, servedWidth: servedWidth) else { continue }
                let retained = try #require(job.retention?.levels(of: job.source, scale: job.scale))
                let planes = try Self.planes(file, job)
                #expect(try Self.check(planes, retained: retained, of: file, targets: targets) > 0)
            }
        }
        #expect(try Self.job(of: file, scale: .one(in: 3), servedWidth: 20) == nil)
    }

    @Test("a job that retains planes gives the bytes that it gives without", arguments: [false, true])
    func keepsBytes(isProgressive: Bool) throws {
        let png = PNGFile(width: 121, height: 90, colourType: 6).bytes
        for file in [try SharedRenderTests.jpeg(400, 300, isProgressive: isProgressive), png] {
            for widths in [[100], [100, 40, 20], [30, 20]] {
                var job = try file.job(SharedRenderTests.targets(widths, OutputFormat.quick))
                let before = try file.rendered(job)
                let retention = try #require(
                    PlaneRetention(ladder: [20, 9], source: job.source, scale: job.scale, byteLimit: 1 << 30))
                job.retention = retention
                let control = JobControl(targetCount: job.targets.count)
                let decoded = try decodeJob(file.span.bytes, job: job, control: control, pool: Self.pool)
                #expect(decoded.planes != nil && decoded.planes?.scale == job.scale)
                while let picture = decoded.pictures.next() {
                    #expect(try .success(picture.encode(control: control).bytes.array) == before[picture.index])
                }
                // Without a pool or a retention, no planes are retained.
                #expect(try decodeJob(file.span.bytes, job: job, control: control).planes == nil)
                job.retention = nil
                #expect(try decodeJob(file.span.bytes, job: job, control: control, pool: Self.pool).planes == nil)
            }
        }
    }

    @Test("planes of a progressive JPEG stay where other targets would read at most 3 % more of it")
    func readsLittleMore() throws {
        let file = try SharedRenderTests.jpeg(400, 300, isProgressive: true)
        var kinds: Set<String> = []
        for width in [10, 12, 14, 16, 20, 24, 30, 33, 40, 50, 60, 66, 75, 90, 99] {
            var job = try file.job([RenderTarget(width: width, format: .webp)])
            guard job.scale.eighths < 8 else { continue }
            job.retention = PlaneRetention(
                ladder: [16, width], source: job.source, scale: job.scale, byteLimit: 1 << 30)
            guard job.retention != nil else { continue }
            let own = try job.plan(0).choosingScans(in: file.span.bytes)
            let shared = own.forJob(at: job.scale, limits: .init()).choosingScans(in: file.span.bytes)
            let (mine, others) = (try #require(own.scans), try #require(shared.scans))
            let growth = Double(file.count - others.skippedCount) / Double(file.count - mine.skippedCount)
            let control = JobControl(targetCount: 1)
            let decoded = try decodeJob(file.span.bytes, job: job, control: control, pool: Self.pool)
            let picture = try #require(decoded.pictures.next())
            let bytes = try picture.encode(control: control).bytes.array
            #expect((decoded.planes != nil) == (growth <= 1.03), "\(width)")
            if decoded.planes != nil, mine.dropped != others.dropped {
                #expect(try picture.recipe == .shared(job.scale) && bytes == file.rendered(as: shared).bytes)
                kinds.insert("reads more")
            } else {
                #expect(try picture.recipe == .own && bytes == file.rendered(as: own).bytes)
                kinds.insert(decoded.planes == nil ? "does not retain" : "reads as much")
            }
        }
        #expect(kinds.isSuperset(of: ["does not retain", "reads as much"]), "\(kinds)")
    }

    @Test("nothing stays of a decode that fails, and its memory is given back")
    func keepsNothingOfFailures() throws {
        let pool = PlaneMemoryPool(spareBytes: 16 << 20)
        for (whole, scale) in [
            (try SharedRenderTests.jpeg(400, 300), DecodeScale.eighths(4)),
            (PNGFile(width: 121, height: 90).bytes, .none),
        ] {
            let job = try #require(try Self.job(of: whole, scale: scale, servedWidth: 20))
            for length in [whole.count / 2, whole.count * 9 / 10] {
                let part = Array(whole.prefix(length))
                #expect(throws: CodecError.self) {
                    try decodeJob(part.span.bytes, job: job, control: JobControl(targetCount: 1), pool: pool)
                }
            }
            #expect(pool.spareByteCount == 64 << 10)
            let clock = Ticks()
            let slow = JobControl(targetCount: 1, cpuTime: { clock.next() * 1_000_000_000 })
            #expect(throws: CodecError.self) {
                try decodeJob(whole.span.bytes, job: job, control: slow, pool: pool)
            }
            for moment in stride(from: 1, through: 40, by: 3) {
                let dropping = DroppingClock(dropping: [0], at: UInt64(moment))
                let control = dropping.control(targetCount: 1)
                #expect(throws: CodecError.stopped) {
                    try decodeJob(whole.span.bytes, job: job, control: control, pool: pool)
                }
            }
            #expect(pool.spareByteCount == 64 << 10, "one piece of memory, used again and again")
        }
    }

    @Test("planes stay when some of the job's targets are dropped, and outlive the job")
    func outlivesDrops() throws {
        let file = try SharedRenderTests.jpeg(400, 300)
        var job = try file.job(SharedRenderTests.targets([100, 40]))
        job.retention = PlaneRetention(ladder: [40], source: job.source, scale: job.scale, byteLimit: 1 << 30)
        let retained = try #require(job.retention?.levels(of: job.source, scale: job.scale))
        let clock = DroppingClock(dropping: [0, 1, 2], at: 9)
        let control = clock.control(targetCount: 4)
        let decoded = try decodeJob(file.span.bytes, job: job, control: control, pool: Self.pool)
        #expect(decoded.pictures.count == 1)
        let planes = try #require(decoded.planes)
        #expect(
            try Self.check(planes, retained: retained, of: file, targets: SharedRenderTests.targets([40, 20])) == 4)
        #expect(decoded.decodeTimings.decode == planes.decodeNanoseconds && planes.decodeNanoseconds > 0)
    }

    @Test("planes of another original or scale are refused, and a dropped target is left out")
    func refusesOthers() throws {
        let file = try SharedRenderTests.jpeg(400, 300)
        let job = try #require(try Self.job(of: file, scale: .eighths(4), servedWidth: 20))
        let planes = try Self.planes(file, job)
        let targets = SharedRenderTests.targets([20]).map { RenderJob.Target($0) }
        var other = RenderPlanTests.header(400, 300)
        other.orientation = .upsideDown
        for (source, scale) in [(other, planes.scale), (planes.source, .eighths(8))] {
            let wrong = RenderJob(source: source, byteCount: 1, targets: targets, scale: scale)
            #expect(throws: CodecError.internalError(reason: "planes of another original or scale")) {
                try decodeJob(planes, job: wrong, control: JobControl(targetCount: 2))
            }
        }
        let control = JobControl(targetCount: 2)
        control.drop(1)
        #expect(try decodeJob(planes, job: planes.job(targets), control: control).pictures.count == 1)
        control.drop(0)
        #expect(throws: CodecError.stopped) { try decodeJob(planes, job: planes.job(targets), control: control) }
    }
}
