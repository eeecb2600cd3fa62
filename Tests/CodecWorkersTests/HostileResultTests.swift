import CPosterSandbox
import CodecTesting
import Glibc
import PosterCodec
import Testing

@testable import CodecWorkers

/// Results of jobs as a compromised worker could send them: with changed messages, and with other descriptors than the
/// messages describe.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct HostileResultTests {
    /// A job's result as sent by a worker.
    private struct JobResult {
        let job: RenderJob
        let message: [UInt8]
        /// The contents of its descriptors.
        let contents: [[UInt8]]
    }

    /// How a descriptor deviates from its message.
    private enum Lie: CaseIterable {
        case none, shorter, longer, empty, writable, device, missing, repeated
    }

    private static func result(_ bytes: [UInt8], _ job: RenderJob) throws -> JobResult {
        let control = JobControl(targetCount: job.targets.count)
        let pool = job.retention.map { _ in PlaneMemoryPool(spareBytes: 0) }
        let decoded = try decodeJob(bytes.span.bytes, job: job, control: control, pool: pool)
        var pictures: [PictureRecord] = []
        var content: [UInt8] = []
        while let picture = decoded.pictures.next() {
            let plan = try job.plan(picture.index)
            let record = try PictureRecord(exporting: picture, of: plan) { part throws(CodecError) in
                content += part
                return content.count - part.count
            }
            pictures.append(record)
        }
        var contents = [content]
        var planes: PlanesRecord?
        if let retained = decoded.planes {
            var rows: [UInt8] = []
            planes = try PlanesRecord(exporting: retained) { part throws(CodecError) in
                rows += part
                return rows.count - part.count
            }
            contents.append(rows)
        }
        let usage = WorkerUsage(cpuNanoseconds: 1, heapBytes: 1)
        let reply = DecodedReply(usage: usage, decode: 1, resample: 1, pictures: pictures, planes: planes)
        return JobResult(job: job, message: try MessageFrame.encode(.decoded, reply), contents: contents)
    }

    /// Results of a job with several targets, and of one that retains planes.
    private static func results() throws -> [JobResult] {
        let small = try WorkerFixture.jpeg(width: 100, height: 150)
        let targets = [OutputFormat.jpeg, .webp, .png].map { RenderTarget(width: 40, format: $0) }
        let large = try WorkerFixture.jpeg(width: 1000, height: 1500)
        let retaining = try WorkerFixture.retainingJob(large, RenderTarget(width: 300, format: .jpeg))
        return [
            try Self.result(small, try WorkerFixture.job(small, targets)), try Self.result(large, retaining),
        ]
    }

    /// A message as received by the server.
    private static func received(
        _ message: [UInt8], _ contents: [[UInt8]], _ lie: Lie, at place: Int
    ) throws -> ReceivedMessage {
        var memory: [SealedMemory] = []
        var descriptors: [Int32] = []
        var other: Int32 = -1
        defer { if other >= 0 { close(other) } }
        for (index, content) in contents.enumerated() {
            var content = content
            if index == place {
                switch lie {
                case .none, .missing, .repeated, .writable, .device: break
                case .shorter: content.removeLast()
                case .longer: content.append(0)
                case .empty: content = []
                }
            }
            let sealed = try content.withUnsafeBytes { try SealedMemory(copying: $0) }
            memory.append(sealed)
            descriptors.append(sealed.descriptor)
        }
        switch lie {
        case .none, .shorter, .longer, .empty: break
        case .missing: descriptors.remove(at: place)
        case .repeated: descriptors.append(descriptors[place])
        case .writable:
            other = poster_shared_memory_create()
            #expect(ftruncate(other, off_t(contents[place].count)) == 0)
            descriptors[place] = other
        case .device:
            other = open("/dev/zero", O_RDONLY | O_CLOEXEC)
            descriptors[place] = other
        }
        var (own, theirs): (Int32, Int32) = (-1, -1)
        let error = poster_channel_open(&own, &theirs)
        try #require(error == 0)
        let server = WorkerChannel(own)
        let worker = WorkerChannel(theirs)
        try worker.send(message, descriptors)
        withExtendedLifetime(memory) {}
        return try server.receive()
    }

    /// Reads a result as the server does.
    /// - Returns: Whether it was accepted.
    private static func isAccepted(_ received: ReceivedMessage, of job: RenderJob, _ pool: CodecWorkerPool) -> Bool {
        let control = JobControl(targetCount: job.targets.count)
        guard let (kind, body) = try? MessageFrame.parse(received.bytes),
            let (_, decoded) = try? pool.decoded(
                kind, body, received, job: job, limits: .init(), control: control,
                pool: PlaneMemoryPool(spareBytes: 0), false)
        else { return false }
        while let picture = decoded.pictures.next() { #expect(job.targets.indices.contains(picture.index)) }
        #expect(decoded.decodeTimings.decode <= WorkerUsage.limit)
        guard let planes = decoded.planes else { return true }
        let later = [RenderTarget(width: 92, format: .jpeg), RenderTarget(width: 185, format: .webp)]
        for target in later where planes.serves(target) {
            // As on a thread of the server.
            let job = planes.job([RenderJob.Target(target)])
            _ = try? planes.memory(for: job)
            _ = try? decodeJob(planes, job: job, control: JobControl(targetCount: 1))
        }
        return true
    }

    @Test("a result lacks no picture but of targets that were dropped")
    func missingPictures() throws {
        let pool = try WorkerFixture.pool()
        let result = try Self.results()[0]
        var reply = try result.message.withUnsafeBytes { bytes in
            try MessageReader.read(DecodedReply.self, from: try MessageFrame.parse(bytes).1)
        }
        let last = reply.pictures.removeLast()
        let message = try MessageFrame.encode(.decoded, reply)
        for isDropped in [false, true] {
            let control = JobControl(targetCount: result.job.targets.count)
            if isDropped { control.drop(last.index) }
            let received = try Self.received(message, result.contents, .none, at: 0)
            let (kind, body) = try MessageFrame.parse(received.bytes)
            let decoded = try? pool.decoded(
                kind, body, received, job: result.job, limits: .init(), control: control, pool: nil, false)
            #expect((decoded != nil) == isDropped)
        }
    }

    @Test func aChangedResultIsAnErrorOrWithinBounds() throws {
        let pool = try WorkerFixture.pool()
        let results = try Self.results()
        #expect(results.map(\.contents.count) == [1, 2])
        var random = SeededRandom(seed: 230)
        for _ in 0..<1000 {
            let result = results[Int.random(in: results.indices, using: &random)]
            var message = result.message
            MessageTests.change(&message, &random)
            let lies = Lie.allCases.indices
            let lie = Bool.random(using: &random) ? Lie.none : Lie.allCases[Int.random(in: lies, using: &random)]
            let place = Int.random(in: result.contents.indices, using: &random)
            // An empty message is the end of the connection.
            guard !message.isEmpty else { continue }
            let received = try Self.received(message, result.contents, lie, at: place)
            _ = Self.isAccepted(received, of: result.job, pool)
        }
        #expect(pool.usage.busy == 0 && pool.counters.failures == 0)
    }

    @Test func onlyTheMemoryThatAMessageDescribesIsAccepted() throws {
        let pool = try WorkerFixture.pool()
        for result in try Self.results() {
            for place in result.contents.indices {
                for lie in Lie.allCases {
                    let received = try Self.received(result.message, result.contents, lie, at: place)
                    // Memory may continue after the content. Planes are copied, or left out if they cannot be.
                    let isAllowed = lie == .none || lie == .longer || place == 1 && lie != .missing && lie != .repeated
                    #expect(Self.isAccepted(received, of: result.job, pool) == isAllowed, "\(lie) at \(place)")
                }
            }
        }
    }
}
