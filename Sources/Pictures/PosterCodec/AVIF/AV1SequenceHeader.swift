/// The sequence header of an item's AV1 data (AV1 specification, 5.5).
struct AV1SequenceHeader: Hashable {
    /// The maximum size of a picture, in pixels.
    let width, height: Int
    let configuration: SampleFormat
    let colours: CodePoints
    /// Whether pictures may be enlarged after decoding, or get film grain; a decoder needs another picture for each.
    let isEnlarged, hasGrain: Bool
    /// Whether there is only one picture, of the maximum size.
    let isReduced: Bool
    /// The properties that the header of a still picture depends on; `nil` if it depends on more than is read here.
    let stillTools: StillTools?

    /// Properties of a sequence that determine the form of its pictures' headers.
    struct StillTools: Hashable {
        var widthBits = 0
        var heightBits = 0
        /// The side of the largest blocks, in pixels.
        var blockSide = 64
        /// Whether tools for screen content are used; `nil` if each picture chooses.
        var screenContent: Bool?
        /// Whether pictures with screen content choose vectors of whole pixels.
        var choosesWholeVectors = true
        var orderBits = 0
    }

    /// - Parameter payload: The payload of the header's unit.
    init(_ payload: UnsafeRawBufferPointer) throws(CodecError) {
        var bits = HeaderBitReader(payload)
        let profile = try bits.number(3)
        try bits.skip(1)
        self.isReduced = try bits.flag()
        var tools = StillTools()
        var hasTiming = false
        if self.isReduced { try bits.skip(5) } else { hasTiming = try Self.skipOperatingPoints(&bits) }
        let (acrossBits, downBits) = (try bits.number(4) + 1, try bits.number(4) + 1)
        (self.width, self.height) = (try bits.number(acrossBits) + 1, try bits.number(downBits) + 1)
        (tools.widthBits, tools.heightBits) = (acrossBits, downBits)
        // Numbers of pictures, and their lengths.
        let hasNumbers = try self.isReduced ? false : bits.flag()
        if hasNumbers { try bits.skip(7) }
        tools.blockSide = try bits.flag() ? 128 : 64
        // Two tools of intra prediction.
        try bits.skip(2)
        if !self.isReduced { try Self.readInterTools(&bits, into: &tools) }
        self.stillTools = hasTiming || hasNumbers ? nil : tools
        self.isEnlarged = try bits.flag()
        // Two filters.
        try bits.skip(2)
        (self.configuration, self.colours) = try Self.colours(&bits, profile: profile)
        self.hasGrain = try bits.flag()
    }

    /// - Returns: Whether pictures have timing information.
    private static func skipOperatingPoints(_ bits: inout HeaderBitReader) throws(CodecError) -> Bool {
        var delayBits = 0
        let hasTiming = try bits.flag()
        if hasTiming {
            try bits.skip(32)
            try bits.skip(32)
            if try bits.flag() { try bits.skipVariable() }
            if try bits.flag() {
                delayBits = try bits.number(5) + 1
                try bits.skip(32)
                try bits.skip(10)
            }
        }
        let hasDelays = try bits.flag()
        let lastPoint = try bits.number(5)
        for _ in 0...lastPoint {
            try bits.skip(12)
            if try bits.number(5) > 7 { try bits.skip(1) }
            // Two delays and a flag.
            if delayBits > 0, try bits.flag() {
                try bits.skip(delayBits)
                try bits.skip(delayBits)
                try bits.skip(1)
            }
            if hasDelays, try bits.flag() { try bits.skip(4) }
        }
        return hasTiming
    }

    private static func readInterTools(
        _ bits: inout HeaderBitReader, into tools: inout StillTools
    ) throws(CodecError) {
        try bits.skip(4)
        let hasOrder = try bits.flag()
        if hasOrder { try bits.skip(2) }
        // Screen content: chosen by each picture, or for all of them; then the same for whole-pixel vectors.
        tools.screenContent = try bits.flag() ? nil : bits.flag()
        if tools.screenContent != false {
            tools.choosesWholeVectors = try bits.flag()
            if !tools.choosesWholeVectors { try bits.skip(1) }
        }
        if hasOrder { tools.orderBits = try bits.number(3) + 1 }
    }

    private static func colours(
        _ bits: inout HeaderBitReader, profile: Int
    ) throws(CodecError) -> (SampleFormat, CodePoints) {
        let isHigh = try bits.flag()
        var bitDepth = isHigh ? 10 : 8
        if profile == 2, isHigh, try bits.flag() { bitDepth = 12 }
        let isMonochrome = try profile == 1 ? false : bits.flag()
        var (primaries, transfer, matrix) = (2, 2, 2)
        if try bits.flag() {
            (primaries, transfer, matrix) = (try bits.number(8), try bits.number(8), try bits.number(8))
        }
        func colours(isFullRange: Bool) -> CodePoints {
            CodePoints(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
        }
        func configuration(halvesAcross: Bool, halvesDown: Bool) -> SampleFormat {
            SampleFormat(
                bitDepth: bitDepth, isMonochrome: isMonochrome, halvesAcross: halvesAcross, halvesDown: halvesDown)
        }
        if isMonochrome {
            return (configuration(halvesAcross: true, halvesDown: true), colours(isFullRange: try bits.flag()))
        }
        if primaries == 1, transfer == 13, matrix == 0 {
            try bits.skip(1)
            return (configuration(halvesAcross: false, halvesDown: false), colours(isFullRange: true))
        }
        let isFullRange = try bits.flag()
        var (across, down) = (profile == 0, profile == 0)
        if profile == 2 {
            across = try bitDepth < 12 ? true : bits.flag()
            down = try bitDepth == 12 && across ? bits.flag() : false
        }
        if across, down { try bits.skip(2) }
        try bits.skip(1)
        return (configuration(halvesAcross: across, halvesDown: down), colours(isFullRange: isFullRange))
    }
}
