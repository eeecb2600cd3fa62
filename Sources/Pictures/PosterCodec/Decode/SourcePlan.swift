/// What a decoder needs of a render's plan.
struct SourcePlan: Hashable {
    /// The header of the original.
    let source: ImageHeader
    let scale: DecodeScale
    /// The scans that are read; `nil` reads the whole file.
    let scans: ScanSelection?

    /// The ranges to read of a file of `byteCount` bytes, ascending.
    func ranges(in byteCount: Int) -> [Range<Int>] { self.scans?.ranges(in: byteCount) ?? [0..<byteCount] }
}
