import CPosterCodecs

/// The inner loops of the likeness, per instruction set. All give the same bits.
enum LikenessKernel: String, CaseIterable {
    case portable
    case avx2

    static let fastest: LikenessKernel = poster_likeness_has_avx2() != 0 ? .avx2 : .portable

    /// The argument of the C functions.
    var avx2: Int32 { self == .avx2 ? 1 : 0 }
}

/// Rows of floats for the kernels, initially zero.
///
/// Layout: rows of ``stride`` floats; the first sample is at index 8.
struct LikenessRows: ~Copyable {
    let stride: Int
    private let memory: ScratchMemory<Float>

    init(count: Int, width: Int) {
        self.stride = Self.stride(width)
        self.memory = ScratchMemory(count: count * self.stride, repeating: 0)
    }

    /// The first sample of a row.
    subscript(row: Int) -> UnsafeMutablePointer<Float> { self.memory.start + row * self.stride + 8 }

    static func stride(_ width: Int) -> Int { (width + 15) & ~15 + 24 }
}
