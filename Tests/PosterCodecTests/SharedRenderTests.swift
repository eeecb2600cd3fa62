import CodecTesting
import Testing

@testable import PosterCodec

/// Several targets of one decode.
@Suite(.computingThread) struct SharedRenderTests {
    static func jpeg(
        _ width: Int, _ height: Int, subsampling: FormulaPicture.Subsampling = .s420, isProgressive: Bool = false
    ) throws -> [UInt8] {
        var picture = JPEGScanPictureTests.picture(seed: 5, subsampling: subsampling)
        (picture.width, picture.height) = (width, height)
        return try picture.jpeg(quality: 90, isProgressive: isProgressive)
    }

    static func targets(_ widths: [Int], _ formats: [OutputFormat] = [.jpeg, .webp]) -> [RenderTarget] {
        widths.flatMap { width in formats.map { RenderTarget(width: width, format: $0) } }
    }

    @Test("a job of one target has the bytes of the render", arguments: OutputFormat.allCases, Orientation.allCases)
    func oneTarget(format: OutputFormat, orientation: Orientation) throws {
        for kind in FramedRenderTests.kinds {
            let file = FramedRenderTests.file(orientation, components: kind.components, segments: kind.segments)
            for target in [
                RenderTarget(width: 40, format: format),
                RenderTarget(width: 30, height: 30, fit: .cover, position: .top, format: format),
                RenderTarget(width: 20, height: 40, fit: .cover, position: .entropy, format: format),
            ] {
                let alone = try file.rendered(as: RenderPlan(file.header(), target: target)).bytes
                let job = try file.job([target])
                #expect(try file.rendered(job) == [0: .success(alone)], "\(kind.name), \(target.position)")
            }
        }
    }

    @Test("targets whose own scale is the job's have the bytes of single renders", arguments: [false, true])
    func ownScale(isProgressive: Bool) throws {
        let file = try Self.jpeg(400, 300, isProgressive: isProgressive)
        let job = try file.job(Self.targets([300, 70, 40]))
        #expect(job.scale.eighths == 8)
        let results = try file.rendered(job)
        for (index, target) in job.targets.enumerated() {
            let alone = try file.rendered(as: RenderPlan(job.source, target: target.target)).bytes
            let isOwn = target.target.width == 300
            #expect(try job.plan(index).recipe == (isOwn ? .own : .shared(job.scale)))
            #expect((results[index] == .success(alone)) == isOwn, "\(target.target)")
        }
    }

    @Test("all targets of a PNG have the bytes of single renders", arguments: [0, 2, 3, 4, 6])
    func png(colourType: Int) throws {
        let file = PNGFile(width: 120, height: 90, colourType: colourType).bytes
        let job = try file.job(Self.targets([120, 77, 40, 9], OutputFormat.allCases))
        let results = try file.rendered(job)
        for (index, target) in job.targets.enumerated() {
            let alone = try file.rendered(as: RenderPlan(job.source, target: target.target)).bytes
            #expect(results[index] == .success(alone), "\(target.target)")
        }
    }

    @Test("a target's bytes do not depend on the other targets of its job", arguments: [false, true])
    func othersDoNotMatter(isProgressive: Bool) throws {
        let file = try Self.jpeg(640, 480, isProgressive: isProgressive)
        let all = Self.targets([100, 70, 40, 20], OutputFormat.allCases)
        for scale in [4, 8] {
            let job = try file.job(all, eighths: scale)
            let together = try file.rendered(job)
            for (index, target) in all.enumerated() {
                // With a second target: alone, it would have a decode of its own.
                let other = all[(index + 5) % all.count]
                let pair = try file.rendered(file.job([other, target], eighths: scale))
                #expect(pair[1] == together[index], "\(target)")
            }
        }
    }

    @Test("both kernels give the same bytes")
    func kernelsAgree() throws {
        let file = try Self.jpeg(401, 299)
        let job = try file.job(Self.targets([300, 70, 40, 20]))
        #expect(try file.rendered(job, kernel: .portable) == file.rendered(job, kernel: .fastest))
    }

