import CPosterCodecs

/// Decodes all scans of a JPEG side by side, which holds the coefficients of only one group of rows at a time.
///
/// A scan depends only on other scans' data of the same block, and each scan has its own place in the file, so all
/// scans can advance together. libjpeg, which reads a file from beginning to end, holds the coefficients of the whole
/// picture.
struct JPEGGroupReader: ~Copyable {
    private let tables: JPEGSymbolTable.Storage
    private var scans: [JPEGScanReader]
    private let group: JPEGGroup
    private let masks: ScratchMemory<UInt64>
    private let order: ScratchMemory<UInt8>
    private let groupCount: Int
    /// Whether the file lacks its end of image, so that other bytes may follow the last scan's data.
    private let lacksEnd: Bool
    private var next = 0

    /// - Parameters:
    ///   - bytes: The whole file; must outlive the reader.
    ///   - group: The memory of the coefficients; must outlive the reader.
    init(_ scans: JPEGScanSet, of bytes: UnsafeRawBufferPointer, group: poster_jpeg_group, layout: poster_jpeg_layout) {
        let blocks = [group.components.0, group.components.1, group.components.2, group.components.3]
        let planes = [layout.planes.0, layout.planes.1, layout.planes.2, layout.planes.3]
        let count = Int(layout.component_count)
        let blockCounts = (0..<count).map { Int(blocks[$0].blocks_per_row * planes[$0].vertical) }
        self.masks = ScratchMemory(count: blockCounts.reduce(0, +), repeating: 0)
        self.order = ScratchMemory(count: 64)
        self.order.start.initialize(from: JPEGGroup.naturalOrder, count: 64)
        var components: [JPEGGroup.Component] = []
        var masks = self.masks.start
        for index in 0..<count {
            guard let coefficients = blocks[index].coefficients else { preconditionFailure("a group without memory") }
            components.append(
                JPEGGroup.Component(
                    coefficients: coefficients, masks: masks, blocksPerRow: Int(blocks[index].blocks_per_row),
                    across: Int(planes[index].horizontal), down: Int(planes[index].vertical),
                    blocksAcross: Int(blocks[index].blocks_across), blocksDown: Int(blocks[index].blocks_down)))
            masks += blockCounts[index]
        }
        // Padding rounds each component up to whole units.
        self.group = JPEGGroup(
            components: components, unitsAcross: components.map { $0.blocksPerRow / $0.across }.min() ?? 0)
        self.groupCount = Int(layout.group_count)
        self.lacksEnd = scans.pictureEnd != nil
        self.tables = scans.tables
        let order = UnsafePointer(self.order.start)
        self.scans = scans.scans.map { scan in
            JPEGScanReader(
                scan.process, of: scan.parts, band: scan.band, lowBit: scan.lowBit,
                restartInterval: scan.restartInterval, order: order,
                data: UnsafeRawBufferPointer(rebasing: bytes[scan.data]).bindMemory(to: UInt8.self))
        }
    }

    /// Decodes the coefficients of the next group.
    ///
    /// - Returns: `false` if the data is irregular.
    mutating func readGroup() -> Bool {
        guard self.next < self.groupCount else { return false }
        self.group.clear()
        for index in self.scans.indices {
            guard self.scans[index].read(group: self.next, into: self.group) else { return false }
        }
        self.next += 1
        return self.next < self.groupCount || self.scans.dropLast(self.lacksEnd ? 1 : 0).allSatisfy(\.isAtEnd)
    }
}
