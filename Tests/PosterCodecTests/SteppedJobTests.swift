import CodecTesting
import Synchronization
import Testing

@testable import PosterCodec

/// Jobs that decode their original while it arrives.
@Suite(.computingThread) struct SteppedJobTests {
    typealias Case = ArrivingDecodeTests.Case
    typealias Results = [Int: Result<[UInt8], CodecError>]

    /// Files that are decoded from their first bytes on, some with metadata after the picture.
    static let files: [Case] = {
        var files = Case.steady
        var png = PNGFile(width: 90, height: 70)
        png.afterData = [.init("eXIf", Array(JPEGSegment.exif(orientation: 6).payload.dropFirst(6)))]
        files.append(Case(testDescription: "PNG with EXIF after the picture", bytes: png.bytes))
        do {
            let webP = WebPFile(
                .canvas(.exif, 64, 48), try .lossy(.waves(width: 64, height: 48)), .exif(orientation: 6))
            files.append(Case(testDescription: "WebP with EXIF after the picture", bytes: webP.bytes))
            for (subsampling, interval) in [(FormulaPicture.Subsampling.s444, 0), (.gray, 3), (.s420, 5)] {
                var picture = FormulaPicture.waves(width: 320, height: 480)
                picture.subsampling = subsampling
                for eighths in [1, 2, 4, 8] {
                    let file = interval == 0 ? try picture.jpeg(quality: 85) : Self.restarting(subsampling, interval)
                    files.append(
                        Case(
                            testDescription: "JPEG \(subsampling) at \(eighths)/8", bytes: file,
                            width: eighths * 16))
                }
            }
        } catch {
            Issue.record("\(error)")
        }
        return files
    }()

    private static func restarting(_ subsampling: FormulaPicture.Subsampling, _ interval: Int) -> [UInt8] {
        var blocks = BlockJPEG(
            width: 128, height: 192, factors: subsampling == .gray ? [(1, 1)] : [(2, 2), (1, 1), (1, 1)])
        blocks.restartInterval = interval
        return blocks.bytes
    }

    /// A job with the header as read from the first bytes.
    private static func job(_ file: Case) throws -> RenderJob {
        var header = try file.bytes.header()
        if header.format == .png { header.orientation = .upright }
        let width = file.width ?? header.width
        let targets = [
            RenderTarget(width: width, format: .jpeg), RenderTarget(width: width, format: .webp),
            RenderTarget(width: max(1, width / 3), format: .png),
        ]
        let job = try file.bytes.job(targets)
        return RenderJob(source: header, byteCount: job.byteCount, targets: job.targets, scale: job.scale)
    }

    /// The results of a file that arrives in pieces.
    ///
    /// - Parameter ends: Ends of the pieces.
    static func results(
        _ bytes: [UInt8], _ job: RenderJob, ends: [Int], groupLimit: Int = .max, limits: CodecLimits = .init(),
        control: JobControl? = nil, betweenSteps: () -> Void = {}
    ) throws(CodecError) -> (Results, early: Int) {
        guard let arriving = ArrivingBytes(declaredCount: job.byteCount) else { throw .outOfMemory }
        let control = control ?? JobControl(targetCount: job.targets.count)
        let stepped = try SteppedJob(arriving, job: job, limits: limits, control: control)
        var (start, early) = (0, 0)
        for end in ends {
            let isTaken = bytes[start..<end].withUnsafeBytes { arriving.append($0) }
            #expect(isTaken)
            start = end
            betweenSteps()
            while case .limit = try stepped.step(groupLimit: groupLimit) {
                early += end < bytes.count ? 1 : 0
                betweenSteps()
            }
        }
        arriving.finish()
        while true {
            betweenSteps()
            switch try stepped.step(groupLimit: groupLimit) {
            case .limit: continue
            case .arrived: throw .internalError(reason: "more is wanted than there is")
            case .decoded(let decoded):
                guard case .decoded(let again) = try stepped.step(), again.pictures === decoded.pictures else {
                    throw .internalError(reason: "another outcome of the last step")
                }
                var results: Results = [:]
                while let picture = decoded.pictures.next() {
                    results[picture.index] = .success(
                        try picture.encode(limits: limits, control: control).bytes.array)
                }
                return (results, early)
            }
        }
    }

    private static func steps(of file: [UInt8], by length: Int) -> [Int] {
        Array(stride(from: length, to: file.count, by: length)) + [file.count]
    }

