import FuzzLibrary

/// Called by libFuzzer to mutate a file. Formats in which a changed length invalidates everything after it are mutated
/// part by part; all others, and occasionally these, are mutated by libFuzzer.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateOne(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    var random = SeededRandom(seed: UInt64(seed))
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard Int.random(in: 0..<8, using: &random) > 0, let changed = structured(bytes, &random), !changed.isEmpty,
        changed.count <= capacity
    else { return LLVMFuzzerMutate(start, count, capacity) }
    start.update(from: changed, count: changed.count)
    return changed.count
}

/// `nil` for formats without a mutator.
private func structured(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8]? {
    switch ImageFormat(recognising: bytes.span.bytes) {
    case .avif, .heic:
        var mutator = HEIFMutator(bytes, random: random)
        for _ in 0..<Int.random(in: 1...3, using: &random) { mutator.mutate() }
        return mutator.file.bytes
    case .gif:
        var mutator = GIFMutator(bytes, random: random)
        mutator.mutate()
        return mutator.bytes
    default: return nil
    }
}

extension [UInt8] {
    /// Returns the bytes as mutated by libFuzzer.
    ///
    /// - Parameter growth: Maximum number of added bytes.
    func mutated(growth: Int) -> [UInt8] {
        var changed = self + [UInt8](repeating: 0, count: growth)
        let count = changed.withUnsafeMutableBufferPointer { buffer in
            LLVMFuzzerMutate(buffer.baseAddress!, self.count, buffer.count)
        }
        changed.removeLast(changed.count - count)
        return changed
    }

    /// Writes a big-endian number.
    mutating func set(_ value: Int, at offset: Int, byteCount: Int) {
        for index in 0..<byteCount {
            self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - index)))
        }
    }
}

extension SeededRandom {
    /// A boundary value.
    mutating func remarkable() -> Int {
        let numbers = [
            0, 1, 2, 3, 7, 8, 15, 16, 63, 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 4096, 32_767, 32_768,
            65_535,
            65_536, 1 << 20, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, Int.max, -1,
        ]
        return numbers.randomElement(using: &self)!
    }
}
