import FuzzMemory
import Glibc

/// Small limits, so that a run tries many files instead of few large ones; profiles have the service's, because what they
/// take does not follow from the picture's size.
private let limits: CodecLimits = {
    var limits = CodecLimits()
    limits.maxPixels = 1 << 20
    limits.maxWorkingBytes = 96 << 20
    limits.maxScans = 20
    limits.maxCPUNanoseconds = 1_000_000_000
    return limits
}()

/// What is asked of a picture follows from its bytes, so that a file that crashes does so again.
private func target(for bytes: UnsafeRawBufferPointer) -> RenderTarget {
    var seed: UInt32 = 2_166_136_261
    for byte in bytes { seed = (seed ^ UInt32(byte)) &* 16_777_619 }
    func pick<Element>(_ all: [Element]) -> Element {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return all[Int(seed >> 8) % all.count]
    }
    return RenderTarget(
        width: pick([1, 7, 32, 100, nil]), height: pick([nil, 1, 20, 100]), fit: pick(RenderTarget.Fit.allCases),
        position: pick(RenderTarget.Position.allCases), format: pick(OutputFormat.allCases),
        quality: pick([1, 50, 82, 95, 100]), effort: pick(RenderTarget.Effort.allCases))
}

private func cpuTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Called by libFuzzer with one file after the other: each must give a picture or throw, at every stage, and take no more
/// memory than was planned.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafeRawPointer?, _ count: Int) -> Int32 {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let span = bytes.bytes
    // Any prefix may be all that has arrived.
    _ = try? probe(span.extracting(0..<count / 2))
    let control = RenderControl(cpuTime: cpuTime)
    // Once as the service does it, and once without inspecting the end of the file.
    let inspected = try? inspect(span, limits: limits)
    var header = inspected
    if header == nil, case .header(let probed)? = try? probe(span) { header = probed }
    guard let header, let plan = try? RenderPlan(header, target: target(for: bytes), limits: limits) else { return 0 }
    fuzz_memory_begin()
    var resultBytes = 0
    do {
        let picture = try render(span, plan: plan, limits: limits, control: control)
        precondition(!picture.bytes.isEmpty && picture.size == plan.size)
        resultBytes = picture.bytes.count
    } catch .internalError(let reason) {
        fatalError(reason)
    } catch {
        precondition(error != .stopped)
    }
    // A result is held twice before it is handed over.
    let allowed = plan.workingBytes / 4 * 5 + (2 << 20) + 2 * resultBytes
    let peak = fuzz_memory_peak()
    guard peak <= allowed else {
        fatalError("\(peak) bytes were held where \(plan.workingBytes) were planned")
    }
    return 0
}
