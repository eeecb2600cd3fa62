import Glibc

/// The coefficients of one group of rows of a picture, of all components.
struct JPEGGroup {
    /// One component's rows of blocks.
    struct Component {
        /// Blocks of 64 coefficients in natural order, row after row.
        let coefficients: UnsafeMutablePointer<Int16>
        /// A word per block for progressive scans: the bits of zigzag positions 1...63 with nonzero coefficients.
        let masks: UnsafeMutablePointer<UInt64>
        /// Blocks per row, including padding.
        let blocksPerRow: Int
        /// The blocks of an interleaved unit; a group has `down` rows of blocks.
        let across, down: Int
        /// The blocks of the picture, without padding.
        let blocksAcross, blocksDown: Int

        /// The number of rows of blocks in a group that belong to the picture.
        func rows(in group: Int) -> Int { min(self.down, self.blocksDown - group * self.down) }
    }

    let components: [Component]

    /// The number of interleaved units per row.
    let unitsAcross: Int

    func clear() {
        for component in self.components {
            let count = component.blocksPerRow * component.down
            memset(component.coefficients, 0, count * 64 * MemoryLayout<Int16>.size)
            memset(component.masks, 0, count * MemoryLayout<UInt64>.size)
        }
    }

    /// The index in a block of each zigzag position (T.81, figure 5).
    static let naturalOrder: [UInt8] = (0..<15).flatMap { diagonal in
        let places = (max(0, diagonal - 7)...min(7, diagonal)).map { UInt8(8 * (diagonal - $0) + $0) }
        return diagonal % 2 == 0 ? places : places.reversed()
    }
}
