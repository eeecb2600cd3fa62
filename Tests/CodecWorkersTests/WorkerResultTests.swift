import PosterCodec
import Testing

@testable import CodecWorkers

@Suite(.ownThread) struct WorkerResultTests {
    private let pool: CodecWorkerPool

    init() throws {
        self.pool = try WorkerFixture.pool()
    }

    @Test(arguments: OutputFormat.allCases)
    func aWorkerMakesTheSameFileAsAThread(_ format: OutputFormat) throws {
        let bytes = try WorkerFixture.jpeg()
        let target = RenderTarget(width: 185, format: format)
        #expect(
            try WorkerFixture.files(self.pool, bytes, [target]) == WorkerFixture.files(bytes, [target]))
    }

    @Test(arguments: OutputFormat.allCases)
    func aWorkerDrawsTheSameBadgesAsAThread(_ format: OutputFormat) throws {
        let bytes = try WorkerFixture.jpeg()
        let badges = Badges([
            .init(text: "8.4", colour: .init(red: 230, green: 0, blue: 120)), .init(text: "4K", colour: .white),
        ])
        let targets = [nil, badges].map { RenderTarget(width: 300, format: format, badges: $0) }
        let files = try WorkerFixture.files(self.pool, bytes, targets)
        #expect(try files == WorkerFixture.files(bytes, targets))
        #expect(files[0] != files[1])
    }

    @Test(arguments: [false, true])
    func targetsThatShareADecodeAreTheSameAsOnAThread(_ isProgressive: Bool) throws {
        let bytes = try WorkerFixture.jpeg(isProgressive: isProgressive)
        let targets = OutputFormat.allCases.flatMap { format in
            [92, 154, 300].map { RenderTarget(width: $0, format: format) }
        }
        #expect(try WorkerFixture.files(self.pool, bytes, targets) == WorkerFixture.files(bytes, targets))
    }

    @Test func anErrorOfTheCodecIsTheSameAsOnAThread() throws {
        let bytes = try WorkerFixture.jpeg()
        let job = try WorkerFixture.job(bytes, [RenderTarget(width: 100, format: .jpeg)])
        let half = Array(bytes.prefix(bytes.count / 2))
        let control = JobControl(targetCount: 1)
        let expected = #expect(throws: CodecError.self) {
            try decodeJob(half.span.bytes, job: job, control: control)
        }
        let error = #expect(throws: CodecError.self) {
            try half.withUnsafeBytes { bytes in
                try self.pool.decode(.memory(bytes), job: job, limits: .init(), control: control)
            }
        }
        #expect(error == expected)
        #expect(self.pool.counters.failures == 0)
    }

    @Test func hashesAreTheSameAsOnAThread() throws {
        let bytes = try WorkerFixture.jpeg()
        let header = try inspect(bytes.span.bytes, limits: .init())
        let hashes = try bytes.withUnsafeBytes { bytes in
            try self.pool.hashes(.memory(bytes), header: header, limits: .init(), control: RenderControl())
        }
        #expect(try hashes == PictureHashes(of: bytes.span.bytes, header: header))
    }
}
