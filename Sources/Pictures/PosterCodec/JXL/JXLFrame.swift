/// The header of a frame and the lengths of its sections (ISO/IEC 18181-1, annex F).
struct JXLFrame {
    /// The size in pixels, which a crop makes smaller or larger than the picture's.
    private(set) var width, height: Int
    private(set) var kind = Kind.regular
    private(set) var isModular = false
    /// In ticks; 0 for a layer of the next frame.
    private(set) var duration = 0
    /// Whether no frame follows.
    private(set) var isLast = true
    /// The place, 0...3, where the decoder keeps the frame, or the picture up to it, for later frames.
    private(set) var slot: Int?
    private var upsampling = 1
    private var groupSide = 256
    private var passCount = 1

    enum Kind: Int {
        case regular
        /// One pixel for each 8 × 8 of another frame.
        case lowFrequency
        case referenceOnly
        /// Shown, except in progressive previews.
        case skippingProgression
    }

    /// Whether the frame is a layer or an animation's frame, instead of data for others.
    var isShown: Bool { self.kind == .regular || self.kind == .skippingProgression }

    /// Whether the shown picture ends with this frame.
    var completesPicture: Bool { self.isShown && (self.isLast || self.duration > 0) }

    private enum Flag {
        static let lowFrequencyFrame: UInt64 = 32
    }

    init(_ bits: inout JXLBits, of picture: JXLHeader) throws(CodecError) {
        (self.width, self.height) = (picture.width, picture.height)
        guard try !bits.flag() else { return }
        self.kind = Kind(rawValue: try bits.number(2)) ?? .regular
        self.isModular = try bits.flag()
        let usesLowFrequencyFrame = try bits.long() & Flag.lowFrequencyFrame != 0
        if !picture.isXYB, try bits.flag(), !usesLowFrequencyFrame { _ = try bits.number(6) }
        if !usesLowFrequencyFrame {
            self.upsampling = 1 << (try bits.number(2))
            for _ in picture.channels { _ = try bits.number(2) }
        }
        if self.isModular {
            self.groupSide = 128 << (try bits.number(2))
        } else if picture.isXYB {
            _ = try bits.number(6)
        }
        if self.kind != .referenceOnly { try self.readPasses(&bits) }
        var isPartial = false
        if self.kind == .lowFrequency {
            let step = 8 << (3 * (try bits.number(2)))
            self.width = (self.width + step - 1) / step
            self.height = (self.height + step - 1) / step
        } else if try bits.flag() {
            isPartial = try self.readCrop(&bits, of: picture)
        }
        var isReplacing = true
        if self.isShown {
            isReplacing = try Self.skipBlending(&bits, of: picture, isPartial: isPartial)
            for _ in picture.channels { _ = try Self.skipBlending(&bits, of: picture, isPartial: isPartial) }
            if picture.isAnimation {
                self.duration = try bits.number((.value(0), .value(1), .bits(8), .bits(32)))
                if picture.hasTimecodes { _ = try bits.number(32) }
            }
        }
        self.isLast = self.isShown ? try bits.flag() : false
        if self.kind != .lowFrequency {
            let slot = self.isLast ? 0 : try bits.number(2)
            let isReferable = !self.isLast && (self.duration == 0 || slot != 0)
            if isReferable { self.slot = slot }
            // Whether it is stored before its colours are converted.
            if self.kind == .referenceOnly || self.isShown && isReferable && isReplacing && !isPartial {
                _ = try bits.flag()
            }
        }
        try bits.skipName()
        try self.skipFilters(&bits)
        try bits.skipExtensions()
    }

    private mutating func readPasses(_ bits: inout JXLBits) throws(CodecError) {
        self.passCount = try bits.number((.value(1), .value(2), .value(3), .bits(3, plus: 4)))
        guard self.passCount > 1 else { return }
        let stepCount = try bits.number((.value(0), .value(1), .value(2), .bits(1, plus: 3)))
        for _ in 0..<self.passCount - 1 { _ = try bits.number(2) }
        for _ in 0..<stepCount { _ = try bits.number(2) }
        for _ in 0..<stepCount { _ = try bits.number((.value(0), .value(1), .value(2), .bits(3))) }
    }

    /// - Returns: Whether the frame does not cover the picture.
    private mutating func readCrop(_ bits: inout JXLBits, of picture: JXLHeader) throws(CodecError) -> Bool {
        func number(_ bits: inout JXLBits) throws(CodecError) -> Int {
            try bits.number((.bits(8), .bits(11, plus: 256), .bits(14, plus: 2304), .bits(30, plus: 18688)))
        }
        var origin = (x: 0, y: 0)
        if self.isShown { origin = (Self.signed(try number(&bits)), Self.signed(try number(&bits))) }
        (self.width, self.height) = (try number(&bits), try number(&bits))
        guard self.width > 0, self.height > 0 else { throw .damaged(reason: "a JPEG XL with an empty frame") }
        return origin.x > 0 || origin.y > 0 || self.width + origin.x < picture.width
            || self.height + origin.y < picture.height
    }

    /// Even codes are positive.
    private static func signed(_ code: Int) -> Int { code & 1 == 0 ? code >> 1 : -(code >> 1) - 1 }

    /// - Returns: Whether samples replace those below.
    private static func skipBlending(
        _ bits: inout JXLBits, of picture: JXLHeader, isPartial: Bool
    ) throws(CodecError) -> Bool {
        let (replace, blend, multiplyAdd, multiply) = (0, 2, 3, 4)
        let mode = try bits.number((.value(0), .value(1), .value(2), .bits(2, plus: 3)))
        let usesAlpha = !picture.channels.isEmpty && (mode == blend || mode == multiplyAdd)
        if usesAlpha, picture.channels.count > 1 {
            _ = try bits.number((.value(0), .value(1), .value(2), .bits(3, plus: 3)))
        }
        // Whether alpha is clamped; the layer below.
        if usesAlpha || mode == multiply { _ = try bits.flag() }
        if mode != replace || isPartial { _ = try bits.number(2) }
        return mode == replace
    }

    private func skipFilters(_ bits: inout JXLBits) throws(CodecError) {
        guard try !bits.flag() else { return }
        if try bits.flag(), try bits.flag() { try bits.skipHalves(6) }
        if try bits.number(2) > 0 {
            if !self.isModular, try bits.flag() { try bits.skipHalves(8) }
            if try bits.flag() { try bits.skipHalves(5) }
            if try bits.flag() { try bits.skipHalves(self.isModular ? 3 : 4) }
            if self.isModular { try bits.skipHalves(1) }
        }
        try bits.skipExtensions()
    }

    /// Reads the length of all sections, which begin after it, in bytes.
    /// - Returns: `nil` if sections are in an order of their own, which only a decoder can read.
    func dataLength(_ bits: inout JXLBits, watch: RenderWatch) throws(CodecError) -> Int? {
        func count(_ side: Int) -> Int {
            let step = side * self.upsampling
            return ((self.width + step - 1) / step) * ((self.height + step - 1) / step)
        }
        let groups = count(self.groupSide)
        let sections =
            groups == 1 && self.passCount == 1 ? 1 : 2 + count(8 * self.groupSide) + groups * self.passCount
        if try bits.flag() { return nil }
        try bits.align()
        var length = 0
        for section in 0..<sections {
            if section % 4096 == 4095 { try watch.check() }
            length += try bits.number(
                (.bits(10), .bits(14, plus: 1024), .bits(22, plus: 17408), .bits(30, plus: 4_211_712)))
        }
        try bits.align()
        return length
    }
}
