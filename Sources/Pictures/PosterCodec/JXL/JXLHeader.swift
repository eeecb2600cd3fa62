/// The image header at the beginning of a JPEG XL codestream (ISO/IEC 18181-1, annex D).
struct JXLHeader: Sendable {
    /// The stored size in pixels, at most 2³⁰ each.
    let width, height: Int
    private(set) var orientation = Orientation.upright
    /// Bits per sample.
    private(set) var bitDepth = 8
    /// Whether samples are in XYB, from which the decoder converts.
    private(set) var isXYB = true
    private(set) var colours = JXLColours()
    /// The maximum luminance in cd/m².
    private(set) var intensityTarget = Self.defaultIntensityTarget
    private(set) var channels: [Channel] = []
    private(set) var isAnimation = false
    private(set) var hasTimecodes = false
    /// Whether a preview precedes the picture.
    private(set) var hasPreview = false
    /// The length of the coded ICC profile that follows the header, in bytes; 0 without one.
    private(set) var profileLength = 0

    /// An extra channel, beside gray or RGB.
    struct Channel: Sendable {
        var kind = Kind.alpha
        /// Whether colours are premultiplied by this alpha.
        var isPremultiplied = false

        enum Kind: Int {
            case alpha = 0
            case spotColour = 2
            case black = 4
            case colourFilter = 5
            /// Depth, a selection, or another channel that is not shown.
            case hidden = 15
        }
    }

    /// The first channel of alpha.
    var alpha: Channel? { self.channels.first { $0.kind == .alpha } }

    static let defaultIntensityTarget = 255.0
    private static let signature = 0x0AFF

    /// - Parameter limits: Of extra channels and of the profile.
    /// - Throws: ``CodecError/truncated`` at the end of the bits.
    init(_ bits: inout JXLBits, limits: CodecLimits) throws(CodecError) {
        guard try bits.number(16) == Self.signature else { throw .damaged(reason: "a JPEG XL without codestream") }
        (self.width, self.height) = try Self.size(&bits)
        if try !bits.flag() {
            let hasMore = try bits.flag()
            if hasMore { try self.readPresentation(&bits) }
            self.bitDepth = try Self.bitDepth(&bits)
            // Whether 16 bits suffice for the decoder's integers.
            _ = try bits.flag()
            try self.readChannels(&bits, limits: limits)
            self.isXYB = try bits.flag()
            self.colours = try JXLColours(&bits)
            if hasMore { try self.readLuminance(&bits) }
            try bits.skipExtensions()
        }
        try self.skipTransforms(&bits)
        guard self.colours.hasProfile else { return }
        let length = try bits.long()
        // A shorter coded profile may be longer when decoded, which is checked then.
        self.profileLength = Int(clamping: length)
        try limits.check(profileBytes: self.profileLength)
    }

    /// Width and height; the width may follow from the height.
    private static func size(_ bits: inout JXLBits) throws(CodecError) -> (Int, Int) {
        let isSmall = try bits.flag()
        func side(_ bits: inout JXLBits) throws(CodecError) -> Int {
            if isSmall { return try 8 * (bits.number(5) + 1) }
            return try bits.number((.bits(9, plus: 1), .bits(13, plus: 1), .bits(18, plus: 1), .bits(30, plus: 1)))
        }
        let height = try side(&bits)
        return (try Self.width(&bits, height: height, side: side), height)
    }

    private static func width(
        _ bits: inout JXLBits, height: Int, side: (inout JXLBits) throws(CodecError) -> Int
    ) throws(CodecError) -> Int {
        switch try bits.number(3) {
        case 0: try side(&bits)
        case 1: height
        case 2: height * 12 / 10
        case 3: height * 4 / 3
        case 4: height * 3 / 2
        case 5: height * 16 / 9
        case 6: height * 5 / 4
        default: height * 2
        }
    }

