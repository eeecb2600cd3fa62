package import PosterCodec

extension CodecWorkerPool {
    /// Decodes an original for all targets of a job, as `decodeJob(_:job:limits:control:pool:)`.
    ///
    /// - Parameters:
    ///   - pool: Memory of this process for the planes that the job retains; `nil` retains none.
    ///   - isBackground: Whether the worker has the lowest priority.
    /// - Throws: The errors of `decodeJob`, ``CodecError/decoderEnded(reason:)``; ``UnreadableWorkerInput``.
    package func decode(
        _ input: WorkerInput, job: RenderJob, limits: CodecLimits, control: JobControl, pool: PlaneMemoryPool? = nil,
        isBackground: Bool = false
    ) throws -> DecodedJob {
        var job = job
        if pool == nil { job.retention = nil }
        let budget = try WorkerBudget.decoding(
            job, mappedBytes: input.byteCount, limits: limits)
        return try self.reading(input) { (record, descriptor) throws(CodecError) in
            let request = DecodeRequest(input: record, job: job, limits: limits)
            return try self.perform(
                .decode, request, [descriptor], budget: budget, control: control, isBackground: isBackground
            ) { kind, body, message in
                try self.decoded(
                    kind, body, message, job: job, limits: limits, control: control, pool: pool, isBackground)
            }
        }
    }

    /// Renders all targets of a job from planes, which are copied for the worker: for jobs that take much longer than
    /// the copy, or that need a parser.
    ///
    /// - Throws: The errors of `decodeJob(_:job:limits:control:)`, ``CodecError/decoderEnded(reason:)``.
    package func decode(
        _ planes: RetainedPlanes, job: RenderJob, limits: CodecLimits, control: JobControl, isBackground: Bool = false
    ) throws(CodecError) -> DecodedJob {
        if control.stop.isRaised { throw .stopped }
        var writer = try MemoryWriter()
        let record = try PlanesRecord(exporting: planes) { bytes throws(CodecError) in try writer.append(bytes) }
        let memory = try SealedMemory(sealing: &writer)
        let estimate = try planes.memory(for: job, limits: limits).bytes
        let encoding = try job.plan(0, limits: limits).encodingLimits(limits).maxCPUNanoseconds
        let budget = WorkerBudget.budget(
            estimate + record.profileByteCount, mappedBytes: memory.byteCount,
            cpuNanoseconds: limits.maxCPUNanoseconds + encoding)
        let request = PlanesRequest(planes: record, job: job, limits: limits)
        let outcome = try self.perform(
            .decodePlanes, request, [memory.descriptor], budget: budget, control: control, isBackground: isBackground
        ) { kind, body, message in
            try self.decoded(
                kind, body, message, job: job, limits: limits, control: control, pool: nil, isBackground)
        }
        guard let decoded = outcome else { throw .decoderEnded(reason: "the decoder sent an unexpected reply") }
        return decoded
    }

    /// Computes the hashes of an original, as `PictureHashes.init(of:header:limits:control:)`.
    ///
    /// - Throws: The errors of the initialiser, ``CodecError/decoderEnded(reason:)``; ``UnreadableWorkerInput``.
    package func hashes(
        _ input: WorkerInput, header: ImageHeader, limits: CodecLimits, control: RenderControl
    ) throws -> PictureHashes {
        let plan = try PictureHashes.plan(for: header, limits: limits)
        var budget = WorkerBudget.budget(
            plan.workingBytes, mappedBytes: input.byteCount,
            cpuNanoseconds: limits.maxCPUNanoseconds)
        budget.blamesOriginal = true
        return try self.reading(input) { (record, descriptor) throws(CodecError) in
            let request = HashRequest(input: record, header: header, limits: limits)
            return try self.perform(
                .hash, request, [descriptor], budget: budget, stop: control.stop, dropped: { 0 }, isBackground: false
            ) { kind, body, _ in
                guard kind == .hashed else { throw MalformedMessage() }
                let reply = try MessageReader.read(HashedReply.self, from: body)
                guard
                    let hashes = PictureHashes(
                        dominantColour: reply.dominantColour, thumbHash: reply.thumbHash, blurHash: reply.blurHash)
                else { throw MalformedMessage() }
                return (reply.usage, hashes)
            }
        }
    }

    /// Performs a job with an original.
    /// - Throws: The error of `perform`; ``UnreadableWorkerInput``, also if a worker has ended because its mapped file
    ///   cannot be read.
    private func reading<Value>(
        _ input: WorkerInput, _ perform: (InputRecord, Int32) throws(CodecError) -> Value?
    ) throws -> Value {
        do {
            guard let value = try input.withDescriptor(perform) else { throw UnreadableWorkerInput() }
            return value
        } catch CodecError.decoderEnded where !input.isReadable {
            throw UnreadableWorkerInput()
        }
    }

