/// The scans of a JPEG that are read, each with the tables in effect at its start.
///
/// Exists only for files that strictly follow T.81; other files, which libjpeg tolerates or rejects, are left to
/// libjpeg.
struct JPEGScanSet {
    struct Scan {
        let process: JPEGScanReader.Process
        let parts: [JPEGScanReader.Part]
        let band: ClosedRange<Int>
        let lowBit: Int
        let restartInterval: Int
        /// The range of the scan's entropy-coded data in the file, up to the next marker.
        let data: Range<Int>
    }

    /// Maximum numbers of scans and tables, which are all held at once. Encoders write about ten.
    static let maxScans = 64
    static let maxTables = 64

    private(set) var scans: [Scan] = []
    /// The end of the last scan's data in a file without a proper end of image, possibly including bytes of other
    /// kinds; `nil` for other files.
    private(set) var pictureEnd: Int?
    /// Owns the tables of the scans.
    let tables = JPEGSymbolTable.Storage()
    private(set) var frame: JPEGFrame?
    private var quantisers: JPEGTables
    private var restartInterval = 0
    private var codes: [UInt8: Range<Int>] = [:]
    private var compiled: [UInt8: JPEGSymbolTable] = [:]
    private var tableCount = 0
    /// By component and zigzag position: the lowest bit that the scans so far contain.
    private var reached: [[Int?]] = []

    /// - Parameters:
    ///   - ranges: The ranges of the file that are read: all of it except whole scans.
    ///   - smooths: Whether libjpeg would smooth an incomplete picture.
    init?(_ bytes: UnsafeRawBufferPointer, ranges: [Range<Int>], smooths: Bool) {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        self.quantisers = JPEGTables(bytes)
        var segments = JPEGSegments(bytes)
        walk: while self.pictureEnd == nil {
            let before = segments.offset
            switch try? segments.next() {
            case .segment(let segment):
                // Bytes between segments are not allowed.
                if segment.start == before, self.note(segment, of: &segments, ranges: ranges) { continue }
                // Data after a complete picture is not shown, unless libjpeg takes it for a part of the picture.
                guard segment.marker != 0xDA, self.isComplete else { return nil }
                self.pictureEnd = self.scans.last?.data.upperBound
            case .endOfImage:
                guard segments.offset == before + 2, ranges.contains(whole: before..<segments.offset) else {
                    return nil
                }
                break walk
            case .needsMoreBytes, nil:
                guard self.isComplete else { return nil }
                self.pictureEnd = self.scans.last?.data.upperBound
            }
        }
        guard let frame, self.reached.allSatisfy({ $0[0] != nil }),
            frame.components.allSatisfy({ $0.quantiser < 4 && !self.quantisers.quantiser($0.quantiser).isEmpty })
        else { return nil }
        guard self.isComplete || (!smooths && frame.isProgressive) else { return nil }
    }

    /// Whether the scans so far contain all bits of all coefficients.
    private var isComplete: Bool {
        self.frame != nil && self.reached.allSatisfy { bits in bits.allSatisfy { $0 == 0 } }
    }

    private mutating func note(
        _ segment: JPEGSegments.Segment, of segments: inout JPEGSegments, ranges: [Range<Int>]
    ) -> Bool {
        let payload = segments.payload(of: segment)
        if segment.marker == 0xDA {
            // Without a marker after it, only the last scan can be complete.
            let isLast = !segments.skipEntropyCodedData()
            let end = isLast ? segments.bytes.count : segments.offset
            let scan = segment.start..<end
            if !ranges.contains(where: { $0.overlaps(scan) }) { return !isLast }
            guard ranges.contains(whole: scan),
                self.noteScan(payload, data: segment.payload.upperBound..<end, in: segments.bytes)
            else { return false }
            if isLast { self.pictureEnd = end }
            return !isLast || self.isComplete
        }
        guard ranges.contains(whole: segment.start..<segments.offset) else { return false }
        switch segment.marker {
        case 0xC0...0xC2:
            guard self.frame == nil, let frame = try? JPEGFrame(marker: segment.marker, payload: payload),
                payload.count == 6 + 3 * frame.components.count,
                Set(frame.components.map(\.id)).count == frame.components.count
            else { return false }
            self.frame = frame
            self.reached = frame.components.map { _ in [Int?](repeating: nil, count: 64) }
            return true
        case 0xC4: return self.noteCodes(segment.payload, in: segments.bytes)
        // libjpeg would use the later table for components with a first scan after it.
        case 0xDB: return self.scans.isEmpty && self.quantisers.noteQuantisers(segment.payload)
        case 0xDD:
            guard payload.count == 2 else { return false }
            self.restartInterval = payload.bigEndian(at: 0, byteCount: 2)
            return true
        case 0xE0...0xEF, 0xFE: return true
        default: return false
        }
    }

