import Glibc

/// Which scans of a JPEG are read for an output of some size.
public struct JPEGScanSelection: Hashable, Sendable {
    /// How many scans the file has; 0 when nobody looked.
    public private(set) var scanCount = 0
    /// Which scans stay unread, by their place in the file, ascending.
    public private(set) var dropped: [Int] = []
    /// Where these are in the file, ascending.
    private(set) var droppedBytes: [Range<Int>] = []
    /// What the peak signal-to-noise ratio of luma will at least be against reading everything, in dB, as estimated;
    /// infinite when luma loses nothing.
    public private(set) var lumaFloor = Double.infinity
    /// The same for R′G′B′.
    public private(set) var colourFloor = Double.infinity

    /// How many bytes of the file are not read.
    public var skippedCount: Int { self.droppedBytes.reduce(0) { $0 + $1.count } }

    /// Everything.
    init() {}

    /// - Parameters:
    ///   - table: Nil selects everything, as does one that is not in order.
    ///   - header: Of the same file.
    ///   - eighths: What the decoder makes of the picture: 1, 2, 4 or 8 eighths. At 8 everything is read.
    ///   - residual: Decoded width over output width, as ``RenderPlan/residual``.
    ///   - halvesChroma: Whether the output has a quarter of the chroma samples, as 4:2:0 has.
    init(
        _ table: JPEGScanTable?, of header: ImageHeader, eighths: Int, residual: Double, effort: RenderTarget.Effort,
        halvesChroma: Bool = true
    ) {
        guard let table, effort != .full, [1, 2, 4].contains(eighths), residual.isFinite, residual > 0 else { return }
        // Encoders write about ten scans; what is made of hundreds is not worth the search.
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

    /// The bytes that are read, ascending. Tables and all else between dropped scans are among them.
    ///
    /// - Parameter byteCount: Of the whole file.
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
