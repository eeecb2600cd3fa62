/// Writes the header of a JPEG XL's codestream bit by bit.
struct JXLBitWriter {
    private var bits: [Bool] = []

    /// Appends a number, its lowest bit first.
    mutating func put(_ value: Int, _ count: Int) {
        for index in 0..<count { self.bits.append(value >> index & 1 == 1) }
    }

    /// The bits, and zeros up to a whole byte.
    var bytes: [UInt8] {
        stride(from: 0, to: self.bits.count, by: 8).map { start in
            self.bits[start..<min(start + 8, self.bits.count)].enumerated().reduce(0) {
                $0 | ($1.element ? 1 << UInt8($1.offset) : 0)
            }
        }
    }

    /// A header without frames.
    /// - Parameters:
    ///   - channels: The kinds of extra channels.
    ///   - extensionLength: The bits of an extension; 0 for none.
    static func header(width: Int = 12, height: Int = 8, channels: [Int] = [], extensionLength: Int = 0) -> [UInt8] {
        var writer = JXLBitWriter()
        writer.put(0x0AFF, 16)
        writer.put(0, 1)
        for (index, side) in [height, width].enumerated() {
            writer.put(3, 2)
            writer.put(side - 1, 30)
            if index == 0 { writer.put(0, 3) }
        }
        // Neither default values nor an orientation; 8 bits, for which 16 suffice.
        writer.put(0b1_000_0_0, 6)
        if channels.isEmpty {
            writer.put(0, 2)
        } else {
            writer.put(3, 2)
            writer.put(channels.count - 1, 12)
        }
        for kind in channels {
            // An enumerated kind of 2...17, 8 bits, no subsampling, no name.
            writer.put(kind == 0 ? 1 : 0, 1)
            guard kind != 0 else { continue }
            writer.put(2, 2)
            writer.put(kind - 2, 4)
            writer.put(0, 7)
        }
        // XYB, sRGB.
        writer.put(3, 2)
        if extensionLength == 0 {
            writer.put(0, 2)
        } else {
            // The first extension, with a length of 12 bits.
            writer.put(1, 2)
            writer.put(0, 4)
            writer.put(3, 2)
            writer.put(extensionLength & 0xFFF, 12)
            writer.put(1, 1)
            writer.put(extensionLength >> 12, 8)
            writer.put(0, 1)
            for _ in 0..<extensionLength { writer.put(0, 1) }
        }
        writer.put(1, 1)
        return writer.bytes
    }
}
