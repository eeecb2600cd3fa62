/// The boxes of an AVIF with one picture, up to its data, which follows them.
///
/// libavif gets these instead of the original's boxes, so that it reads only checked data, and reads cells one by one.
struct AVIFEnvelope {
    let bytes: [UInt8]

    /// - Parameter dataCount: The length of the data in bytes.
    init(width: Int, height: Int, configuration: SampleFormat, dataCount: Int) {
        let kind = Self.box("ftyp", Self.text("avif") + Self.number(0, 4) + Self.text("avifmif1miaf"))
        let handler = Self.fullBox("hdlr", Self.number(0, 4) + Self.text("pict") + Self.number(0, 13))
        let primary = Self.fullBox("pitm", Self.number(1, 2))
        let entry = Self.fullBox("infe", version: 2, Self.number(1, 2) + Self.number(0, 2) + Self.text("av01") + [0])
        let items = Self.fullBox("iinf", Self.number(1, 2) + entry)
        let size = Self.fullBox("ispe", Self.number(width, 4) + Self.number(height, 4))
        let channels = [UInt8](repeating: UInt8(configuration.bitDepth), count: configuration.isMonochrome ? 1 : 3)
        let depths = Self.fullBox("pixi", [UInt8(channels.count)] + channels)
        let coding = Self.box("av1C", configuration.bytes)
        // The item has the three properties; the last one is essential.
        let associations = Self.fullBox("ipma", Self.number(1, 4) + Self.number(1, 2) + [3, 1, 2, 0x83])
        let properties = Self.box("iprp", Self.box("ipco", size + depths + coding) + associations)
        func meta(dataStart: Int) -> [UInt8] {
            // Offsets and lengths of eight bytes; one item in one part.
            let item: [UInt8] = [0x88, 0] + Self.number(1, 2) + Self.number(1, 2)
            let part = Self.number(0, 2) + Self.number(1, 2) + Self.number(dataStart, 8) + Self.number(dataCount, 8)
            return Self.fullBox("meta", handler + primary + Self.fullBox("iloc", item + part) + items + properties)
        }
        // A size of 0 means the rest of the file.
        let data = Self.number(0, 4) + Self.text("mdat")
        let length = kind.count + meta(dataStart: 0).count + data.count
        self.bytes = kind + meta(dataStart: length) + data
    }

    private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        self.number(8 + content.count, 4) + self.text(kind) + content
    }

    private static func fullBox(_ kind: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        self.box(kind, [version, 0, 0, 0] + content)
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// The big-endian bytes of a number.
    private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { index in
            let shift = 8 * (byteCount - 1 - index)
            return shift < Int.bitWidth ? UInt8(truncatingIfNeeded: value >> shift) : 0
        }
    }
}
