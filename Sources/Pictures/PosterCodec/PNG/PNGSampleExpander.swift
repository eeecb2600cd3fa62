/// Expands a PNG's rows to 8 bits a sample: bit depths, palettes, alpha of a colour key, and gamma.
final class PNGSampleExpander {
    private let width: Int
    private let bitDepth: Int
    private let colourType: PNGFrame.ColourType
    private let palette: [UInt32]
    private let hasPaletteAlpha: Bool
    /// ``PNGPreamble/key``, scaled to 8 bits if the samples have fewer.
    private let key: [UInt16]?
    /// `nil` without a conversion, or if the palette has been converted.
    private let gamma: PNGGamma?
    private let channels: Int
    private let samples: ScratchMemory<UInt8>
    private let pixels: ScratchMemory<UInt8>

    /// - Parameters:
    ///   - width: The pixels of a row.
    ///   - gamma: See ``PNGColours/gamma``.
    init(_ preamble: borrowing PNGPreamble, width: Int, gamma: Int32) {
        let frame = preamble.frame
        let conversion = gamma > 0 ? PNGGamma(gamma, isWide: frame.bitDepth == 16) : nil
        self.width = width
        self.channels = preamble.channels
        self.bitDepth = frame.bitDepth
        self.colourType = frame.colourType
        self.palette = conversion.map { preamble.palette.map($0.converted) } ?? preamble.palette
        self.gamma = frame.colourType == .palette ? nil : conversion
        self.hasPaletteAlpha = preamble.hasPaletteAlpha
        let factor = Self.factor(of: frame.bitDepth)
        self.key = preamble.key.map { $0.map { $0 &* UInt16(factor) } }
        // Whole bytes are unpacked, and colours are stored four bytes at a time.
        self.samples = ScratchMemory(count: frame.bitDepth < 8 ? width + 8 : 0)
        self.pixels = ScratchMemory(count: width * preamble.channels + 4)
    }

    /// - Parameter row: The unfiltered row.
    /// - Returns: The row itself if it needs no expansion, else a row that is valid until the following call.
    func expand(_ row: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var samples = row
        if self.bitDepth < 8 {
            let factor = self.colourType == .palette ? 1 : Self.factor(of: self.bitDepth)
            PNGBitDepth.unpack(
                row, bitDepth: self.bitDepth, count: self.width, factor: factor, into: self.samples.start)
            samples = UnsafePointer(self.samples.start)
        }
        switch (self.colourType, self.bitDepth) {
        case (.palette, _): self.lookUp(samples)
        case (_, 16):
            if let key {
                PNGColourKey.addAlpha(toWide: row, width: self.width, key: key, into: self.pixels.start)
            } else {
                let count = self.width * self.colourType.samplesPerPixel
                PNGBitDepth.round(row, count: count, into: self.pixels.start)
            }
            samples = row
        default:
            if let key {
                PNGColourKey.addAlpha(to: samples, width: self.width, key: key, into: self.pixels.start)
            } else if self.gamma == nil {
                return samples
            } else {
                self.pixels.start.update(from: samples, count: self.width * self.channels)
            }
        }
        self.gamma?.convert(
            samples, channels: self.colourType.samplesPerPixel, width: self.width, into: self.pixels.start,
            targetChannels: self.channels)
        return UnsafePointer(self.pixels.start)
    }

    /// The factor that scales the largest sample to 255.
    private static func factor(of bitDepth: Int) -> UInt8 { bitDepth < 8 ? UInt8(255 / (1 << bitDepth - 1)) : 1 }

    private func lookUp(_ indices: UnsafePointer<UInt8>) {
        let step = self.hasPaletteAlpha ? 4 : 3
        let target = UnsafeMutableRawPointer(self.pixels.start)
        self.palette.withUnsafeBufferPointer { palette in
            let colours = palette.baseAddress!
            // Without alpha the next colour overwrites the fourth byte.
            for x in 0..<self.width {
                target.storeBytes(of: colours[Int(indices[x])].littleEndian, toByteOffset: x &* step, as: UInt32.self)
            }
        }
    }
}

/// Adds alpha to pixels by a colour key: the one colour that is transparent (third edition, 11.3.1.1).
enum PNGColourKey {
    /// - Parameters:
    ///   - row: `width` pixels of 8 bits a sample, with as many samples as the key.
    ///   - target: Has room for `width` pixels with one sample more.
    static func addAlpha(
        to row: UnsafePointer<UInt8>, width: Int, key: [UInt16], into target: UnsafeMutablePointer<UInt8>
    ) {
        let channels = key.count
        var (source, target) = (row, target)
        for _ in 0..<width {
            var isKey = true
            for channel in 0..<channels {
                isKey = isKey && UInt16(source[channel]) == key[channel]
                target[channel] = source[channel]
            }
            target[channels] = isKey ? 0 : 255
            source += channels
            target += channels + 1
        }
    }

    /// The same for 16-bit samples, which are compared before they are rounded.
    static func addAlpha(
        toWide row: UnsafePointer<UInt8>, width: Int, key: [UInt16], into target: UnsafeMutablePointer<UInt8>
    ) {
        let channels = key.count
        var (source, target) = (row, target)
        for _ in 0..<width {
            var isKey = true
            for channel in 0..<channels {
                let (high, low) = (source[2 &* channel], source[2 &* channel &+ 1])
                isKey = isKey && UInt16(high) << 8 | UInt16(low) == key[channel]
                target[channel] = PNGBitDepth.round(high: high, low: low)
            }
            target[channels] = isKey ? 0 : 255
            source += 2 * channels
            target += channels + 1
        }
    }
}