    /// Decodes the result of a job; its pictures are in memory that the worker can no longer change, its planes are
    /// copied.
    func decoded(
        _ kind: MessageKind, _ body: UnsafeRawBufferPointer, _ message: ReceivedMessage, job: RenderJob,
        limits: CodecLimits, control: JobControl, pool: PlaneMemoryPool?, _ isBackground: Bool
    ) throws -> (WorkerUsage, DecodedJob) {
        guard kind == .decoded else { throw MalformedMessage() }
        let reply = try MessageReader.read(DecodedReply.self, from: body)
        guard !reply.pictures.isEmpty, Set(reply.pictures.map(\.index)).count == reply.pictures.count,
            message.descriptorCount == (reply.planes == nil ? 1 : 2)
        else { throw MalformedMessage() }
        // A target without a picture would never be finished.
        let unsent = job.targets.indices.filter { index in !reply.pictures.contains { $0.index == index } }
        guard !unsent.contains(where: control.isWanted) else { throw MalformedMessage() }
        let memory = try message.takeMemory(0)
        // Overlapping parts could multiply the memory needed for copies.
        let parts = reply.pictures.reduce(0) { $0 + min(max(0, $1.byteCount), memory.byteCount) }
        guard parts <= memory.byteCount else { throw MalformedMessage() }
        var pictures: [PendingPicture] = []
        for record in reply.pictures {
            guard job.targets.indices.contains(record.index), record.isConsistent(size: memory.byteCount) else {
                throw MalformedMessage()
            }
            if record.kind == .file {
                let file = try memory.file(offset: record.offset, byteCount: record.byteCount)
                pictures.append(try PendingPicture(record, of: job, limits: limits, file: file))
            } else {
                let encoder = WorkerEncoder(
                    pool: self, record: record, memory: memory, job: job.alone(record.index),
                    isBackground: isBackground)
                pictures.append(try PendingPicture(record, of: job, limits: limits, encoder: encoder))
            }
        }
        var planes: RetainedPlanes?
        if let record = reply.planes {
            guard let pool, record.isConsistent(size: nil, limits: limits) else { throw MalformedMessage() }
            // Planes that cannot be copied are left out.
            planes = RetainedPlanes(copying: record, of: job, pool: pool) { offset, buffer in
                message.copy(1, from: offset, into: buffer)
            }
        }
        var timings = StageTimings()
        timings.decode = min(reply.decode, WorkerUsage.limit)
        timings.resample = min(reply.resample, WorkerUsage.limit)
        let pending = PendingPictures(pictures, targetCount: job.targets.count, control: control)
        return (reply.usage, DecodedJob(pictures: pending, decodeTimings: timings, planes: planes))
    }
}

/// Encodes a picture that a worker has exported, in any worker.
private struct WorkerEncoder: PictureEncoder {
    let pool: CodecWorkerPool
    let record: PictureRecord
    let memory: SealedMemory
    /// A job with the picture's target only.
    let job: RenderJob
    let isBackground: Bool

    func encode(
        _ picture: PendingPicture, limits: CodecLimits, control: JobControl
    ) throws(CodecError) -> RenderedFile {
        let estimate = picture.encodingBytes + self.record.byteCount
        let budget = WorkerBudget.budget(
            estimate, mappedBytes: self.memory.byteCount,
            cpuNanoseconds: picture.plan.encodingLimits(limits).maxCPUNanoseconds)
        let index = picture.index
        let stop = StopFlag(orElse: { control.stop.isRaised || !control.isWanted(index) })
        var record = self.record
        record.index = 0
        let request = EncodeRequest(
            picture: record, job: self.job, limits: limits, byteCount: self.memory.byteCount)
        let file = try self.pool.perform(
            .encode, request, [self.memory.descriptor], budget: budget, stop: stop, dropped: { 0 },
            isBackground: self.isBackground
        ) { kind, body, message -> (WorkerUsage, EncodedFile) in
            guard kind == .encoded else { throw MalformedMessage() }
            let reply = try MessageReader.read(EncodedReply.self, from: body)
            let memory = try message.takeMemory(0)
            guard reply.byteCount == memory.byteCount else { throw MalformedMessage() }
            return (reply.usage, EncodedFile(memory: memory, encode: reply.encode))
        }
        guard let file else { throw .decoderEnded(reason: "the decoder sent an unexpected reply") }
        var timings = StageTimings()
        timings.encode = min(file.encode, WorkerUsage.limit)
        return RenderedFile(bytes: try file.memory.file(offset: 0, byteCount: file.memory.byteCount), timings: timings)
    }

    private struct EncodedFile {
        let memory: SealedMemory
        let encode: UInt64
    }
}

extension RenderJob {
    /// The job of a single target, for encoding it.
    fileprivate func alone(_ index: Int) -> RenderJob {
        var job = RenderJob(
            source: self.source, byteCount: self.byteCount, targets: [self.targets[index]], scale: self.scale)
        job.encoding = self.encoding
        return job
    }
}