    private mutating func readPresentation(_ bits: inout JXLBits) throws(CodecError) {
        self.orientation = Orientation(rawValue: try bits.number(3) + 1) ?? .upright
        // The intrinsic size is a hint for layouts.
        if try bits.flag() { _ = try Self.size(&bits) }
        self.hasPreview = try bits.flag()
        if self.hasPreview { try Self.skipPreview(&bits) }
        self.isAnimation = try bits.flag()
        guard self.isAnimation else { return }
        _ = try bits.number((.value(100), .value(1000), .bits(10, plus: 1), .bits(30, plus: 1)))
        _ = try bits.number((.value(1), .value(1001), .bits(8, plus: 1), .bits(10, plus: 1)))
        _ = try bits.number((.value(0), .bits(3), .bits(16), .bits(32)))
        self.hasTimecodes = try bits.flag()
    }

    private static func skipPreview(_ bits: inout JXLBits) throws(CodecError) {
        let isInBlocks = try bits.flag()
        func side(_ bits: inout JXLBits) throws(CodecError) -> Int {
            isInBlocks
                ? try bits.number((.value(16), .value(32), .bits(5, plus: 1), .bits(9, plus: 33)))
                : try bits.number((.bits(6, plus: 1), .bits(8, plus: 65), .bits(10, plus: 321), .bits(12, plus: 1345)))
        }
        let height = try side(&bits)
        _ = try Self.width(&bits, height: height, side: side)
    }

    private static func bitDepth(_ bits: inout JXLBits) throws(CodecError) -> Int {
        let isFloat = try bits.flag()
        guard isFloat else {
            let depth = try bits.number((.value(8), .value(10), .value(12), .bits(6, plus: 1)))
            guard depth <= 31 else { throw .damaged(reason: "a JPEG XL of \(depth) bits a sample") }
            return depth
        }
        let depth = try bits.number((.value(32), .value(16), .value(24), .bits(6, plus: 1)))
        let exponentBits = try bits.number(4) + 1
        guard (2...8).contains(exponentBits), (2...23).contains(depth - exponentBits - 1) else {
            throw .damaged(reason: "a JPEG XL with impossible floating-point samples")
        }
        return depth
    }

    private mutating func readChannels(_ bits: inout JXLBits, limits: CodecLimits) throws(CodecError) {
        let count = try bits.number((.value(0), .value(1), .bits(4, plus: 2), .bits(12, plus: 1)))
        try CodecLimits.check(.extraChannels, count, atMost: limits.maxExtraChannels)
        for _ in 0..<count {
            var channel = Channel()
            if try !bits.flag() {
                channel.kind = Channel.Kind(rawValue: try bits.choice()) ?? .hidden
                _ = try Self.bitDepth(&bits)
                // The logarithm of its subsampling.
                _ = try bits.number((.value(0), .value(3), .value(4), .bits(3, plus: 1)))
                try bits.skipName()
                switch channel.kind {
                case .alpha: channel.isPremultiplied = try bits.flag()
                case .spotColour: try bits.skipHalves(4)
                case .colourFilter: _ = try bits.number((.value(1), .bits(2), .bits(4, plus: 3), .bits(8, plus: 19)))
                case .black, .hidden: break
                }
            }
            self.channels.append(channel)
        }
    }

    private mutating func readLuminance(_ bits: inout JXLBits) throws(CodecError) {
        guard try !bits.flag() else { return }
        self.intensityTarget = try bits.half()
        // The darkest level; the level below which a display may change tones, absolute or relative.
        try bits.skipHalves(1)
        _ = try bits.flag()
        try bits.skipHalves(1)
    }

    /// Skips the matrix of XYB and the weights of upsampling, if they are not the default.
    private func skipTransforms(_ bits: inout JXLBits) throws(CodecError) {
        guard try !bits.flag() else { return }
        if self.isXYB, try !bits.flag() { try bits.skipHalves(16) }
        let hasWeights = try bits.number(3)
        for (index, count) in [15, 55, 210].enumerated() where hasWeights >> index & 1 == 1 {
            try bits.skipHalves(count)
        }
    }
}
