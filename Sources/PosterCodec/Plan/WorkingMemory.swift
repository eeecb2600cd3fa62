/// An estimate of the memory that a render takes beside the original's bytes and its result: rather too much.
struct WorkingMemory {
    let source: ImageHeader
    let framing: Framing
    let scale: DecodeScale
    let format: OutputFormat
    /// Pixels of the original per pixel of the result.
    let shrinkage: (across: Double, down: Double)

    /// In bytes.
    var bytes: Int {
        self.decoder + self.rings + self.planes + self.encoder
    }

    /// Planes of the original that pass through the resampler.
    private var planeCount: Int {
        let colours =
            switch self.source.colourModel {
            case .gray: 1
            case .palette, .yCbCr, .rgb: 3
            case .cmyk, .ycck: 4
            }
        return colours + (self.source.hasAlpha ? 1 : 0)
    }

    /// What the decoder holds of the picture.
    private var decoder: Int {
        let pixels = self.source.width * self.source.height
        switch self.source.format {
        case .jpeg:
            // libjpeg keeps 16-bit coefficients of the whole picture when no single scan has them all.
            let (units, samplesPerUnit) = self.jpegUnits
            return self.source.isMultiScan ? 2 * samplesPerUnit * units.across * units.down : 0
        case .png:
            // All passes of an interlaced picture come before its first complete row. And zlib's window, 64 KiB of rows
            // and two of up to 8 bytes a pixel, and one of pixels.
            let rows = (2 * 8 + 4) * self.source.width
            return (self.source.isProgressive ? pixels * self.planeCount : 0) + (1 << 17) + rows
        case .webp:
            let decoded = self.scale.decoded(self.source.width) * self.scale.decoded(self.source.height)
            // Before it writes pixels, libwebp holds four bytes for each of a lossless picture, or of lossless alpha.
            let own =
                self.source.isLossless
                ? 5 * pixels : 64 * self.source.width + (1 << 19) + (self.source.hasAlpha ? 4 * pixels : 0)
            return own + decoded * (self.source.hasAlpha ? 5 : self.source.isLossless ? 3 : 2)
        default: return 0
        }
    }

    private var jpegUnits: (units: (across: Int, down: Int), samplesPerUnit: Int) {
        let maxHorizontal = self.source.sampling.map(\.horizontal).max() ?? 1
        let maxVertical = self.source.sampling.map(\.vertical).max() ?? 1
        let across = (self.source.width + 8 * maxHorizontal - 1) / (8 * maxHorizontal)
        let down = (self.source.height + 8 * maxVertical - 1) / (8 * maxVertical)
        return ((across, down), self.source.sampling.reduce(0) { $0 + 64 * $1.horizontal * $1.vertical })
    }

    /// Per plane: as many decoded rows as the filter is high, and one group that is being decoded.
    private var rings: Int {
        let along = self.source.orientation.swapsSides ? self.shrinkage.across : self.shrinkage.down
        let tapsDown = Int(6 * max(1, along * self.scale.factor)) + 2
        let maxVertical = self.source.sampling.map(\.vertical).max() ?? 1
        let rowsPerGroup = self.source.format == .jpeg ? maxVertical * self.scale.eighths : 8
        let rowBytes = self.scale.decoded(self.source.width) + 32
        return self.planeCount * rowBytes * (2 * tapsDown + 2 * rowsPerGroup)
    }

    /// The result's planes, twice when turned, and its pixels when its colours are converted.
    private var planes: Int {
        let turns = self.source.orientation.swapsSides ? 2 : 1
        let pixels =
            switch self.framing.crop {
            case .search(let scaled): scaled.width * scaled.height
            case .none, .window: self.framing.size.width * self.framing.size.height
            }
        let isDirect =
            self.format != .png && !self.source.hasAlpha && !self.source.hasICCProfile
            && (self.source.colourModel == .yCbCr || self.source.colourModel == .gray)
        return isDirect ? pixels * 3 * turns : pixels * (self.planeCount * turns + 4 + 4)
    }

    /// What the encoder holds beside the planes.
    private var encoder: Int {
        let pixels = self.framing.size.width * self.framing.size.height
        return switch self.format {
        case .jpeg: pixels * 4 + (1 << 16)
        case .webp: pixels * 5 / 2 + (1 << 20)
        case .png: pixels + (1 << 19)
        }
    }
}
