import FuzzMemory
import Glibc

/// Small limits, so that a run tries many files rather than a few large ones. Profiles have the service's limits,
/// because their cost is independent of the picture's size.
private let limits: CodecLimits = {
    var limits = CodecLimits()
    limits.maxPixels = getenv("FUZZ_MAX_PIXELS").flatMap { Int(String(cString: $0)) } ?? 1 << 20
    limits.maxWorkingBytes = 96 << 20
    limits.maxScans = 20
    limits.maxCPUNanoseconds = 1_000_000_000
    return limits
}()

/// Render parameters derived from the file's bytes, so that a crash is reproducible.
private struct Choices {
    private var seed: UInt32 = 2_166_136_261

    init(for bytes: UnsafeRawBufferPointer) {
        for byte in bytes { self.seed = (self.seed ^ UInt32(byte)) &* 16_777_619 }
    }

    mutating func pick<Element>(_ all: [Element]) -> Element {
        self.seed = self.seed &* 1_664_525 &+ 1_013_904_223
        return all[Int(self.seed >> 8) % all.count]
    }

    mutating func target() -> RenderTarget {
        RenderTarget(
            width: self.pick([1, 7, 32, 100, nil]), height: self.pick([nil, 1, 20, 100]),
            fit: self.pick(RenderTarget.Fit.allCases), position: self.pick(RenderTarget.Position.allCases),
            format: self.pick([.jpeg, .webp, .png]), quality: self.pick([1, 50, 82, 95, 100]),
            effort: self.pick(RenderTarget.Effort.allCases))
    }

    /// Two to five targets, possibly with duplicates.
    mutating func targets() -> [RenderJob.Target] {
        (0..<self.pick([2, 3, 4, 5])).map { _ in
            RenderJob.Target(self.target(), urgency: self.pick([0, 1, 2]))
        }
    }
}

private func cpuTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Called by libFuzzer for each file: every stage must return a picture or throw, and must not use more memory than
/// planned.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafeRawPointer?, _ count: Int) -> Int32 {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let span = bytes.bytes
    // Any prefix may be all that has arrived so far.
    _ = try? probe(span.extracting(0..<count / 2))
    let control = RenderControl(cpuTime: cpuTime)
    // As the service does, or without inspecting the end of the file.
    let inspected = try? inspect(span, limits: limits)
    var header = inspected
    if header == nil, case .header(let probed)? = try? probe(span) { header = probed }
    guard let header else { return 0 }
    FuzzStatistics.shared.note(.recognised, header.format)
    if inspected != nil { FuzzStatistics.shared.note(.inspected, header.format) }
    var choices = Choices(for: bytes)
    if choices.pick([true, false]) {
        fuzzTarget(choices.target(), of: span, header, control)
    } else {
        fuzzJobs(&choices, of: span, header)
    }
    return 0
}

private func fuzzTarget(_ target: RenderTarget, of span: RawSpan, _ header: ImageHeader, _ control: RenderControl) {
    guard let plan = try? RenderPlan(header, target: target, limits: limits) else { return }
    fuzz_memory_begin()
    var resultBytes = 0
    do {
        let picture = try render(span, plan: plan, limits: limits, control: control)
        precondition(!picture.bytes.isEmpty && picture.size == plan.size)
        resultBytes = picture.bytes.count
        FuzzStatistics.shared.note(.rendered, header.format)
    } catch .internalError(let reason) {
        fatalError(reason)
    } catch {
        precondition(error != .stopped)
    }
    checkPeak(planned: plan.workingBytes, resultBytes: resultBytes, header.format)
}

/// Renders several targets with shared decodes, and further ones from retained planes.
private func fuzzJobs(_ choices: inout Choices, of span: RawSpan, _ header: ImageHeader) {
    let targets = choices.targets()
    let sharing = DecodeSharing(targets, of: header, byteCount: span.byteCount, limits: limits)
    precondition(sharing.jobs.reduce(sharing.failures.count) { $0 + $1.members.count } == targets.count)
    let pool = PlaneMemoryPool(spareBytes: 0)
    for decode in sharing.jobs {
        let decode =
            choices.pick([true, false])
            ? decode.retaining(ladder: [7, 32, 100], byteLimit: 1 << 20, limits: limits) : decode
        fuzz_memory_begin()
        var planes: RetainedPlanes?
        let resultBytes = encodeAll(decode.job) { control throws(CodecError) in
            let decoded = try decodeJob(span, job: decode.job, limits: limits, control: control, pool: pool)
            planes = decoded.planes
            precondition(planes == nil || decode.job.retention != nil)
            return decoded
        }
        checkPeak(planned: decode.memory.bytes, resultBytes: resultBytes, header.format)
        if resultBytes > 0 { FuzzStatistics.shared.note(.rendered, header.format) }
        guard let planes else { continue }
        let served = targets.filter { planes.serves($0.target, limits: limits) }
        guard !served.isEmpty else { continue }
        let job = planes.job(served)
        guard let memory = try? planes.memory(for: job, limits: limits) else {
            fatalError("planes serve targets that they have no estimate for")
        }
        fuzz_memory_begin()
        let rendered = encodeAll(job) { control throws(CodecError) in
            try decodeJob(planes, job: job, limits: limits, control: control)
        }
        checkPeak(planned: memory.bytes, resultBytes: rendered, header.format)
    }
}

/// - Returns: The total size of the results.
private func encodeAll(_ job: RenderJob, _ decode: (JobControl) throws(CodecError) -> DecodedJob) -> Int {
    let control = JobControl(targetCount: job.targets.count, cpuTime: cpuTime)
    var resultBytes = 0
    do {
        let decoded = try decode(control)
        while let picture = decoded.pictures.next() {
            let file = try picture.encode(limits: limits, control: control)
            resultBytes += file.takeBytes().count
        }
    } catch .internalError(let reason) {
        fatalError(reason)
    } catch {
        precondition(error != .stopped)
    }
    return resultBytes
}

private func checkPeak(planned: Int, resultBytes: Int, _ format: ImageFormat) {
    // A result is held twice until it is handed over.
    let allowed = planned / 4 * 5 + (2 << 20) + 2 * resultBytes
    let peak = Int(fuzz_memory_peak())
    FuzzStatistics.shared.note(peak: peak - 2 * resultBytes, planned: planned, of: format)
    // The memory of other decoders depends on data that only they read; the limit of a worker bounds it.
    guard !format.needsWorker else { return }
    guard peak <= allowed else { fatalError("\(peak) bytes were held where \(planned) were planned") }
}
