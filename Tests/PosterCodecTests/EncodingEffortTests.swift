import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct EncodingEffortTests {
    /// A picture with edges and texture, as posters have.
    static func original(_ width: Int = 400, _ height: Int = 600) throws -> [UInt8] {
        try FormulaPicture(width: width, height: height) { x, y in
            let wave = 40 * (Double(Int(x * y) % 97) / 97) + (Int(x / 23 + y / 31) % 2 == 0 ? 60 : 150)
            return .init(luma: wave, blue: 100 + 50 * (x / Double(width)), red: 150 - 40 * (y / Double(height)))
        }.jpeg(quality: 92)
    }

    static func render(
        _ bytes: [UInt8], width: Int, format: OutputFormat, encoding: EncodingEffort
    ) throws -> (bytes: [UInt8], plan: RenderPlan) {
        let plan = try RenderPlan(
            bytes.header(), target: RenderTarget(width: width, format: format), encoding: encoding)
        return (try bytes.rendered(as: plan).bytes, plan)
    }

    @Test("a refined file is not larger", arguments: OutputFormat.allCases, [92, 154, 342])
    func isNotLarger(format: OutputFormat, width: Int) throws {
        let bytes = try Self.original()
        let first = try Self.render(bytes, width: width, format: format, encoding: .first).bytes
        let refined = try Self.render(bytes, width: width, format: format, encoding: .refined).bytes
        // libjxl's efforts have one distance, and noise takes as many bytes at each.
        #expect(refined.count <= first.count + (format == .jxl ? first.count / 40 : 0))
        #expect(format != .png || refined == first)
    }

    @Test("a job renders what its plans say, also from planes that were retained")
    func jobs() throws {
        let bytes = try Self.original()
        let targets = OutputFormat.allCases.map { RenderTarget(width: 154, format: $0) }
        var job = try bytes.job(targets)
        job.encoding = .refined
        job.retention = PlaneRetention(ladder: [154], source: job.source, scale: job.scale, byteLimit: 1 << 30)
        let control = JobControl(targetCount: targets.count)
        let decoded = try decodeJob(bytes.span.bytes, job: job, control: control, pool: PlaneMemoryPool(spareBytes: 0))
        var files: [OutputFormat: [UInt8]] = [:]
        while let picture = decoded.pictures.next() {
            #expect(picture.plan.encoding == .refined)
            files[picture.plan.format] = try picture.encode(control: control).bytes.array
        }
        #expect(files.count == targets.count)
        let planes = try #require(decoded.planes)
        var again = planes.job(targets.map { RenderJob.Target($0) })
        again.encoding = .refined
        let pictures = try decodeJob(planes, job: again, control: JobControl(targetCount: targets.count)).pictures
        while let picture = pictures.next() {
            #expect(try picture.encode(control: control).bytes.array == files[picture.plan.format])
        }
    }

    @Test("an effort survives coding, and a job that has none is a first encoding")
    func isCoded() throws {
        var job = try Self.original(40, 60).job([RenderTarget(width: 20, format: .avif)])
        #expect(job.encoding == .first)
        job.encoding = .refined
        #expect(try job.plan(0).encoding == .refined)
    }

    @Test("the larger an AVIF, the faster it is encoded, so that no call takes longer than a quarter of a second")
    func speeds() throws {
        for encoding in [EncodingEffort.first, .refined] {
            var last: UInt32 = 0
            for side in stride(from: 1, through: 5600, by: 7) {
                let size = try OutputSize(width: side, height: side)
                let speed = AVIFSpeed(for: size, encoding: encoding)
                #expect(speed.rawValue >= last)
                #expect(speed == .nine || size.pixels * speed.nanosecondsPerPixel <= AVIFSpeed.mostNanoseconds)
                #expect(size.allowsAutomaticAVIF == (speed != .nine))
                last = speed.rawValue
            }
        }
        let small = try OutputSize(width: 342, height: 513)
        #expect(AVIFSpeed(for: small, encoding: .first) == .eight && AVIFSpeed(for: small, encoding: .refined) == .six)
    }

    @Test("an AVIF that would exceed the CPU time is refused before anything is decoded")
    func refusesLargeAVIF() throws {
        let header = try BlockJPEG(width: 4000, height: 4000).bytes.header()
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 500_000_000
        limits.maxWorkingBytes = .max
        let limit = 500_000_000 / AVIFSpeed.nine.nanosecondsPerPixel
        #expect(throws: CodecError.tooManyPixels(16_000_000, limit: limit)) {
            try RenderPlan(header, target: RenderTarget(format: .avif), limits: limits)
        }
        #expect(throws: Never.self) {
            try RenderPlan(header, target: RenderTarget(width: 2000, format: .avif), limits: limits)
        }
    }
}
