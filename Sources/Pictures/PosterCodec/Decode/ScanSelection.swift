/// The scans of a progressive JPEG that are read for an output of a given size.
public struct ScanSelection: Hashable, Sendable {
    /// The number of scans in the file; 0 if no search was made.
    public internal(set) var scanCount = 0
    /// The indices of the dropped scans, ascending.
    public internal(set) var dropped: [Int] = []
    /// The dropped scans' ranges in the file, ascending.
    var droppedBytes: [Range<Int>] = []
    /// The minimum estimated peak signal-to-noise ratio of luma against reading all scans, in dB; infinite without a
    /// loss.
    public internal(set) var lumaFloor = Double.infinity
    /// The same for R′G′B′.
    public internal(set) var colourFloor = Double.infinity

    /// The number of bytes of the file that are not read.
    public var skippedCount: Int { self.droppedBytes.reduce(0) { $0 + $1.count } }

    /// Selects all scans.
    init() {}

    /// The ranges to read of a file of `byteCount` bytes, ascending, including tables between dropped scans.
    func ranges(in byteCount: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for gap in self.droppedBytes {
            if start < gap.lowerBound { ranges.append(start..<gap.lowerBound) }
            start = gap.upperBound
        }
        if start < byteCount { ranges.append(start..<byteCount) }
        return ranges
    }
}
