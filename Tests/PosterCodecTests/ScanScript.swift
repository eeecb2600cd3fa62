import CodecTesting

@testable import PosterCodec

/// Writes the skeleton of a progressive JPEG: real headers and tables, made-up entropy-coded data.
///
/// It cannot be decoded, but a scan table is made only of the segments between the data.
struct ScanScript {
    var width = 640
    var height = 960
    /// Sampling factors; the identifiers are 1, 2, 3 …
    var factors = [(2, 2), (1, 1), (1, 1)]
    var frameMarker: UInt8 = 0xC2
    var step: UInt8 = 8
    var scans: [Scan] = []

    struct Scan {
        var components: [Int]
        var band: ClosedRange<Int>
        var high = 0
        var low = 0
        var dataCount = 100
        /// The segments before the scan.
        var segments: [JPEGSegment] = []
    }

    /// libjpeg's scans for colour.
    static let usual: [Scan] = [
        Scan(components: [0, 1, 2], band: 0...0, low: 1, dataCount: 3000),
        Scan(components: [0], band: 1...5, low: 2, dataCount: 4000),
        Scan(components: [2], band: 1...63, low: 1, dataCount: 400),
        Scan(components: [1], band: 1...63, low: 1, dataCount: 400),
        Scan(components: [0], band: 6...63, low: 2, dataCount: 2000),
        Scan(components: [0], band: 1...63, high: 2, low: 1, dataCount: 4000),
        Scan(components: [0, 1, 2], band: 0...0, high: 1, low: 0, dataCount: 500),
        Scan(components: [2], band: 1...63, high: 1, low: 0, dataCount: 800),
        Scan(components: [1], band: 1...63, high: 1, low: 0, dataCount: 800),
        Scan(components: [0], band: 1...63, high: 1, low: 0, dataCount: 9000),
    ]

    /// An AC table of three symbols, in 1 to 3 bits: the end of a block, ±1 without zeros before it, ±1 after a zero.
    static let code = JPEGSegment(0xC4, [0x10, 1, 1, 1] + [UInt8](repeating: 0, count: 13) + [0x00, 0x01, 0x11])

    var bytes: [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        file += JPEGSegment(0xDB, [0] + [UInt8](repeating: self.step, count: 64)).bytes
        var frame: [UInt8] = [8]
        for side in [self.height, self.width] { frame += [UInt8(side >> 8), UInt8(side & 0xFF)] }
        frame.append(UInt8(self.factors.count))
        for (index, factor) in self.factors.enumerated() {
            frame += [UInt8(index + 1), UInt8(factor.0 << 4 | factor.1), 0]
        }
        file += JPEGSegment(self.frameMarker, frame).bytes
        file += Self.code.bytes
        for scan in self.scans {
            for segment in scan.segments { file += segment.bytes }
            var header = [UInt8(scan.components.count)]
            for component in scan.components { header += [UInt8(component + 1), 0x00] }
            header += [UInt8(scan.band.lowerBound), UInt8(scan.band.upperBound), UInt8(scan.high << 4 | scan.low)]
            file += JPEGSegment(0xDA, header).bytes
            // Stuffed zeros and restart markers are data, too.
            file += (0..<scan.dataCount).map { [0x12, 0xFF, 0x00, 0xFF, 0xD3, 0x34, 0x56, 0x78][$0 % 8] }
            if scan.dataCount % 8 == 2 || scan.dataCount % 8 == 4 { file.append(0x00) }
        }
        return file + [0xFF, 0xD9]
    }

    var table: JPEGScanTable? { self.bytes.scanTable() }

    /// The header that the codec would read from a decodable file.
    var header: ImageHeader {
        ImageHeader(
            format: .jpeg, width: self.width, height: self.height, bitDepth: 8,
            colourModel: self.factors.count == 1 ? .gray : .yCbCr,
            sampling: self.factors.map { .init(horizontal: $0.0, vertical: $0.1) }, isProgressive: true,
            isMultiScan: true)
    }

    func selection(eighths: Int = 4, residual: Double = 3, effort: RenderTarget.Effort = .balanced) -> ScanSelection {
        ScanSelection(self.table, of: self.header, eighths: eighths, residual: residual, effort: effort)
    }
}

extension [UInt8] {
    func scanTable(maxScans: Int = 100) -> JPEGScanTable? {
        self.withUnsafeBytes { JPEGScanTable($0, maxScans: maxScans) }
    }
}
