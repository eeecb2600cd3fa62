/// A property of a HEIF's items (ISO/IEC 23008-12, 6.5; AV1 Image File Format, 2.2).
enum HEIFProperty {
    case size(width: Int, height: Int)
    case coding(ItemConfiguration)
    /// The error of a configuration that is damaged or not supported, which counts if an item in use has it.
    case undecodable(CodecError)
    /// Anticlockwise, in quarters of a turn.
    case rotation(Int)
    /// 0 exchanges top and bottom, 1 left and right.
    case mirror(Int)
    case cleanAperture(HEIFCleanAperture)
    case colours(CodePoints)
    /// The bytes of an ICC profile.
    case profile(Range<Int>)
    /// The luminance of the brightest pixel, in cd/m².
    case lightLevel(Double)
    /// The peak luminance of the mastering display, in cd/m².
    case masteringDisplay(peak: Double)
    /// The kind of an auxiliary item.
    case auxiliary(isAlpha: Bool)
    /// Whether the shown layers are selected; `false` for the usual ones.
    case layers(areSelected: Bool)
    /// A property that does not change the pixels.
    case descriptive
    case unknown

    /// - Parameter box: Must have arrived completely.
    init(_ box: ISOBox, in bytes: UnsafeRawBufferPointer, codec: ItemCodec) throws(CodecError) {
        var fields = ISOFields(bytes, in: box.payload)
        switch box.kind {
        case "ispe":
            try fields.skip(4)
            self = .size(width: try fields.number(4), height: try fields.number(4))
        case "av1C" where codec == .av1, "hvcC" where codec == .hevc:
            do throws(CodecError) {
                self = .coding(try ItemConfiguration(&fields, in: bytes, codec: codec))
            } catch {
                self = .undecodable(error)
            }
        case "irot": self = .rotation(try fields.number(1) & 3)
        case "imir": self = .mirror(try fields.number(1) & 1)
        case "clap": self = .cleanAperture(try HEIFCleanAperture(&fields))
        case "colr":
            switch try fields.kind() {
            case "nclx": self = .colours(try CodePoints(&fields))
            case "prof", "rICC": self = .profile(fields.rest)
            default: self = .descriptive
            }
        case "auxC":
            try fields.skip(4)
            let name = bytes[fields.rest].prefix { $0 != 0 }
            self = .auxiliary(isAlpha: Self.alphaNames.contains { name.elementsEqual($0.utf8) })
        case "a1op": self = .layers(areSelected: try fields.number(1) != 0)
        // 0xFFFF leaves the selection to the coding.
        case "lsel": self = .layers(areSelected: try fields.number(2) != 0xFFFF)
        case "clli" where box.payload.count >= 4: self = .lightLevel(Double(try fields.number(2)))
        case "mdcv" where box.payload.count >= 24:
            // Eight coordinates come first; the unit is 0.0001 cd/m².
            try fields.skip(16)
            self = .masteringDisplay(peak: Double(try fields.number(4)) / 10_000)
        case "pixi", "a1lx", "pasp", "clli", "mdcv", "rloc", "udes", "altt", "subs": self = .descriptive
        default: self = .unknown
        }
    }

    /// Whether an item with this property is alpha.
    var isAlpha: Bool {
        if case .auxiliary(isAlpha: true) = self { true } else { false }
    }

    private static let alphaNames = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]
}

extension CodePoints {
    /// Reads the content of a `colr` box after its kind.
    fileprivate init(_ fields: inout ISOFields) throws(CodecError) {
        self.init(
            primaries: try fields.number(2), transfer: try fields.number(2), matrix: try fields.number(2),
            isFullRange: try fields.number(1) & 0x80 != 0)
    }
}
