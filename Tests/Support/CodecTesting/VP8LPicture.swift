/// Generates valid lossless WebP data with any number of identical prefix-code groups.
package struct VP8LPicture {
    package var width, height: Int
    package var hasAlpha = false
    /// Number of prefix-code groups; with 1 there is no entropy image.
    package var groupCount = 1
    /// Whether the entropy image uses only the first and the last group.
    package var isSparse = false
    /// Binary logarithm of the side of the entropy image's blocks in pixels: 2...9.
    package var blockBits = 2
    /// Size of the pixels' colour cache in bits; 0 without one.
    package var cacheBits = 0
    /// Size in bits of the colour caches of the entropy image and of the transforms' images; 0 without them.
    package var inheritedCacheBits = 0
    /// Prefix codes of each group; if empty, each code has a single symbol, so that pixels take no bits.
    package var codes: [VP8LCode] = []
    /// Transforms in file order.
    package var transforms: [Transform] = []
    /// Number of zero bytes after the codes; zero bits are the first symbol of every code.
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

    /// Codes with nearly the largest tables that libwebp builds for a cache of `cacheBits` bits.
    package static func heavyCodes(cacheBits: Int) -> [VP8LCode] {
        let green = VP8LCode.greenAlphabet(cacheBits)
        return [Self.heavy(green), Self.heavy(256), Self.heavy(256), Self.heavy(256), Self.heavy(40)]
    }

    /// A code that uses the whole alphabet: a short symbol, and ever longer ones below many different prefixes.
    private static func heavy(_ alphabet: Int) -> VP8LCode {
        var lengths = [Int](repeating: 0, count: alphabet)
        // Splits leaves of a full tree until there is one for each symbol: each pass splits every second of the deepest
        // ones.
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

    /// Writes everything after the chunk's header: transforms, colour cache, entropy image and the groups' codes.
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

    /// Writes an image of numbers in red and green; repetitions are copies of the previous pixel.
    private func writeImage(to writer: inout VP8LWriter, count: Int, _ number: (Int) -> Int) {
        self.writeCache(self.inheritedCacheBits, to: &writer)
        // Literals have 9-bit codes; lengths 1 to 4, which have no extra bits, have 3-bit codes.
        let alphabet = VP8LCode.greenAlphabet(self.inheritedCacheBits)
        let green = VP8LCode(lengths: (0..<alphabet).map { $0 < 256 ? 9 : $0 < 260 ? 3 : 0 })
        let red = VP8LCode.flat(bits: 8)
        // Distance symbol 1 is the pixel to the left.
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
