/// One row of pixels, each channel in a row of its own, so that loops over it are vectorised.
struct ChannelRows: ~Copyable {
    let width: Int
    private let memory: ScratchMemory<UInt8>
    private let stride: Int

    init(width: Int) {
        self.width = width
        // An even width, for pairs of pixels that share chroma.
        self.stride = width + width % 2
        self.memory = ScratchMemory(count: 12 * self.stride, repeating: 0)
    }

    /// The channel's samples: gray; red, green and blue; or the four inks.
    subscript(channel: Int) -> UnsafeMutablePointer<UInt8> { self.memory.start + channel * self.stride }

    var alpha: UnsafeMutablePointer<UInt8> { self.memory.start + 4 * self.stride }

    /// Scratch memory for interleaved pixels before a conversion, up to four bytes each.
    var packed: UnsafeMutablePointer<UInt8> { self.memory.start + 5 * self.stride }

    /// Scratch memory for interleaved RGB after a conversion.
    var converted: UnsafeMutablePointer<UInt8> { self.memory.start + 9 * self.stride }

    func complement(_ channel: Int) {
        let row = self[channel]
        for x in 0..<self.width { row[x] = ~row[x] }
    }

    func map(_ channel: Int, to levels: [UInt8]) {
        let row = self[channel]
        levels.withUnsafeBufferPointer { levels in
            for x in 0..<self.width { row[x] = levels[Int(row[x])] }
        }
    }

    /// Converts CMYK without a profile to RGB as browsers do: each ink is multiplied by black.
    func multiplyByBlack() {
        let black = self[3]
        for ink in 0..<3 {
            let row = self[ink]
            for x in 0..<self.width {
                row[x] = UInt8(truncatingIfNeeded: (UInt16(row[x]) &* UInt16(black[x]) &+ 127) / 255)
            }
        }
    }

    /// Composites a channel over a background of one level.
    func composite(_ channel: Int, over level: UInt8) {
        let (row, alpha) = (self[channel], self.alpha)
        for x in 0..<self.width {
            let sum = UInt16(row[x]) &* UInt16(alpha[x]) &+ UInt16(level) &* UInt16(255 &- alpha[x])
            row[x] = UInt8(truncatingIfNeeded: (sum &+ 127) / 255)
        }
    }

    /// Interleaves the first one, three or four channels.
    func pack(_ count: Int, into pixels: UnsafeMutablePointer<UInt8>) {
        let (a, b, c, d) = (self[0], self[1], self[2], self[3])
        switch count {
        case 1: pixels.update(from: a, count: self.width)
        case 3:
            for x in 0..<self.width {
                pixels[3 &* x] = a[x]
                pixels[3 &* x &+ 1] = b[x]
                pixels[3 &* x &+ 2] = c[x]
            }
        default: Self.pack(a, b, c, d, into: pixels, width: self.width)
        }
    }

    /// Interleaves RGBA, with zeros for fully transparent pixels.
    func packWithAlpha(into pixels: UnsafeMutablePointer<UInt8>) {
        let alpha = self.alpha
        for channel in 0..<3 {
            let row = self[channel]
            for x in 0..<self.width { row[x] &= alpha[x] == 0 ? 0 : 255 }
        }
        Self.pack(self[0], self[1], self[2], alpha, into: pixels, width: self.width)
    }

    private static func pack(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ c: UnsafePointer<UInt8>, _ d: UnsafePointer<UInt8>,
        into pixels: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        for x in 0..<width {
            pixels[4 &* x] = a[x]
            pixels[4 &* x &+ 1] = b[x]
            pixels[4 &* x &+ 2] = c[x]
            pixels[4 &* x &+ 3] = d[x]
        }
    }

    /// Deinterleaves RGB, and alpha if there is a fourth channel; repeats the last pixel of an odd width.
    func unpack(_ pixels: UnsafePointer<UInt8>, channels: Int = 3) {
        let (a, b, c, alpha) = (self[0], self[1], self[2], self.alpha)
        if channels == 4 {
            for x in 0..<self.width {
                a[x] = pixels[4 &* x]
                b[x] = pixels[4 &* x &+ 1]
                c[x] = pixels[4 &* x &+ 2]
                alpha[x] = pixels[4 &* x &+ 3]
            }
        } else {
            for x in 0..<self.width {
                a[x] = pixels[3 &* x]
                b[x] = pixels[3 &* x &+ 1]
                c[x] = pixels[3 &* x &+ 2]
            }
        }
        guard self.stride > self.width else { return }
        for row in [a, b, c, alpha] { row[self.width] = row[self.width - 1] }
    }
}
