/// The properties of a picture that its first bytes contain.
public struct ImageHeader: Hashable, Sendable {
    /// The meaning of a picture's samples.
    public enum ColourModel: String, Hashable, Sendable {
        case gray
        /// Indices into a table of colours.
        case palette
        case yCbCr
        case rgb
        case cmyk
        case ycck
    }

    /// A JPEG component's samples per MCU, across and down (ITU-T T.81, A.1.1).
    public struct SamplingFactors: Hashable, Sendable {
        /// 1...4 each.
        public var horizontal, vertical: Int

        /// The largest factor of all components along each axis, by which a frame's MCUs are counted; 1 without any.
        static func largest(of factors: some Sequence<SamplingFactors>) -> SamplingFactors {
            factors.reduce(SamplingFactors(horizontal: 1, vertical: 1)) { largest, one in
                SamplingFactors(
                    horizontal: max(largest.horizontal, one.horizontal), vertical: max(largest.vertical, one.vertical))
            }
        }
    }

    /// The prefix codes of a WebP's lossless data (RFC 9649, 3.7), for which a decoder allocates tables.
    public struct PrefixCodes: Hashable, Sendable {
        /// The number of groups of five codes, 1...65536; 0 if no data is lossless.
        public var groupCount: Int
        /// The binary logarithm of the colour cache's size, which adds symbols to each group: 1...11, or 0 without a
        /// cache.
        public var colourCacheBits: Int
    }

    /// The format, recognised by content.
    public var format: ImageFormat
    /// The stored size in pixels, before the orientation is applied.
    public var width, height: Int
    /// The transformation from the stored to the shown picture.
    public var orientation: Orientation = .upright
    /// Bits per sample, or per index of a palette.
    public var bitDepth: Int
    /// The colour model according to the header.
    public var colourModel: ColourModel
    /// The sampling factors of each component; empty if the format has no subsampling.
    public var sampling: [SamplingFactors]
    /// Whether the picture is a progressive JPEG or an interlaced PNG.
    public var isProgressive: Bool
    /// Whether a decoder must hold the whole picture, because no single scan or pass contains all of it.
    public var isMultiScan: Bool
    /// Whether the coding is lossless.
    public var isLossless = false
    /// Whether pixels may be transparent.
    public var hasAlpha = false
    /// The number of frames; 1 unless animated.
    public var frameCount = 1
    /// Whether a colour profile is embedded.
    public var hasICCProfile = false
    /// The prefix codes of a WebP that is lossless or has alpha; `nil` for others, and until the whole file has been
    /// read.
    public var prefixCodes: PrefixCodes?

    /// The coded pictures of a HEIF; `nil` for other formats.
    public var coding: HEIFCoding?
    /// The number of channels beside gray or RGB in a JPEG XL, alpha included; 0 for other formats.
    public var extraChannelCount = 0
    /// The memory of a JPEG XL's decoder for layers beside the picture, and for joining parts of the file, in bytes; 0
    /// for other formats, and until the whole file has been read.
    public internal(set) var layerBytes = 0

    /// Whether ``prefixCodes`` is `nil` only until the whole file has been read.
    var mayHavePrefixCodes: Bool { self.format == .webp && (self.isLossless || self.hasAlpha) }
    /// The declared size of the ICC profile in bytes, uncompressed; 0 without a readable profile.
    public internal(set) var profileBytes = 0
    /// The memory of the profile's conversion in bytes, estimated from its tags; see
    /// ``ICCTagTable/workingBytes(of:byteCount:)``.
    var profileWorkingBytes = 0

    /// Sets the size and the memory of an embedded profile from its first ``ICCTagTable/maxLength`` bytes.
    mutating func noteProfile(prefix: [UInt8], byteCount: Int) {
        self.profileBytes = byteCount
        self.profileWorkingBytes = prefix.withUnsafeBytes { ICCTagTable.workingBytes(of: $0, byteCount: byteCount) }
    }

    /// The number of planes that a decoder delivers, unless it converts a palette.
    var planeCount: Int {
        let colours =
            switch self.colourModel {
            case .gray: 1
            case .palette, .yCbCr, .rgb: 3
            case .cmyk, .ycck: 4
            }
        return colours + (self.hasAlpha ? 1 : 0)
    }