    @Test("a file that comes byte by byte gives a job the bytes of the whole", arguments: Self.files)
    func byteByByte(file: Case) throws {
        let job = try Self.job(file)
        let whole = try file.bytes.rendered(job)
        #expect(whole.count == 3)
        let ends = Self.steps(of: file.bytes, by: file.bytes.count > 8000 ? 61 : 1)
        #expect(try Self.results(file.bytes, job, ends: ends, groupLimit: 1).0 == whole)
    }

    @Test("wherever a file is divided, a job has the bytes of the whole", arguments: Self.files)
    func everySplit(file: Case) throws {
        let job = try Self.job(file)
        let whole = try file.bytes.rendered(job)
        let step = max(1, file.bytes.count / 40)
        for split in stride(from: 0, through: file.bytes.count, by: step) {
            let results = try Self.results(file.bytes, job, ends: [split, file.bytes.count]).0
            if results != whole { Issue.record("divided at \(split)") }
        }
    }

    @Test("pieces and steps of any size give the bytes of the whole", arguments: [1, 2, 3])
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for file in Self.files {
            let job = try Self.job(file)
            let whole = try file.bytes.rendered(job)
            for _ in 0..<4 {
                let ends = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    Int.random(in: 0...file.bytes.count, using: &random)
                }
                let results = try Self.results(
                    file.bytes, job, ends: ends.sorted() + [file.bytes.count],
                    groupLimit: Int.random(in: 1...20, using: &random)
                ).0
                if results != whole { Issue.record("\(file.testDescription) in pieces that end at \(ends)") }
            }
        }
    }

    @Test("rows are resampled before the file is there, and a step has no more groups than it may")
    func early() throws {
        let jpeg = try FormulaPicture.waves(width: 800, height: 1200).jpeg(quality: 90)
        let job = try jpeg.job([RenderTarget(width: 300, format: .jpeg)])
        let (results, early) = try Self.results(
            jpeg, job, ends: Self.steps(of: jpeg, by: jpeg.count / 10), groupLimit: 1)
        #expect(try results == jpeg.rendered(job))
        // A group has sixteen rows.
        #expect(early >= 55 && early <= 75)
    }

    @Test("a file that ends early has the outcome of what is there of it", arguments: Self.files)
    func truncated(file: Case) throws {
        let job = try Self.job(file)
        for part in [10, 50, 90, 97] {
            let cut = Array(file.bytes[..<(file.bytes.count * part / 100)])
            let expected = Result { () throws(CodecError) in try cut.rendered(job) }
            let outcome = Result { () throws(CodecError) in
                try Self.results(cut, job, ends: [cut.count / 2, cut.count], groupLimit: 4).0
            }
            #expect(outcome == expected, "\(part) %")
            if part <= 50 { #expect(throws: CodecError.self) { try expected.get() } }
        }
    }

    @Test("files that are decoded when they are complete are refused", arguments: Case.late)
    func refuses(file: Case) throws {
        let header = try file.bytes.header()
        let job = try file.bytes.job([RenderTarget(width: header.width, format: .jpeg)])
        #expect(throws: CodecError.unsupported("incremental decoding")) {
            try Self.results(file.bytes, job, ends: [file.bytes.count])
        }
    }

    @Test("a target that is dropped between steps is left out, and the last one ends the job")
    func drops() throws {
        let file = Self.files[4]
        let job = try Self.job(file)
        let control = JobControl(targetCount: 3)
        var steps = 0
        let ends = Self.steps(of: file.bytes, by: file.bytes.count / 20)
        let (results, _) = try Self.results(file.bytes, job, ends: ends, groupLimit: 1, control: control) {
            steps += 1
            if steps == 5 { control.drop(1) }
        }
        let whole = try file.bytes.rendered(job)
        #expect(results == whole.filter { $0.key != 1 })
        let other = JobControl(targetCount: 3)
        steps = 0
        #expect(throws: CodecError.stopped) {
            try Self.results(file.bytes, job, ends: ends, groupLimit: 1, control: other) {
                steps += 1
                if steps == 5 { for index in 0..<3 { other.drop(index) } }
            }
        }
        #expect(steps == 5)
    }

    @Test("planes that stay are those of the whole file")
    func retains() throws {
        let jpeg = try FormulaPicture.waves(width: 400, height: 600).jpeg(quality: 90)
        var job = try jpeg.job([RenderTarget(width: 200, format: .jpeg)])
        let retention = try #require(
            PlaneRetention(ladder: [50, 90], source: job.source, scale: job.scale, byteLimit: 1 << 20))
        job.retention = retention
        let pool = PlaneMemoryPool(spareBytes: 0)
        let arriving = try #require(ArrivingBytes(declaredCount: jpeg.count))
        let stepped = try SteppedJob(arriving, job: job, control: JobControl(targetCount: 1), pool: pool)
        for start in stride(from: 0, to: jpeg.count, by: 5000) {
            let isTaken = jpeg[start..<min(start + 5000, jpeg.count)].withUnsafeBytes { arriving.append($0) }
            #expect(isTaken)
            while case .limit = try stepped.step(groupLimit: 3) {}
        }
        arriving.finish()
        guard case .decoded(let decoded) = try stepped.step() else {
            Issue.record("not decoded")
            return
        }
        let whole = try decodeJob(jpeg.span.bytes, job: job, control: JobControl(targetCount: 1), pool: pool)
        var files: [[UInt8]] = []
        for planes in [try #require(decoded.planes), try #require(whole.planes)] {
            let control = JobControl(targetCount: 1)
            let later = planes.job([RenderJob.Target(RenderTarget(width: 90, format: .jpeg))])
            let picture = try #require(decodeJob(planes, job: later, control: control).pictures.next())
            files.append(try picture.encode(control: control).bytes.array)
        }
        #expect(files[0] == files[1])
    }

    @Test("rows that stay can be read after each step, and do not change")
    func retainedRows() throws {
        let jpeg = try FormulaPicture.waves(width: 400, height: 600).jpeg(quality: 90)
        var job = try jpeg.job([RenderTarget(width: 200, format: .jpeg)])
        job.retention = try #require(
            PlaneRetention(ladder: [50, 90], source: job.source, scale: job.scale, byteLimit: 1 << 20))
        let arriving = try #require(ArrivingBytes(declaredCount: jpeg.count))
        let stepped = try SteppedJob(
            arriving, job: job, control: JobControl(targetCount: 1), pool: PlaneMemoryPool(spareBytes: 0))
        var rows: [Int: [UInt8]] = [:]
        for start in stride(from: 0, to: jpeg.count, by: 5000) {
            let isTaken = jpeg[start..<min(start + 5000, jpeg.count)].withUnsafeBytes { arriving.append($0) }
            #expect(isTaken)
            while case .limit = try stepped.step(groupLimit: 3) {}
            stepped.withRetainedRows { planes in
                for plane in planes {
                    let known = rows[plane.offset]?.count ?? 0
                    #expect(plane.bytes.count >= known)
                    rows[plane.offset, default: []] += plane.bytes[known...]
                }
            }
        }
        arriving.finish()
        guard case .decoded(let decoded) = try stepped.step() else {
            Issue.record("not decoded")
            return
        }
        stepped.withRetainedRows { #expect($0.isEmpty) }
        var exported: [UInt8] = []
        let record = try PlanesRecord(exporting: try #require(decoded.planes)) { bytes throws(CodecError) in
            exported += bytes
            return exported.count - bytes.count
        }
        #expect(rows.count == 3)
        #expect(rows.values.reduce(0) { $0 + $1.count } > record.byteCount / 2)
        for (offset, bytes) in rows {
            #expect(exported[offset..<offset + bytes.count].elementsEqual(bytes), "from \(offset)")
        }
    }

    @Test("CPU time between steps does not count, and that of all steps together is limited")
    func cpuTime() throws {
        let file = Self.files[4]
        let job = try Self.job(file)
        let clock = Atomic<UInt64>(0)
        let limits = { (nanoseconds: UInt64) in
            var limits = CodecLimits()
            limits.maxCPUNanoseconds = nanoseconds
            return limits
        }
        let run = { (limit: UInt64) throws(CodecError) in
            let control = JobControl(targetCount: 3, cpuTime: { clock.add(1, ordering: .relaxed).newValue })
            let ends = Self.steps(of: file.bytes, by: file.bytes.count / 20)
            _ = try Self.results(
                file.bytes, job, ends: ends, groupLimit: 1, limits: limits(limit), control: control
            ) { clock.add(1_000_000, ordering: .relaxed) }
        }
        #expect(throws: Never.self) { try run(500_000) }
        #expect(throws: CodecError.overLimit(.cpuTime, value: 0, limit: 0)) { try run(10) }
    }
}
