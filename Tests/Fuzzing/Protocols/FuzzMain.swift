import Glibc

// The fuzzer runs on one thread.
nonisolated(unsafe) private var target: FuzzTarget?

/// Maximum CPU time of an input: a constant part, and one per byte. Sanitizers included, a linear parser takes a
/// hundredth of it.
private let (baseNanoseconds, nanosecondsPerByte): (UInt64, UInt64) = (200_000_000, 20_000)
/// Length of repeated inputs, in bytes.
private let repeatedLength = 64 << 10

/// Called by libFuzzer once: chooses the target by `FUZZ_TARGET`. With `FUZZ_SEEDS` it only writes the seeds and
/// dictionaries of all targets to that folder.
@_cdecl("LLVMFuzzerInitialize")
public func initialise(_ count: UnsafeMutablePointer<Int32>?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    if let folder = getenv("FUZZ_SEEDS") {
        for target in FuzzTarget.all {
            do { try target.write(to: String(cString: folder)) } catch { fatalError("\(target.name): \(error)") }
        }
        exit(0)
    }
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
    target = FuzzTarget.all.first { $0.name == name }
    guard target != nil else {
        fatalError("FUZZ_TARGET must be one of \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    }
    return 0
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafeRawPointer?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    run(bytes)
    // Quadratic time shows in long inputs only, and libFuzzer prefers short ones.
    let hash = bytes.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    if hash >> 8 & 63 == 0, count > 1 { run(repeated(bytes, seed: Int(hash >> 14))) }
    return 0
}

/// A long input: a part of a short one is repeated.
private func repeated(_ bytes: [UInt8], seed: Int) -> [UInt8] {
    let start = seed % bytes.count
    let end = start + 1 + seed / 512 % min(16, bytes.count - start)
    var long = Array(bytes[..<start])
    while long.count < repeatedLength { long += bytes[start..<end] }
    return long + bytes[end...]
}

private func run(_ bytes: [UInt8]) {
    let begun = cpuTime()
    target?.run(bytes)
    let used = cpuTime() - begun
    let isQuick = used <= baseNanoseconds + UInt64(bytes.count) * nanosecondsPerByte
    if !isQuick { print("Bytes: \(bytes.prefix(300).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined())") }
    check(isQuick, "\(bytes.count) bytes take \(used / 1_000_000) ms of CPU time")
}

private func cpuTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