    /// Width and height as shown, in pixels.
    public var uprightSize: (width: Int, height: Int) {
        self.orientation.swapsSides ? (self.height, self.width) : (self.width, self.height)
    }

    /// The usual name of the chroma subsampling, such as "4:2:0"; `nil` without chroma.
    public var subsampling: String? {
        guard self.colourModel == .yCbCr || self.colourModel == .ycck, self.sampling.count >= 3 else { return nil }
        let (luma, blue, red) = (self.sampling[0], self.sampling[1], self.sampling[2])
        let hasWholeChroma = blue == red && blue == SamplingFactors(horizontal: 1, vertical: 1)
        switch (luma.horizontal, luma.vertical) {
        case (1, 1) where hasWholeChroma: return "4:4:4"
        case (2, 1) where hasWholeChroma: return "4:2:2"
        case (2, 2) where hasWholeChroma: return "4:2:0"
        case (1, 2) where hasWholeChroma: return "4:4:0"
        case (4, 1) where hasWholeChroma: return "4:1:1"
        case (4, 2) where hasWholeChroma: return "4:1:0"
        default: return self.sampling.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
        }
    }

    /// Throws ``CodecError/switchedOff(_:)``, or ``CodecError/overLimit(_:value:limit:)`` if the picture is too large
    /// or has too many frames or prefix-code groups.
    func check(_ limits: CodecLimits) throws(CodecError) {
        guard limits.inputFormats.contains(self.format) else { throw .switchedOff(self.format) }
        var all: [(CodecLimits.Name, Int, Int)] = [
            (.width, self.width, limits.maxWidth), (.height, self.height, limits.maxHeight),
            (.pixels, self.width * self.height, limits.maxPixels), (.frames, self.frameCount, limits.maxFrames),
            (.prefixCodeGroups, self.prefixCodes?.groupCount ?? 0, limits.maxPrefixCodeGroups),
        ]
        // The coded pictures may be larger than the shown one.
        for cells in [self.coding?.colours, self.coding?.alpha].compactMap(\.self) {
            all += [
                (.width, cells.width, limits.maxWidth), (.height, cells.height, limits.maxHeight),
                (.pixels, cells.columns * cells.width * cells.rows * cells.height, limits.maxPixels),
            ]
        }
        for (name, value, limit) in all { try CodecLimits.check(name, value, atMost: limit) }
    }
}

/// The result of reading a header from the first bytes of a file.
public enum ProbeResult: Hashable, Sendable {
    case header(ImageHeader)
    /// The header is incomplete; at least this number of bytes of the file is needed.
    case needsMoreBytes(atLeast: Int)
}

/// The transformation from a picture's stored rows and columns to the shown ones (EXIF 2.3, tag 0x0112).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    case transposed = 5
    /// Shown after a turn of 90° clockwise.
    case turnedLeft = 6
    case transversed = 7
    /// Shown after a turn of 90° anticlockwise.
    case turnedRight = 8

    // Each is a sequence: mirror the stored columns, mirror the stored rows, exchange rows and columns.

    /// Whether the shown width is the stored height.
    var swapsSides: Bool { self.rawValue >= 5 }
    var mirrorsColumns: Bool { [.mirrored, .upsideDown, .transversed, .turnedRight].contains(self) }
    var mirrorsRows: Bool { [.upsideDown, .mirroredUpsideDown, .turnedLeft, .transversed].contains(self) }
}

/// Reads the orientation from EXIF data.
enum EXIF {
    /// The orientation in the first directory of a TIFF structure; `nil` without a valid one.
    static func orientation(in tiff: UnsafeRawBufferPointer) -> Orientation? {
        let prefix = FilePrefix(tiff)
        let isLittle = prefix.has("II")
        guard isLittle || prefix.has("MM") else { return nil }

        func number(_ offset: Int, _ byteCount: Int) -> Int? {
            guard offset >= 0, offset + byteCount <= tiff.count else { return nil }
            return isLittle
                ? tiff.littleEndian(at: offset, byteCount: byteCount) : tiff.bigEndian(at: offset, byteCount: byteCount)
        }

        guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            // One value of type 3 (SHORT), stored in the entry itself; browsers accept nothing else.
            guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1 else { return nil }
            return number(entry + 8, 2).flatMap(Orientation.init)
        }
        return nil
    }
}
