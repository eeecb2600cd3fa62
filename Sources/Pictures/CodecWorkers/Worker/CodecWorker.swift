import CPosterSandbox
import Flights
import Glibc
import PosterCodec

/// The process that decodes and encodes for a server: a single thread without access to files, network and secrets. It
/// answers messages sequentially until the server closes the connection.
package struct CodecWorker: ~Copyable {
    /// The argument that makes a program run as a worker; paths of font files for badges follow.
    package static let argument = "codec-worker"

    /// Maximum number of open descriptors: the worker's own six, plus a message's and a result's.
    private static let descriptorLimit: UInt64 = 16
    /// Memory of planes kept for the next job until the worker is idle, in bytes.
    private static let spareBytes = 8 << 20
    /// Idle time after which unused memory is returned to the system.
    private static let idleMilliseconds: Int32 = 500
    /// Number of replies per measurement of the heap, for which malloc walks all free chunks.
    private static let heapInterval = 4

    private let channel: WorkerChannel
    private let page: ControlPage
    private let pool = PlaneMemoryPool(spareBytes: Self.spareBytes)
    private var planesMemory = PlanesMemory()
    /// Called with each original before it is decoded, so that tests can inject faults.
    private let beforeDecode: ((UnsafeRawBufferPointer) -> Void)?
    private var arriving: ArrivingWork?
    private var isTrimmed = false
    private var replyCount = 0
    private var heapBytes: UInt64 = 0

    /// Runs as a worker until the server closes the connection.
    ///
    /// Call it first in a process started with ``argument``, before it has other threads.
    package static func run(beforeDecode: ((UnsafeRawBufferPointer) -> Void)? = nil) -> Never {
        ProcessHeap.configure()
        // Mapped before the address space is measured, to which the limits of jobs are added.
        let arguments = CommandLine.arguments.dropFirst(2)
        BadgeFonts.installReadable(files: Array(arguments.dropFirst()), version: arguments.first)
        let (spaceBytes, dataBytes) = Self.memory()
        guard let page = ControlPage(Int32(POSTER_CONTROL_DESCRIPTOR), isWritable: false) else { exit(2) }
        close(Int32(POSTER_CONTROL_DESCRIPTOR))
        // Initialises values that would need files or threads later.
        _ = CodecVersion.version(of: .jxl)
        _ = CodecVersion.kernels
        _ = BadgeFonts.shared.version
        #if arch(arm64)
            // libjpeg-turbo and aom read /proc/cpuinfo before their first picture.
            Self.warmUp(with: [.webp, .jpeg, .avif])
        #endif
        var report = poster_sandbox_report()
        poster_sandbox_enter(Self.descriptorLimit, &report)
        var worker = CodecWorker(
            channel: WorkerChannel(Int32(POSTER_SOCKET_DESCRIPTOR)), page: page, beforeDecode: beforeDecode)
        let hello = HelloReply(
            seccompError: report.seccomp_error, landlockVersion: report.landlock_version,
            hasNoNewPrivileges: report.has_no_new_privileges != 0, dataBytes: dataBytes, spaceBytes: spaceBytes)
        do {
            try worker.channel.send(MessageFrame.encode(.hello, hello))
            if try !worker.channel.waits(milliseconds: 0) { Self.warmUp() }
            while true { try worker.answer() }
        } catch WorkerChannel.Failure.ended {
            exit(0)
        } catch {
            exit(2)
        }
    }

    /// Renders small pictures in the usual formats, so that the first job does not pay for one-time work: loading pages
    /// of code and metadata of types.
    private static func warmUp(with formats: [OutputFormat] = [.webp, .jpeg]) {
        let hash = "1QcSHQRnh493V4dIh4eXh1h4kJUI"
        // A failure has no consequence: jobs report their own.
        guard var file = try? PlaceholderPicture.file(thumbHash: hash, original: (2, 3), format: .jpeg).bytes else {
            return
        }
        for format in formats {
            let target = RenderJob.Target(RenderTarget(width: 8, format: format))
            guard let header = try? inspect(file.span.bytes, limits: .init()),
                let job = DecodeSharing([target], of: header, byteCount: file.count).jobs.first?.job
            else { return }
            let control = JobControl(targetCount: 1)
            guard let decoded = try? decodeJob(file.span.bytes, job: job, control: control),
                let picture = decoded.pictures.next(), let bytes = try? picture.encode(control: control).takeBytes()
            else { return }
            file = bytes.withUnsafeBytes { Array($0) }
        }
    }

    private init(
        channel: consuming WorkerChannel, page: ControlPage, beforeDecode: ((UnsafeRawBufferPointer) -> Void)?
    ) {
        self.channel = channel
        self.page = page
        self.beforeDecode = beforeDecode
    }

    /// Mapped address space and private writable memory in bytes, as counted by the limits.
    private static func memory() -> (space: UInt64, data: UInt64) {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return (0, 0) }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &text, text.count)
        let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        guard fields.count > 5 else { return (0, 0) }
        func bytes(_ field: ArraySlice<UInt8>) -> UInt64 {
            field.reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 &- UInt8(ascii: "0")) } &* UInt64(getpagesize())
        }
        return (bytes(fields[0]), bytes(fields[5]))
    }

    // MARK: Messages

    private mutating func answer() throws {
        while !self.isTrimmed, try !self.channel.waits(milliseconds: Self.idleMilliseconds) { self.trim() }
        let message = try self.channel.receive()
        self.isTrimmed = false
        // The server has copied the planes of the last job. A job that arrives has written some of its own.
        if self.arriving == nil { self.planesMemory.trim(to: Self.spareBytes) }
        let start = ThreadTime.nanoseconds()
        do {
            let (kind, body) = try MessageFrame.parse(message.bytes)
            try self.answer(kind, body, message, since: start)
        } catch let error as CodecError {
            try self.send(ErrorRecord(error), since: start)
        } catch is UnreadableInput {
            try self.send(.unreadable, since: start)
        } catch let error as WorkerChannel.Failure {
            throw error
        } catch {
            try self.send(ErrorRecord(kind: .internalError, text: "a malformed message"), since: start)
        }
    }

    private mutating func answer(
        _ kind: MessageKind, _ body: UnsafeRawBufferPointer, _ message: ReceivedMessage, since start: UInt64
    ) throws {
        switch kind {
        case .decode:
            let request = try MessageReader.read(DecodeRequest.self, from: body)
            try request.job.check()
            let input = try JobInput(request.input, in: message, limits: request.limits)
            self.beforeDecode?(input.bytes)
            let control = self.control(targetCount: request.job.targets.count)
            let decoded = try decodeJob(
                input.bytes.bytes, job: request.job, limits: request.limits, control: control,
                pool: request.job.retention == nil ? nil : self.pool)
            try self.send(decoded, of: request.job, limits: request.limits, control: control, since: start)
        case .decodePlanes:
            let request = try MessageReader.read(PlanesRequest.self, from: body)
            try request.job.check()
            let memory = try Self.map(
                message, byteCount: request.planes.byteCount, and: request.planes.profileByteCount, isReadWhole: true)
            guard request.planes.isConsistent(size: memory.bytes.count, limits: request.limits) else {
                throw MalformedMessage()
            }
            let planes = RetainedPlanes(request.planes, of: request.job, reading: memory.bytes)
            let control = self.control(targetCount: request.job.targets.count)
            let decoded = try decodeJob(planes, job: request.job, limits: request.limits, control: control)
            try self.send(decoded, of: request.job, limits: request.limits, control: control, since: start)
        case .encode:
            let request = try MessageReader.read(EncodeRequest.self, from: body)
            try request.job.check()
            let memory = try Self.map(message, byteCount: request.byteCount, and: 0)
            let file = try encodePicture(
                request.picture, in: memory.bytes, job: request.job, limits: request.limits,
                control: self.control(targetCount: 1))
            try self.send(file, since: start)
        case .hash:
            let request = try MessageReader.read(HashRequest.self, from: body)
            try request.header.checkMessage()
            let input = try JobInput(request.input, in: message, limits: request.limits)
            self.beforeDecode?(input.bytes)
            let hashes = try PictureHashes(
                of: input.bytes.bytes, header: request.header, limits: request.limits,
                control: self.renderControl())
            try self.send(hashes, since: start)
        case .beginArriving:
            let request = try MessageReader.read(ArrivingRequest.self, from: body)
            try request.job.check()
            self.arriving = try ArrivingWork(
                request, in: message, page: self.page, control: self.control(targetCount: request.job.targets.count),
                pool: self.pool)
            try self.send(hasArrived: true, since: start)
        case .step:
            let request = try MessageReader.read(StepRequest.self, from: body)
            guard let arriving else { throw MalformedMessage() }
            self.beforeDecode?(arriving.present)
            let step = try arriving.stepped.step(groupLimit: max(1, request.groupLimit))
            if case .decoded(let decoded) = step {
                try self.send(
                    decoded, of: arriving.job, limits: arriving.limits, control: arriving.control, since: start,
                    writtenPlanes: arriving.writtenPlanes)
                self.arriving = nil
            } else if case .arrived = step {
                try self.send(hasArrived: true, since: start)
                // While the next bytes arrive.
                self.planesMemory.write(arriving.stepped, besides: &arriving.writtenPlanes)
            } else {
                try self.send(hasArrived: false, since: start)
            }
        case .endArriving: self.arriving = nil
        case .hello, .decoded, .encoded, .hashed, .stepped, .failed: throw MalformedMessage()
        }
    }

    private static func map(
        _ message: ReceivedMessage, byteCount: Int, and more: Int, isReadWhole: Bool = false
    ) throws -> MappedMemory {
        guard byteCount > 0, more >= 0, byteCount <= Int.max - more,
            let memory = MappedMemory(
                try message.descriptor(0), byteCount: byteCount + more, isReadWhole: isReadWhole)
        else { throw MalformedMessage() }
        return memory
    }

    private func renderControl() -> RenderControl {
        let page = self.page
        return RenderControl(
            stop: StopFlag(orElse: { page.isStopped }), now: Uptime.nanoseconds, cpuTime: ThreadTime.nanoseconds)
    }

    private func control(targetCount: Int) -> JobControl {
        let page = self.page
        return JobControl(
            targetCount: targetCount, render: self.renderControl(), droppedElsewhere: { page.dropped })
    }

    private mutating func trim() {
        self.isTrimmed = true
        // A job that waits for bytes is not idle.
        guard self.arriving == nil else { return }
        self.pool.trim()
        self.planesMemory.trim(to: 0)
        ProcessHeap.trim()
    }

    // MARK: Replies

    private mutating func usage(since start: UInt64) -> WorkerUsage {
        if self.replyCount % Self.heapInterval == 0 { self.heapBytes = poster_process_heap_bytes() }
        self.replyCount += 1
        return WorkerUsage(cpuNanoseconds: ThreadTime.nanoseconds() &- start, heapBytes: self.heapBytes)
    }

    /// Sends the results of a job. A single picture is encoded at once; several are left to any idle workers.
    /// - Parameter writtenPlanes: The parts of the planes that are in ``planesMemory``.
    private mutating func send(
        _ decoded: DecodedJob, of job: RenderJob, limits: CodecLimits, control: JobControl, since start: UInt64,
        writtenPlanes: [Range<Int>] = []
    ) throws {
        var writer = try MemoryWriter()
        var pictures: [PictureRecord] = []
        while let picture = decoded.pictures.next() {
            let plan = try job.plan(picture.index, limits: limits)
            if job.targets.count == 1 {
                let file = try picture.encode(limits: limits, control: control)
                pictures.append(
                    try PictureRecord(encoded: file, picture, of: plan) { bytes throws(CodecError) in
                        try writer.append(bytes)
                    })
            } else {
                pictures.append(
                    try PictureRecord(exporting: picture, of: plan) { bytes throws(CodecError) in
                        try writer.append(bytes)
                    })
            }
        }
        if pictures.isEmpty { throw CodecError.stopped }
        let result = try writer.seal()
        defer { close(result) }
        var descriptors = [result]
        var planes: PlanesRecord?
        if let retained = decoded.planes {
            let exported = try self.planesMemory.export(retained, besides: writtenPlanes)
            planes = exported.record
            descriptors.append(exported.descriptor)
        }
        let timings = decoded.decodeTimings
        let reply = DecodedReply(
            usage: self.usage(since: start), decode: timings.decode, resample: timings.resample, pictures: pictures,
            planes: planes)
        try self.channel.send(MessageFrame.encode(.decoded, reply), descriptors)
    }

    private mutating func send(_ file: consuming RenderedFile, since start: UInt64) throws {
        let encode = file.timings.encode
        let bytes = file.takeBytes()
        var writer = try MemoryWriter()
        _ = try bytes.withUnsafeBytes { bytes throws(CodecError) in try writer.append(bytes) }
        let descriptor = try writer.seal()
        defer { close(descriptor) }
        let reply = EncodedReply(usage: self.usage(since: start), byteCount: bytes.count, encode: encode)
        try self.channel.send(MessageFrame.encode(.encoded, reply), [descriptor])
    }

    private mutating func send(_ hashes: PictureHashes, since start: UInt64) throws {
        let reply = HashedReply(
            usage: self.usage(since: start), dominantColour: hashes.dominantColour, thumbHash: hashes.thumbHash,
            blurHash: hashes.blurHash)
        try self.channel.send(MessageFrame.encode(.hashed, reply))
    }

    private mutating func send(hasArrived: Bool, since start: UInt64) throws {
        let reply = SteppedReply(usage: self.usage(since: start), hasArrived: hasArrived)
        try self.channel.send(MessageFrame.encode(.stepped, reply))
    }

    private mutating func send(_ error: ErrorRecord, since start: UInt64) throws {
        try self.channel.send(MessageFrame.encode(.failed, FailedReply(usage: self.usage(since: start), error: error)))
    }
}
