/// Builds a GIF from blocks. All codes have one length, because a clear code comes before they would grow.
struct GIFFile {
    struct Picture {
        var left = 0
        var top = 0
        var width, height: Int
        var isInterlaced = false
        var transparentIndex: UInt8?
        var palette: [UInt8] = []
        var index: @Sendable (_ x: Int, _ y: Int) -> Int
        /// Data to use instead of the coded indices, with its code size.
        var data: [UInt8]?
    }

    var version = "89a"
    var width, height: Int
    /// The number of colours is a power of two, 2...256.
    var palette: [UInt8]
    var pictures: [Picture]
    var end: [UInt8] = [0x3B]

    /// A palette of `count` distinct colours.
    static func palette(_ count: Int) -> [UInt8] {
        var colours: [UInt8] = []
        for index in 0..<count {
            colours.append(UInt8(index * 255 / max(1, count - 1)))
            colours.append(UInt8(255 - index * 200 / count))
            colours.append(UInt8(index * 37 % 256))
        }
        return colours
    }

    var bytes: [UInt8] {
        let flags = self.palette.isEmpty ? 0 : 0x80 | UInt8((self.palette.count / 3).trailingZeroBitCount - 1)
        let head = Array("GIF\(self.version)".utf8) + littleEndian(self.width, 2) + littleEndian(self.height, 2)
        return head + [flags, 0, 0] + self.palette + self.pictures.flatMap(self.blocks) + self.end
    }

    private func blocks(_ picture: Picture) -> [UInt8] {
        var bytes: [UInt8] = []
        if let index = picture.transparentIndex { bytes += [0x21, 0xF9, 4, 1, 10, 0, index, 0] }
        bytes += [0x2C] + [picture.left, picture.top, picture.width, picture.height].flatMap { littleEndian($0, 2) }
        let local = picture.palette
        let size = local.isEmpty ? 0 : 0x80 | UInt8((local.count / 3).trailingZeroBitCount - 1)
        bytes += [size | (picture.isInterlaced ? 0x40 : 0)] + local
        if let data = picture.data { return bytes + data }
        var rows = Array(0..<picture.height)
        if picture.isInterlaced {
            rows = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0, to: picture.height, by: $1)) }
        }
        let indices = rows.flatMap { y in (0..<picture.width).map { picture.index($0, y) } }
        let colours = (local.isEmpty ? self.palette : local).count / 3
        return bytes + Self.data(indices, codeSize: max(2, (colours - 1).bitWidth - (colours - 1).leadingZeroBitCount))
    }

    /// The code size and sub-blocks.
    static func data(_ indices: [Int], codeSize: Int) -> [UInt8] {
        let clear = 1 << codeSize
        var codes: [Int] = []
        for (place, index) in indices.enumerated() {
            if place % (clear - 2) == 0 { codes.append(clear) }
            codes.append(index)
        }
        return [UInt8(codeSize)] + Self.subBlocks(Self.packed(codes + [clear + 1], length: codeSize + 1))
    }

    /// Packs codes of one length, lowest bit first.
    static func packed(_ codes: [Int], length: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (codes.count * length + 7) / 8)
        for (place, code) in codes.enumerated() {
            for bit in 0..<length where code >> bit & 1 == 1 {
                bytes[(place * length + bit) / 8] |= 1 << UInt8((place * length + bit) % 8)
            }
        }
        return bytes
    }

    static func subBlocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start in
            let part = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(part.count)] + part
        } + [0]
    }

    /// The code size and sub-blocks as encoders write them: codes that grow to 12 bits, and a clear code when the table is
    /// full.
    static func compressed(_ indices: [Int], codeSize: Int) -> [UInt8] {
        var (bytes, bits, bitCount): ([UInt8], Int, Int) = ([], 0, 0)
        let clear = 1 << codeSize
        var (length, next, table): (Int, Int, [[Int]: Int]) = (codeSize + 1, clear + 2, [:])
        func put(_ code: Int) {
            bits |= code << bitCount
            bitCount += length
            while bitCount >= 8 {
                bytes.append(UInt8(bits & 255))
                bits >>= 8
                bitCount -= 8
            }
        }
        put(clear)
        var string: [Int] = []
        for index in indices {
            let longer = string + [index]
            if longer.count == 1 || table[longer] != nil {
                string = longer
                continue
            }
            put(string.count == 1 ? string[0] : table[string]!)
            table[longer] = next
            // The decoder is one code behind.
            if next == 1 << length, length < 12 { length += 1 }
            next += 1
            if next == 4096 {
                put(clear)
                (length, next, table) = (codeSize + 1, clear + 2, [:])
            }
            string = [index]
        }
        if !string.isEmpty { put(string.count == 1 ? string[0] : table[string]!) }
        if next == 1 << length, length < 12 { length += 1 }
        put(clear + 1)
        length = 7
        put(0)
        return [UInt8(codeSize)] + Self.subBlocks(bytes)
    }
}
