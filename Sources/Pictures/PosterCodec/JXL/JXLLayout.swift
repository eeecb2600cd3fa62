/// The properties of a JPEG XL's picture.
struct JXLLayout: Sendable {
    let header: JXLHeader
    /// The offset of the first frame in the codestream; without meaning if an ICC profile precedes it.
    let framesStart: Int
    let imageHeader: ImageHeader

    /// - Parameter bitCount: The length of the header.
    init(_ header: JXLHeader, bitCount: Int) throws(CodecError) {
        guard !header.channels.contains(where: { $0.kind == .black }) else { throw .unsupported("JPEG XL in CMYK") }
        guard !header.hasPreview else { throw .unsupported("JPEG XL with a preview") }
        self.header = header
        self.framesStart = (bitCount + 7) / 8
        // Until the frames are known, the decoder is assumed to hold the picture.
        var imageHeader = ImageHeader(
            format: .jpegXL, width: header.width, height: header.height, orientation: header.orientation,
            bitDepth: header.bitDepth, colourModel: header.colours.isGray ? .gray : .rgb, sampling: [],
            isProgressive: false, isMultiScan: true, hasAlpha: header.alpha != nil,
            hasICCProfile: header.colours.hasProfile, extraChannelCount: header.channels.count)
        if header.colours.hasProfile, !header.isXYB {
            // Its tags are known only to the decoder.
            imageHeader.profileBytes = header.profileLength + Self.profileStructure
            imageHeader.profileWorkingBytes = ICCTagTable.maxWorkingBytes(byteCount: imageHeader.profileBytes)
        }
        self.imageHeader = imageHeader
    }

    /// The bytes that a profile may be longer than its coded form, which shortens the tag table and the heads of tags
    /// (ISO/IEC 18181-1, annex E).
    private static let profileStructure = 4096

    /// Whether the decoder converts colours of a profile to ``ColourTag/displayP3``, or to gray with sRGB's curve.
    var convertsColours: Bool { self.header.isXYB && self.header.colours.hasProfile }

    /// The colour space of the decoded pixels; `nil` if their profile has to be read.
    var colourTag: ColourTag? {
        let colours = self.header.colours
        if self.convertsColours { return colours.isGray ? .sRGB : .displayP3 }
        return colours.hasProfile ? nil : colours.tag(peak: self.peak)
    }

    /// The declared maximum luminance. The default, and PQ's maximum, which encoders declare for any PQ, are no
    /// declarations.
    private var peak: Double? {
        let target = self.header.intensityTarget
        return target == JXLHeader.defaultIntensityTarget || target >= TransferCurve.pqPeak ? nil : target
    }
}
