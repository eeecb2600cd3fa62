/// What the first bytes of a picture say about it.
public struct ImageHeader: Hashable, Sendable {
    /// How a picture's samples are to be understood.
    public enum ColourModel: String, Hashable, Sendable {
        case gray
        /// Colours looked up by index.
        case palette
        case yCbCr
        case rgb
        case cmyk
        case ycck
    }

    /// A JPEG component's samples per unit, across and down.
    public struct SamplingFactors: Hashable, Sendable {
        /// 1...4 each.
        public var horizontal, vertical: Int
    }

    /// The prefix codes of a WebP's lossless data (RFC 9649, 3.7), for which a decoder needs tables.
    public struct PrefixCodes: Hashable, Sendable {
        /// Groups of five codes: 1...65536; 0 when nothing is coded without loss.
        public var groupCount: Int
        /// The logarithm of the colour cache's size, which adds symbols to each group: 1...11, or 0 without one.
        public var colourCacheBits: Int
    }

    /// By content.
    public var format: ImageFormat
    /// As stored, in pixels, before the orientation is applied.
    public var width, height: Int
    /// How the stored picture is to be shown.
    public var orientation: Orientation = .upright
    /// Bits per sample, or per index of a palette.
    public var bitDepth: Int
    /// As far as the header tells.
    public var colourModel: ColourModel
    /// One per component; empty where the format has no subsampling.
    public var sampling: [SamplingFactors]
    /// Whether the picture is coded in passes over ever finer coefficients, or ever denser pixels.
    public var isProgressive: Bool
    /// Whether a decoder must hold the whole picture, because no single pass has all of it.
    public var isMultiScan: Bool
    /// Whether pixels come back exactly as they were before encoding.
    public var isLossless = false
    /// Whether pixels may be transparent.
    public var hasAlpha = false
    /// 1 unless animated.
    public var frameCount = 1
    /// Whether a colour profile is embedded.
    public var hasICCProfile = false
    /// Those of a lossless WebP, or of a WebP with alpha; nil for other pictures, and when only the beginning of the file
    /// was read.
    public var prefixCodes: PrefixCodes?

    /// Whether ``prefixCodes`` is what is missing while it is nil.
    var mayHavePrefixCodes: Bool { self.format == .webp && (self.isLossless || self.hasAlpha) }
    /// Of the colour profile, uncompressed, as it says itself; 0 without one that can be read.
    public internal(set) var profileBytes = 0
    /// The memory that its conversion takes, estimated from its tags; see ``ICCTagTable/workingBytes(of:byteCount:)``.
    var profileWorkingBytes = 0

    /// Takes what an embedded profile needs from its first ``ICCTagTable/maxLength`` bytes.
    mutating func noteProfile(prefix: some RandomAccessCollection<UInt8>, byteCount: Int) {
        self.profileBytes = byteCount
        self.profileWorkingBytes = ICCTagTable.workingBytes(of: prefix, byteCount: byteCount)
    }

    /// Width and height as shown, in pixels.
    public var uprightSize: (width: Int, height: Int) {
        self.orientation.swapsSides ? (self.height, self.width) : (self.width, self.height)
    }

    /// The usual name of the chroma subsampling, such as "4:2:0"; nil where there is no chroma.
    public var subsampling: String? {
        guard self.colourModel == .yCbCr || self.colourModel == .ycck, self.sampling.count >= 3 else { return nil }
        let (luma, blue, red) = (self.sampling[0], self.sampling[1], self.sampling[2])
        guard blue == red, blue == SamplingFactors(horizontal: 1, vertical: 1) else {
            return self.sampling.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
        }
        switch (luma.horizontal, luma.vertical) {
        case (1, 1): return "4:4:4"
        case (2, 1): return "4:2:2"
        case (2, 2): return "4:2:0"
        case (1, 2): return "4:4:0"
        case (4, 1): return "4:1:1"
        case (4, 2): return "4:1:0"
        default: return self.sampling.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
        }
    }

    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` when the picture is too large, or has too many frames or
    ///   prefix-code groups.
    func check(_ limits: CodecLimits) throws(CodecError) {
        let all: [(CodecLimits.Name, Int, Int)] = [
            (.width, self.width, limits.maxWidth), (.height, self.height, limits.maxHeight),
            (.pixels, self.width * self.height, limits.maxPixels), (.frames, self.frameCount, limits.maxFrames),
            (.prefixCodeGroups, self.prefixCodes?.groupCount ?? 0, limits.maxPrefixCodeGroups),
        ]
        for (name, value, limit) in all { try CodecLimits.check(name, value, atMost: limit) }
    }
}

/// What the first bytes of a file tell.
public enum ProbeResult: Hashable, Sendable {
    case header(ImageHeader)
    /// The header goes on after these bytes; ask again with at least so many.
    case needsMoreBytes(atLeast: Int)
}
