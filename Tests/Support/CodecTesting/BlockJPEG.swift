/// Writes baseline JPEGs of blocks of 8×8 equal samples, with any frame header.
///
/// libjpeg's encoder rejects or normalises headers that hostile or old files have; this one writes them unchanged.
/// Decoders reproduce the sample values exactly.
package struct BlockJPEG: Sendable {
    /// A component's identifier and its sampling factors.
    package struct Component: Sendable {
        package var id: UInt8
        package var horizontal, vertical: Int

        package init(id: UInt8, _ horizontal: Int, _ vertical: Int) {
            self.id = id
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    package var width, height: Int
    package var components: [Component]
    package var precision: UInt8 = 8
    /// The second byte of the frame header's marker: 0xC0 is baseline.
    package var frameMarker: UInt8 = 0xC0
    /// Whether one scan contains all components; a file with one component is never interleaved.
    package var isInterleaved = true
    /// Restart interval in MCUs; 0 writes no restart markers.
    package var restartInterval = 0
    /// Segments between SOI and the tables.
    package var segments: [JPEGSegment] = []
    /// The sample value of a block; `x` and `y` count blocks of the component.
    package var value: @Sendable (_ component: Int, _ x: Int, _ y: Int) -> UInt8 = { component, x, y in
        UInt8(truncatingIfNeeded: 40 + 80 * component + 23 * x + 51 * y)
    }

    /// - Parameter factors: Sampling factors, one pair a component; the identifiers are 1, 2, 3 …
    package init(width: Int, height: Int, factors: [(Int, Int)] = [(2, 2), (1, 1), (1, 1)]) {
        self.width = width
        self.height = height
        self.components = factors.enumerated().map { Component(id: UInt8($0 + 1), $1.0, $1.1) }
    }

    package var bytes: [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        for segment in self.segments { file += segment.bytes }
        // A DC quantiser step of 8 makes one DC unit equal one unit of every sample.
        file += JPEGSegment(0xDB, [0, 8] + [UInt8](repeating: 1, count: 63)).bytes
        file += self.frameHeader.bytes
        // DC table: categories 0...8 with 4-bit codes. AC table: only end-of-block, with a 1-bit code.
        file +=
            JPEGSegment(0xC4, [0x00, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 12) + (0...8).map(UInt8.init)).bytes
        file += JPEGSegment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]).bytes
        if self.restartInterval > 0 {
            file += JPEGSegment(0xDD, [UInt8(self.restartInterval >> 8), UInt8(self.restartInterval & 0xFF)]).bytes
        }
        if self.isInterleaved {
            file += self.scan(Array(self.components.indices))
        } else {
            for index in self.components.indices { file += self.scan([index]) }
        }
        return file + [0xFF, 0xD9]
    }

    private var frameHeader: JPEGSegment {
        var payload = [self.precision]
        for side in [self.height, self.width] { payload += [UInt8(side >> 8 & 0xFF), UInt8(side & 0xFF)] }
        payload.append(UInt8(self.components.count))
        for component in self.components {
            payload += [component.id, UInt8(component.horizontal << 4 | component.vertical), 0]
        }
        return JPEGSegment(self.frameMarker, payload)
    }

    private func scan(_ indices: [Int]) -> [UInt8] {
        var payload = [UInt8(indices.count)]
        for index in indices { payload += [self.components[index].id, 0x00] }
        return JPEGSegment(0xDA, payload + [0, 63, 0]).bytes + self.entropyCodedData(indices)
    }

    private func entropyCodedData(_ indices: [Int]) -> [UInt8] {
        let most = (
            horizontal: self.components.map(\.horizontal).max() ?? 1,
            vertical: self.components.map(\.vertical).max() ?? 1
        )
        func divided(_ a: Int, by b: Int) -> Int { (a + b - 1) / b }

        var bits = BitWriter()
        var means = [Int](repeating: 0, count: self.components.count)
        var unit = 0
        func write(_ index: Int, _ x: Int, _ y: Int) {
            let mean = Int(self.value(index, x, y)) - 128
            bits.writeMean(mean - means[index])
            means[index] = mean
        }
        func beginUnit() {
            if self.restartInterval > 0, unit > 0, unit % self.restartInterval == 0 {
                bits.writeRestart(unit / self.restartInterval - 1)
                means = means.map { _ in 0 }
            }
            unit += 1
        }

        if indices.count == 1 {
            let component = self.components[indices[0]]
            let across = divided(divided(self.width * component.horizontal, by: most.horizontal), by: 8)
            let down = divided(divided(self.height * component.vertical, by: most.vertical), by: 8)
            for y in 0..<down {
                for x in 0..<across {
                    beginUnit()
                    write(indices[0], x, y)
                }
            }
        } else {
            for top in 0..<divided(self.height, by: 8 * most.vertical) {
                for left in 0..<divided(self.width, by: 8 * most.horizontal) {
                    beginUnit()
                    for index in indices {
                        let component = self.components[index]
                        for y in 0..<component.vertical {
                            for x in 0..<component.horizontal {
                                write(index, left * component.horizontal + x, top * component.vertical + y)
                            }
                        }
                    }
                }
            }
        }
        bits.fill()
        return bits.bytes
    }
}

/// Writes a scan's bits, with a zero byte stuffed after each 0xFF.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending = 0
    private var count = 0

    /// Writes a difference of DC values, as a 4-bit category and as many value bits, and end-of-block.
    mutating func writeMean(_ difference: Int) {
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        self.write(category, count: 4)
        self.write(difference < 0 ? difference - 1 & (1 << category - 1) : difference, count: category)
        self.write(0, count: 1)
    }

    mutating func writeRestart(_ number: Int) {
        self.fill()
        self.bytes += [0xFF, 0xD0 + UInt8(number % 8)]
    }

    /// Pads the last byte with ones.
    mutating func fill() {
        if self.count > 0 { self.write(0xFF, count: 8 - self.count) }
    }

    private mutating func write(_ value: Int, count: Int) {
        for bit in (0..<count).reversed() {
            self.pending = self.pending << 1 | value >> bit & 1
            self.count += 1
            guard self.count == 8 else { continue }
            self.bytes.append(UInt8(self.pending))
            if self.pending == 0xFF { self.bytes.append(0) }
            (self.pending, self.count) = (0, 0)
        }
    }
}
