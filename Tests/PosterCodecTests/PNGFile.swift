@testable import PosterCodec

/// Writes an uncompressed PNG, in which every byte is where a test expects it.
struct PNGFile: Sendable {
    struct Chunk: Sendable {
        var type: String
        var payload: [UInt8]
        /// Added to the correct checksum.
        var checksumError: UInt32 = 0

        init(_ type: String, _ payload: [UInt8], checksumError: UInt32 = 0) {
            (self.type, self.payload, self.checksumError) = (type, payload, checksumError)
        }

        var bytes: [UInt8] {
            let covered = Array(self.type.utf8) + self.payload
            return PNGFile.number(self.payload.count) + covered
                + PNGFile.number(Int(PNGFile.crc(covered) &+ self.checksumError))
        }
    }

    var width, height: Int
    /// 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha.
    var colourType = 2
    var bitDepth = 8
    var isInterlaced = false
    /// Between IHDR and PLTE.
    var beforePalette: [Chunk] = []
    /// Red, green and blue of each colour; `nil` omits the chunk.
    var palette: [UInt8]?
    /// Between PLTE and IDAT.
    var beforeData: [Chunk] = []
    var afterData: [Chunk] = []
    /// The largest IDAT chunk, in bytes.
    var dataChunkLength = 4096
    /// A sample of `bitDepth` bits.
    var sample: @Sendable (_ x: Int, _ y: Int, _ channel: Int) -> Int = PNGFile.noise

    init(width: Int, height: Int, colourType: Int = 2, bitDepth: Int = 8) {
        (self.width, self.height, self.colourType, self.bitDepth) = (width, height, colourType, bitDepth)
        if colourType == 3 {
            let count = 3 * (1 << bitDepth)
            self.palette = (0..<count).map { UInt8(($0 * 89 + 31) % 256) }
        }
    }

    var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][self.colourType] ?? 1 }

    /// The sample in the file, of `bitDepth` bits.
    func stored(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        self.sample(x, y, channel) & (1 << self.bitDepth - 1)
    }

    /// Reproducible noise.
    static let noise: @Sendable (Int, Int, Int) -> Int = { x, y, channel in
        var value = UInt32(truncatingIfNeeded: x &* 7919 &+ y &* 104_729 &+ channel &* 1_299_709 &+ 17)
        value = (value ^ value >> 13) &* 0x5BD1_E995
        return Int(value >> 9 & 0xFFFF)
    }

    var bytes: [UInt8] {
        let header =
            Self.number(self.width) + Self.number(self.height)
            + [UInt8(self.bitDepth), UInt8(self.colourType), 0, 0, self.isInterlaced ? 1 : 0]
        var chunks = [Chunk("IHDR", header)] + self.beforePalette
        if let palette { chunks.append(Chunk("PLTE", palette)) }
        chunks += self.beforeData + self.data + self.afterData + [Chunk("IEND", [])]
        return Self.signature + chunks.flatMap(\.bytes)
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private var data: [Chunk] {
        let stream = Self.deflated(self.rows)
        return stride(from: 0, to: stream.count, by: self.dataChunkLength).map { start in
            Chunk("IDAT", Array(stream[start..<min(start + self.dataChunkLength, stream.count)]))
        }
    }

    /// The columns and rows of each pass that is not empty.
    var passes: [(columns: [Int], rows: [Int])] {
        let shapes =
            self.isInterlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        return shapes.map { left, top, right, down in
            (Array(stride(from: left, to: self.width, by: right)), Array(stride(from: top, to: self.height, by: down)))
        }.filter { !$0.columns.isEmpty && !$0.rows.isEmpty }
    }

    /// Filter 0 and the row's samples, pass by pass (PNG, third edition, 8.2).
    var rows: [UInt8] {
        var bytes: [UInt8] = []
        for pass in self.passes {
            for y in pass.rows {
                bytes.append(0)
                var (bits, count) = (0, 0)
                for x in pass.columns {
                    for channel in 0..<self.channels {
                        bits = bits << self.bitDepth | self.stored(x, y, channel)
                        count += self.bitDepth
                        while count >= 8 {
                            count -= 8
                            bytes.append(UInt8(bits >> count & 0xFF))
                            bits &= 1 << count - 1
                        }
                    }
                }
                if count > 0 { bytes.append(UInt8(bits << (8 - count) & 0xFF)) }
            }
        }
        return bytes
    }

    /// A zlib stream of stored blocks (RFC 1950 and 1951).
    static func deflated(_ bytes: [UInt8], checksumError: UInt32 = 0) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let length = end - start
            stream += [end == bytes.count ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8)]
            stream += [UInt8(~length & 0xFF), UInt8(~length >> 8 & 0xFF)] + bytes[start..<end]
            start = end
        } while start < bytes.count
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + Self.number(Int((b << 16 | a) &+ checksumError))
    }

    static func number(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { Self.table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

extension PNGFile.Chunk {
    /// - Parameter exponent: The samples' exponent; 1/2.2 is close to sRGB's curve.
    static func gamma(_ exponent: Double) -> Self { Self("gAMA", PNGFile.number(Int((exponent * 100_000).rounded()))) }

    static let sRGB = Self("sRGB", [0])

    /// White, red, green and blue.
    static func chromaticities(_ xy: [Double]) -> Self {
        Self("cHRM", xy.flatMap { PNGFile.number(Int(($0 * 100_000).rounded())) })
    }

    static func profile(_ bytes: [UInt8]) -> Self {
        Self("iCCP", Array("name".utf8) + [0, 0] + PNGFile.deflated(bytes))
    }

    /// A chunk with only the orientation.
    static func orientation(_ value: Orientation, checksumError: UInt32 = 0) -> Self {
        Self(
            "eXIf",
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value.rawValue), 0, 0]
                + [0, 0, 0, 0], checksumError: checksumError)
    }
}

/// The planes and the colour tag that the reader delivers.
struct PNGPlanes {
    var planes: [[UInt8]]
    var tag: ColourTag

    init(_ bytes: [UInt8], limits: CodecLimits = .init(), control: RenderControl = .init()) throws(CodecError) {
        try self.init(bytes, plan: bytes.plan(width: nil, limits: limits), limits: limits, control: control)
    }

    init(
        _ bytes: [UInt8], plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
    ) throws(CodecError) {
        self = try bytes.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) -> PNGPlanes in
            let watch = RenderWatch(control, limits: limits)
            var reader = try PNGDecoder(buffer, plan.decoding, watch: watch)
            return try PNGPlanes(reading: &reader)
        }
    }

    private init(reading reader: inout PNGDecoder) throws(CodecError) {
        self.tag = reader.colourTag
        self.planes = []
        let layout = reader.layout
        let memory = layout.planes.map { plane in
            // Exactly as many rows as the picture has.
            UnsafeMutablePointer<UInt8>.allocate(capacity: plane.rowBytes * plane.height)
        }
        defer { for pointer in memory { pointer.deallocate() } }
        for group in 0..<layout.groupCount {
            let targets = zip(memory, layout.planes).map { $0 + group * $1.rowsPerGroup * $1.rowBytes }
            guard try reader.readGroup(into: targets, strides: layout.planes.map(\.rowBytes)) else { throw .truncated }
        }
        try reader.finish()
        self.planes = zip(memory, layout.planes).map {
            Array(UnsafeBufferPointer(start: $0, count: $1.rowBytes * $1.height))
        }
    }
}
