/// Decodes one scan of a JPEG, a group of rows at a time.
///
/// Stops at any irregularity, which leaves the file to libjpeg. Until then, its coefficients equal libjpeg's.
struct JPEGScanReader {
    /// A component of the scan, with the codes that the scan needs.
    struct Part {
        let component: Int
        let dc, ac: JPEGSymbolTable?
    }

    enum Process {
        case sequential
        case firstDC, refinedDC
        case firstAC, refinedAC
    }

    let process: Process
    let parts: [Part]
    /// The zigzag positions of the scan's coefficients.
    let band: ClosedRange<Int>
    /// The lowest bit of the coefficients in this scan.
    let lowBit: Int
    /// Units between restart markers; 0 without restart markers.
    let restartInterval: Int
    /// The index in a block of each zigzag position.
    let order: UnsafePointer<UInt8>
    var bits: JPEGBits
    /// Units up to the next restart marker.
    private var unitsLeft: Int
    private var restartIndex = 0
    /// The last DC coefficient of each part.
    var lastDC = SIMD4<Int32>()
    /// The number of following blocks without further coefficients of the band.
    var emptyBlocks = 0

    init(
        _ process: Process, of parts: [Part], band: ClosedRange<Int>, lowBit: Int, restartInterval: Int,
        order: UnsafePointer<UInt8>, data: UnsafeBufferPointer<UInt8>
    ) {
        self.process = process
        self.parts = parts
        self.band = band
        self.lowBit = lowBit
        self.restartInterval = restartInterval
        self.order = order
        self.bits = JPEGBits(data)
        self.unitsLeft = restartInterval
    }

    /// Decodes the scan's share of a group.
    ///
    /// - Returns: `false` if the data is irregular.
    mutating func read(group index: Int, into group: JPEGGroup) -> Bool {
        guard self.parts.count == 1 else {
            return self.readUnits(group.unitsAcross) { reader, units in reader.readUnits(units, into: group) }
        }
        let component = group.components[self.parts[0].component]
        for row in 0..<component.rows(in: index) {
            let start = row * component.blocksPerRow
            let isRead = self.readUnits(component.blocksAcross) { reader, blocks in
                reader.readBlocks(start + blocks.lowerBound, count: blocks.count, of: component)
            }
            guard isRead else { return false }
        }
        return true
    }

    var isAtEnd: Bool { self.bits.isAtEnd }

    /// Splits a row of units at the restart markers.
    @inline(__always) private mutating func readUnits(
        _ count: Int, _ body: (inout JPEGScanReader, Range<Int>) -> Bool
    ) -> Bool {
        var unit = 0
        while unit < count {
            if self.restartInterval > 0, self.unitsLeft == 0 {
                guard self.restart() else { return false }
            }
            let end = self.restartInterval > 0 ? min(count, unit + self.unitsLeft) : count
            guard body(&self, unit..<end), self.bits.isIntact else { return false }
            self.unitsLeft -= end - unit
            unit = end
        }
        return true
    }

    private mutating func restart() -> Bool {
        guard self.bits.restart(self.restartIndex) else { return false }
        self.restartIndex = (self.restartIndex + 1) & 7
        self.unitsLeft = self.restartInterval
        self.lastDC = SIMD4()
        self.emptyBlocks = 0
        return true
    }

    private mutating func readBlocks(_ first: Int, count: Int, of component: JPEGGroup.Component) -> Bool {
        let coefficients = component.coefficients + 64 * first
        let masks = component.masks + first
        switch self.process {
        case .firstAC: return self.readFirstAC(coefficients, masks, count: count)
        case .refinedAC: return self.readRefinedAC(coefficients, masks, count: count)
        case .firstDC, .refinedDC, .sequential:
            for block in 0..<count {
                guard self.readBlock(coefficients + 64 * block, part: 0) else { return false }
            }
            return true
        }
    }

    private mutating func readUnits(_ units: Range<Int>, into group: JPEGGroup) -> Bool {
        for unit in units {
            for part in self.parts.indices {
                let component = group.components[self.parts[part].component]
                for row in 0..<component.down {
                    let first = row * component.blocksPerRow + unit * component.across
                    for block in first..<first + component.across {
                        guard self.readBlock(component.coefficients + 64 * block, part: part) else { return false }
                    }
                }
            }
        }
        return true
    }

    @inline(__always) private mutating func readBlock(_ block: UnsafeMutablePointer<Int16>, part: Int) -> Bool {
        switch self.process {
        case .firstDC:
            guard let table = self.parts[part].dc else { return false }
            return self.readDC(block, part: part, table)
        case .refinedDC:
            block[0] |= Int16(self.bits.take(1) << self.lowBit)
            return true
        case .sequential:
            guard let dc = self.parts[part].dc, let ac = self.parts[part].ac else { return false }
            return self.readDC(block, part: part, dc) && self.readAC(block, ac)
        case .firstAC, .refinedAC:
            return false  // AC scans have one component
        }
    }
}