    @Test(
        "targets of a shared decode are within 45 dB of a full decode",
        arguments: [FormulaPicture.Subsampling.s420, .s444, .gray], [400, 393])
    func keepsTheQuality(subsampling: FormulaPicture.Subsampling, width: Int) throws {
        let file = try Self.jpeg(width, 300, subsampling: subsampling)
        let header = try file.header()
        let whole = try file.planes(width: nil)[0]
        var levels: Set<Int> = []
        for width in [16, 24, 37, 50, 70, 99, 130] {
            let own = try RenderPlan(header, target: RenderTarget(width: width, format: .jpeg))
            let plan = own.inJob(at: .eighths(8), isAlone: false, limits: .init())
            let shared = try file.decoded(as: plan).planes(for: plan)[0]
            let full = try whole.filtered(to: plan.size)
            #expect(JPEGScanPictureTests.psnr(shared, full) >= 45, "\(width), levels \(plan.levels)")
            levels.insert(plan.levels.luma)
        }
        #expect(levels.count >= 3, "several levels are compared")
    }

    @Test("results come in the order of urgency, then of cost")
    func order() throws {
        let file = try Self.jpeg(400, 300)
        let targets = [
            RenderJob.Target(.init(width: 300, format: .webp), urgency: 2),
            RenderJob.Target(.init(width: 300, format: .jpeg), urgency: 0),
            RenderJob.Target(.init(width: 100, format: .webp), urgency: 2),
            RenderJob.Target(.init(width: 300, format: .jpeg), urgency: 2),
            RenderJob.Target(.init(width: 50, format: .png), urgency: 1),
        ]
        let job = RenderJob(
            source: try file.header(), byteCount: file.count, targets: targets, scale: .eighths(8))
        let control = JobControl(targetCount: 5, urgencies: targets.map(\.urgency))
        let pictures = try decodeJob(file.span.bytes, job: job, control: control).pictures
        #expect(pictures.count == 5)
        var order = [try #require(pictures.next()).index]
        // A target that a client has requested meanwhile goes first.
        control.raise(4, to: 2)
        control.drop(2)
        while let picture = pictures.next() { order.append(picture.index) }
        #expect(order == [2, 4, 3, 0, 1] || order == [3, 4, 0, 1], "\(order)")
        #expect(pictures.count == 0)
    }

    @Test("a picture is encoded once")
    func encodesOnce() throws {
        let file = try Self.jpeg(100, 80)
        let control = JobControl(targetCount: 2)
        let job = try file.job(Self.targets([50]))
        let pictures = try decodeJob(file.span.bytes, job: job, control: control).pictures
        let picture = try #require(pictures.next())
        _ = try picture.encode(control: control)
        #expect(throws: CodecError.self) { _ = try picture.encode(control: control) }
    }

    @Test("a target dropped at any moment leaves the others' bytes as they are", arguments: [0, 1, 2, 3])
    func dropsAtAnyMoment(dropped: Int) throws {
        let file = try Self.jpeg(200, 160)
        let job = try file.job(Self.targets([150, 40]))
        let whole = try file.rendered(job)
        let readings = DroppingClock(dropping: [], at: 0)
        _ = try file.rendered(job, control: readings.control(targetCount: 4))
        for moment in stride(from: 1, through: readings.count, by: 3) {
            let clock = DroppingClock(dropping: [dropped], at: moment)
            var results = try file.rendered(job, control: clock.control(targetCount: 4))
            if let late = results.removeValue(forKey: dropped) { #expect(late == whole[dropped]) }
            #expect(results == whole.filter { $0.key != dropped }, "dropped at \(moment)")
        }
    }

    @Test("a job without wanted targets stops soon")
    func stops() throws {
        let file = try Self.jpeg(200, 160)
        let job = try file.job(Self.targets([150, 40]))
        let control = JobControl(targetCount: 4)
        for index in 0..<4 { #expect(control.drop(index) == (index == 3)) }
        #expect(throws: CodecError.stopped) { try file.rendered(job, control: control) }
        for moment in 1...20 as ClosedRange<UInt64> {
            let clock = DroppingClock(dropping: [0, 1, 2, 3], at: moment)
            let control = clock.control(targetCount: 4)
            #expect(throws: CodecError.stopped) { try file.rendered(job, control: control) }
            #expect(clock.count <= moment + 12, "dropped at \(moment)")
        }
    }

    @Test("an encoder that fails takes only its own target with it")
    func oneFails() throws {
        let file = try Self.jpeg(200, 160)
        var targets = Self.targets([150, 40], OutputFormat.allCases)
        let whole = try file.rendered(file.job(targets))
        let failing = try #require(targets.firstIndex { $0.format == .webp })
        // libwebp rejects this quality; with less effort it would be clamped to 100.
        targets[failing].quality = 1000
        targets[failing].effort = .full
        let results = try file.rendered(file.job(targets))
        for index in targets.indices where index != failing { #expect(results[index] == whole[index]) }
        guard case .failure(.internalError)? = results[failing] else {
            Issue.record("\(String(describing: results[failing]))")
            return
        }
    }

    @Test("a damaged file gives all targets its error and delivers none")
    func damaged() throws {
        var file = try Self.jpeg(200, 160)
        let job = try file.job(Self.targets([150, 40], OutputFormat.allCases))
        file.removeLast(file.count / 2)
        #expect(throws: CodecError.truncated) { try file.rendered(job) }
    }

    @Test("each encoding has its own limit of CPU time")
    func limitsEachEncoding() throws {
        let file = try Self.jpeg(200, 160)
        let job = try file.job(Self.targets([150], [.webp, .png]))
        // Four seconds before each encoding, of five that each stage has.
        let steps = Ticks()
        let control = JobControl(targetCount: 2, cpuTime: { steps.count * 4_000_000_000 })
        let decoded = try decodeJob(file.span.bytes, job: job, control: control)
        while let picture = decoded.pictures.next() {
            _ = steps.next()
            #expect(throws: Never.self) { _ = try picture.encode(control: control) }
        }
        #expect(steps.count == 2)
        let clock = Ticks()
        let slow = JobControl(targetCount: 2, cpuTime: { clock.next() * 1_000_000 })
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 500_000
        let again = try decodeJob(file.span.bytes, job: job, control: slow)
        while let picture = again.pictures.next() {
            let error = #expect(throws: CodecError.self) {
                _ = try picture.encode(limits: limits, control: slow)
            }
            guard case .overLimit(.cpuTime, _, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("the time of resampling is divided among the targets, and decoding is told to all")
    func dividesTimes() throws {
        let file = try Self.jpeg(200, 160)
        let job = try file.job(Self.targets([150, 20], [.jpeg]))
        let clock = Ticks()
        let control = JobControl(targetCount: 2, now: { clock.next() })
        let decoded = try decodeJob(file.span.bytes, job: job, control: control)
        var timings: [Int: StageTimings] = [:]
        while let picture = decoded.pictures.next() {
            timings[picture.index] = try picture.encode(control: control).timings
        }
        let (large, small) = (try #require(timings[0]), try #require(timings[1]))
        #expect(large.decode == decoded.decodeTimings.decode && small.decode == large.decode)
        #expect(large.resample > small.resample)
        // Each division loses less than one; the conversions of single targets are added.
        #expect(large.resample + small.resample + 2 > decoded.decodeTimings.resample)
    }
}

extension Plane {
    fileprivate func filtered(to size: OutputSize) throws -> Plane {
        let resampled = try ResampledRows(
            across: .luma(self.width, to: size.width), down: .luma(self.height, to: size.height),
            rowBytes: self.width, rowsPerGroup: 1)
        for row in self.rows {
            resampled.store.nextGroup.update(from: row, count: row.count)
            resampled.groupWasWritten()
        }
        return try resampled.output.takePlane()
    }
}
