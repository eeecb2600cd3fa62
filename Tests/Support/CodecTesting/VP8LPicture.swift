/// Legal lossless WebP data of one's choice, with as many prefix-code groups as wanted, of which all are alike.
package struct VP8LPicture {
    package var width, height: Int
    package var hasAlpha = false
    /// Without an entropy image when there is one.
    package var groupCount = 1
    /// Whether the entropy image names only the first group and the last one.
    package var isSparse = false
    /// Pixels of a block across and down, as a power of two: 2...9.
    package var blockBits = 2
    /// Of the pixels' colour cache; 0 for none.
    package var cacheBits = 0
    /// Of the entropy image's own colour cache, and of the transforms' images'.
    package var inheritedCacheBits = 0
    /// Codes of each group; of one symbol each when there are none, so that pixels take no bits.
    package var codes: [VP8LCode] = []
    /// In this order.
    package var transforms: [Transform] = []
    /// What follows the codes; zeros are the first symbol of every code.
    package var pixelBytes = 0

    package enum Transform {
        case predictor(blockBits: Int)
        case colour(blockBits: Int)
        case subtractGreen
        case palette(colours: Int)
    }

    package init(width: Int, height: Int, groupCount: Int = 1) {
        (self.width, self.height, self.groupCount) = (width, height, groupCount)
    }

    /// Codes with the largest tables that libwebp ever makes for a cache of so many bits, or nearly.
    package static func heavyCodes(cacheBits: Int) -> [VP8LCode] {
        let green = VP8LCode.greenAlphabet(cacheBits)
        return [Self.heavy(green), Self.heavy(256), Self.heavy(256), Self.heavy(256), Self.heavy(40)]
    }

    /// As many symbols as there are; a short one, and long ones of ever more bits after many different prefixes.
    private static func heavy(_ alphabet: Int) -> VP8LCode {
        var lengths = [Int](repeating: 0, count: alphabet)
        // A full tree whose leaves are split until there are enough: each pass splits every second one of the deepest.
        var counts = [Int](repeating: 0, count: 16)
        let bits = alphabet.bitWidth - 1 - alphabet.leadingZeroBitCount
        counts[bits] = 1 << bits
        var left = alphabet - 1 << bits
        for length in bits..<15 where left > 0 {
            let split = min(left, max(1, counts[length] / 2))
            counts[length] -= split
            counts[length + 1] += 2 * split
            left -= split
        }
        var symbol = 0
        for length in 1...15 {
            for _ in 0..<counts[length] where symbol < alphabet {
                lengths[symbol] = length
                symbol += 1
            }
        }
        return VP8LCode(lengths: lengths)
    }

    /// The content of a `VP8L` chunk.
    package var bytes: [UInt8] {
        var writer = VP8LWriter()
        writer.write(0x2F, 8)
        writer.write(self.width - 1, 14)
        writer.write(self.height - 1, 14)
        writer.write(self.hasAlpha ? 1 : 0, 4)
        self.write(to: &writer)
        return writer.bytes + [UInt8](repeating: 0, count: self.pixelBytes)
    }

    /// The content of an `ALPH` chunk.
    package var alphaBytes: [UInt8] {
        var writer = VP8LWriter()
        writer.write(1, 8)
        self.write(to: &writer)
        return writer.bytes + [UInt8](repeating: 0, count: self.pixelBytes)
    }

    /// Bits before those of the groups' codes, the chunk's header not counted.
    private func write(to writer: inout VP8LWriter) {
        var width = self.width
        for transform in self.transforms { self.write(transform, &width, to: &writer) }
        writer.write(0, 1)
        self.writeCache(self.cacheBits, to: &writer)
        writer.write(self.groupCount > 1 ? 1 : 0, 1)
        if self.groupCount > 1 {
            writer.write(self.blockBits - 2, 3)
            let blocks = Self.blocks(width, self.blockBits) * Self.blocks(self.height, self.blockBits)
            self.writeImage(to: &writer, count: blocks) { index in
                self.isSparse ? (index == 0 ? self.groupCount - 1 : 0) : index % self.groupCount
            }
        }
        var group = VP8LWriter()
        let plain = [.onlyGreen(90, cacheBits: self.cacheBits), .only(200), .only(30), .only(255), VP8LCode.distances]
        group.define(self.codes.isEmpty ? plain : self.codes)
        writer.write(group, times: self.groupCount)
    }

    private static func blocks(_ side: Int, _ bits: Int) -> Int { (side + 1 << bits - 1) >> bits }

    private func write(_ transform: Transform, _ width: inout Int, to writer: inout VP8LWriter) {
        writer.write(1, 1)
        switch transform {
        case .predictor(let bits), .colour(let bits):
            if case .predictor = transform { writer.write(0, 2) } else { writer.write(1, 2) }
            writer.write(bits - 2, 3)
            let count = Self.blocks(width, bits) * Self.blocks(self.height, bits)
            self.writeImage(to: &writer, count: count) { $0 % 11 }
        case .subtractGreen: writer.write(2, 2)
        case .palette(let colours):
            writer.write(3, 2)
            writer.write(colours - 1, 8)
            self.writeImage(to: &writer, count: colours) { 7 * $0 & 255 }
            width = Self.blocks(width, colours > 16 ? 0 : colours > 4 ? 1 : colours > 2 ? 2 : 3)
        }
    }

    private func writeCache(_ bits: Int, to writer: inout VP8LWriter) {
        writer.write(bits > 0 ? 1 : 0, 1)
        if bits > 0 { writer.write(bits, 4) }
    }

    /// An image whose red and green make a number. What repeats is written as a copy of the pixel before.
    private func writeImage(to writer: inout VP8LWriter, count: Int, _ number: (Int) -> Int) {
        self.writeCache(self.inheritedCacheBits, to: &writer)
        // Literals of nine bits, and lengths of 1 to 4, which have no further bits, of eight.
        let alphabet = VP8LCode.greenAlphabet(self.inheritedCacheBits)
        let green = VP8LCode(lengths: (0..<alphabet).map { $0 < 256 ? 9 : $0 < 260 ? 3 : 0 })
        let red = VP8LCode.flat(bits: 8)
        // The pixel before has the second of the distances that are named by their place.
        writer.define([green, red, .only(0), .only(255), .only(1, of: 40)])
        var index = 0
        while index < count {
            let value = number(index)
            green.write(value & 255, to: &writer)
            red.write(value >> 8, to: &writer)
            index += 1
            while index < count, number(index) == value {
                var run = 1
                while run < 4, index + run < count, number(index + run) == value { run += 1 }
                green.write(255 + run, to: &writer)
                index += run
            }
        }
    }
}
