import Glibc

/// The scans of a JPEG that are read for an output of some size.
public struct JPEGScanSelection: Hashable, Sendable {
    /// The number of scans in the file; 0 without a search.
    public private(set) var scanCount = 0
    /// The indices of the scans that are not read, ascending.
    public private(set) var dropped: [Int] = []
    /// Their ranges in the file, ascending.
    private(set) var droppedBytes: [Range<Int>] = []
    /// The least estimated peak signal-to-noise ratio of luma against reading all scans, in dB; infinite without a
    /// loss.
    public private(set) var lumaFloor = Double.infinity
    /// The same for R′G′B′.
    public private(set) var colourFloor = Double.infinity

    /// The number of bytes of the file that are not read.
    public var skippedCount: Int { self.droppedBytes.reduce(0) { $0 + $1.count } }

    /// Selects all scans.
    init() {}

    /// - Parameters:
    ///   - table: The scans of the file; all are selected when it is nil or not orderly.
    ///   - header: The header of the same file.
    ///   - eighths: The scale of decoding: 1, 2, 4 or 8 eighths. At 8 all scans are selected.
    ///   - residual: Decoded width over output width.
    ///   - halvesChroma: Whether the output has a quarter of the chroma samples, as 4:2:0 has.
    init(
        _ table: JPEGScanTable?, of header: ImageHeader, eighths: Int, residual: Double, effort: RenderTarget.Effort,
        halvesChroma: Bool = true
    ) {
        guard let table, effort != .full, [1, 2, 4].contains(eighths), residual.isFinite, residual > 0 else { return }
        // Encoders write about ten scans; a file of hundreds is not worth the search.
        guard table.scans.count <= 128, table.isOrderly else { return }
        switch header.colourModel {
        case .gray where table.components.count == 1: break
        case .yCbCr where table.components.count == 3: break
        default: return
        }
        var search = JPEGScanSearch(
            table, eighths: eighths, residual: residual, effort: effort, halvesChroma: halvesChroma)
        search.run()
        self.scanCount = table.scans.count
        self.dropped = search.dropped
        self.droppedBytes = self.dropped.map { table.scans[$0].bytes }
        self.lumaFloor = Self.decibels(search.lumaSquare)
        self.colourFloor = Self.decibels(search.colourSquare)
    }

    /// The ranges of the file that are read, ascending, including tables between dropped scans.
    ///
    /// - Parameter byteCount: The length of the file.
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

    private static func decibels(_ meanSquare: Double) -> Double {
        meanSquare > 0 ? 10 * log10(255 * 255 / meanSquare) : .infinity
    }
}
