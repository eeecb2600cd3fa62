import Glibc

// The fuzzer runs on one thread.
nonisolated(unsafe) private var target: FuzzTarget?

/// Lengths of repeated inputs, in bytes: the longer one must not take ``growth`` times as long as the shorter one.
private let (shortLength, longLength) = (8 << 10, 32 << 10)
private let growth: UInt64 = 8

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
    target?.run(bytes)
    // Quadratic time shows in long inputs only, and libFuzzer prefers short ones.
    let hash = bytes.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    if hash >> 8 & 255 == 0, count > 1 { checkTime(bytes, seed: Int(hash >> 16)) }
    return 0
}

private func checkTime(_ bytes: [UInt8], seed: Int) {
    let short = time(of: repeated(bytes, seed: seed, count: shortLength))
    let long = repeated(bytes, seed: seed, count: longLength)
    let limit = max(growth * short, target?.leastNanoseconds ?? 0)
    var used = time(of: long)
    // The first time may include the growth of the heap.
    for _ in 0..<2 where used >= limit { used = min(used, time(of: long)) }
    let isLinear = used < limit
    if !isLinear { print("Bytes: \(long.suffix(300).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined())") }
    check(
        isLinear,
        "\(longLength) bytes take \(used / 1_000_000) ms, and \(shortLength) bytes \(short / 1_000_000) ms of CPU time")
}

/// A long input: a part of a short one is repeated, or combining marks that must be reordered.
private func repeated(_ bytes: [UInt8], seed: Int, count: Int) -> [UInt8] {
    let start = seed % bytes.count
    let end = start + 1 + seed / 512 % min(16, bytes.count - start)
    let part = seed & 256 == 0 ? Array(bytes[start..<end]) : Array("\u{301}\u{316}".utf8)
    var long = Array(bytes[..<start])
    while long.count < count { long += part }
    return long + bytes[end...]
}

private func time(of bytes: [UInt8]) -> UInt64 {
    let begun = cpuTime()
    target?.run(bytes)
    return cpuTime() - begun
}

private func cpuTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
