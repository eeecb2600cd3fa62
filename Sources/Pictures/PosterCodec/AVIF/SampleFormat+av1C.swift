/// The content of an `av1C` box (AV1 Codec ISO Media File Format Binding, 2.3).
extension SampleFormat {
    /// Reads the content of an `av1C` box.
    init(_ fields: inout ISOFields) throws(CodecError) {
        try fields.skip(2)
        let flags = try fields.number(1)
        _ = try fields.number(1)
        self.init(flags: flags)
    }

    private init(flags: Int) {
        let isHigh = flags & 0x40 != 0
        self.init(
            bitDepth: isHigh ? flags & 0x20 != 0 ? 12 : 10 : 8, isMonochrome: flags & 0x10 != 0,
            halvesAcross: flags & 0x08 != 0, halvesDown: flags & 0x04 != 0)
    }

    /// The content of an `av1C` box. Decoders do not read profile and level.
    var bytes: [UInt8] {
        let depth: UInt8 = self.bitDepth == 8 ? 0 : self.bitDepth == 10 ? 0x40 : 0x60
        let colours: UInt8 = self.isMonochrome ? 0x10 : 0
        let chroma: UInt8 = (self.halvesAcross ? 0x08 : 0) | (self.halvesDown ? 0x04 : 0)
        return [0x81, self.profile << 5 | 0x1F, depth | colours | chroma, 0]
    }

    private var profile: UInt8 {
        if self.bitDepth == 12 { return 2 }
        if self.isMonochrome || self.halvesDown { return 0 }
        return self.halvesAcross ? 2 : 1
    }
}