    private mutating func noteCodes(_ payload: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        var at = payload.lowerBound
        while at < payload.upperBound {
            let kind = bytes[at]
            guard kind & 15 < 4, kind >> 4 < 2, at + 17 <= payload.upperBound else { return false }
            let end = at + 17 + bytes[at + 1..<at + 17].reduce(0) { $0 + Int($1) }
            guard end <= payload.upperBound else { return false }
            self.codes[kind] = at + 1..<end
            self.compiled[kind] = nil
            at = end
        }
        return true
    }

    private mutating func table(_ index: UInt8, isDC: Bool, in bytes: UnsafeRawBufferPointer) -> JPEGSymbolTable? {
        let kind = index | (isDC ? 0 : 0x10)
        if let table = self.compiled[kind] { return table }
        guard index < 4, let range = self.codes[kind], self.tableCount < Self.maxTables else { return nil }
        let code = bytes[range]
        let table = self.tables.table(counts: code.prefix(16), values: code.dropFirst(16), isDC: isDC)
        self.compiled[kind] = table
        self.tableCount += 1
        return table
    }

    /// Parses a scan header (T.81, B.2.3) and checks that the scan continues the earlier ones (G.1.1.1).
    private mutating func noteScan(
        _ payload: UnsafeRawBufferPointer, data: Range<Int>, in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        guard let frame, self.scans.count < Self.maxScans, let count = payload.first.map(Int.init), 1...4 ~= count,
            payload.count == 4 + 2 * count
        else { return false }
        let (first, last) = (Int(payload[1 + 2 * count]), Int(payload[2 + 2 * count]))
        let (highBit, lowBit) = (Int(payload[3 + 2 * count] >> 4), Int(payload[3 + 2 * count] & 15))
        guard first <= last, last < 64 else { return false }
        let process: JPEGScanReader.Process
        if !frame.isProgressive {
            guard (first, last, highBit, lowBit) == (0, 63, 0, 0) else { return false }
            process = .sequential
        } else if first == 0 {
            guard last == 0, lowBit <= 10 else { return false }
            process = highBit > 0 ? .refinedDC : .firstDC
        } else {
            // A coefficient of 16 bits has no room for more.
            guard count == 1, lowBit <= 5 else { return false }
            process = highBit > 0 ? .refinedAC : .firstAC
        }
        guard highBit == 0 || lowBit == highBit - 1 else { return false }

        var parts: [JPEGScanReader.Part] = []
        for entry in 0..<count {
            let (id, tables) = (payload[1 + 2 * entry], payload[2 + 2 * entry])
            // Components must be in the frame's order; libjpeg rejects some others.
            guard let index = frame.components.firstIndex(where: { $0.id == id }),
                index > parts.last?.component ?? -1
            else { return false }
            var (dc, ac): (JPEGSymbolTable?, JPEGSymbolTable?)
            if process == .firstDC || process == .sequential {
                dc = self.table(tables >> 4, isDC: true, in: bytes)
                guard dc != nil else { return false }
            }
            if process != .firstDC, process != .refinedDC {
                ac = self.table(tables & 15, isDC: false, in: bytes)
                guard ac != nil else { return false }
                guard process == .sequential || self.reached[index][0] != nil else { return false }
            }
            for position in first...last {
                guard self.reached[index][position] == (highBit > 0 ? highBit : nil) else { return false }
                self.reached[index][position] = lowBit
            }
            parts.append(.init(component: index, dc: dc, ac: ac))
        }
        let sampling = parts.map { frame.components[$0.component].sampling }
        guard count == 1 || sampling.reduce(0, { $0 + $1.horizontal * $1.vertical }) <= 10 else { return false }
        self.scans.append(
            Scan(
                process: process, parts: parts, band: first...last, lowBit: lowBit,
                restartInterval: self.restartInterval, data: data))
        return true
    }
}

extension [Range<Int>] {
    /// Whether one of the ranges contains all of `range`.
    fileprivate func contains(whole range: Range<Int>) -> Bool {
        self.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }
}
