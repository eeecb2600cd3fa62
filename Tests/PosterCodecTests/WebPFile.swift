import CodecTesting

@testable import PosterCodec

/// Builds a WebP from chunks.
struct WebPFile {
    struct Chunk {
        var tag: String
        var payload: [UInt8]

        init(_ tag: String, _ payload: [UInt8] = []) {
            (self.tag, self.payload) = (tag, payload)
        }

        var bytes: [UInt8] {
            let padding: [UInt8] = self.payload.count % 2 == 1 ? [0] : []
            return Array(self.tag.utf8) + littleEndian(self.payload.count, 4) + self.payload + padding
        }
    }

    var chunks: [Chunk]

    init(_ chunks: Chunk...) {
        self.chunks = chunks
    }

    var bytes: [UInt8] {
        let body = self.chunks.flatMap(\.bytes)
        return Array("RIFF".utf8) + littleEndian(4 + body.count, 4) + Array("WEBP".utf8) + body
    }
}

func littleEndian(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(value >> (8 * $0) & 0xFF) }
}

extension WebPFile.Chunk {
    /// The flags of a `VP8X` chunk.
    struct Promises: OptionSet {
        let rawValue: UInt8
        static let animation = Promises(rawValue: 0x02)
        static let exif = Promises(rawValue: 0x08)
        static let alpha = Promises(rawValue: 0x10)
        static let profile = Promises(rawValue: 0x20)
    }

    static func canvas(_ promises: Promises = [], _ width: Int, _ height: Int) -> Self {
        Self("VP8X", [promises.rawValue, 0, 0, 0] + littleEndian(width - 1, 3) + littleEndian(height - 1, 3))
    }

    /// The `VP8 ` chunk that the encoder writes for a picture in limited range.
    static func lossy(_ picture: FormulaPicture, quality: Int = 95) throws -> Self {
        let watch = RenderWatch(.init(), limits: .init())
        let file = try WebPEncoder(quality: quality).encode(picture.planes, watch: watch).array
        let size = Int(file[16]) | Int(file[17]) << 8 | Int(file[18]) << 16
        return Self("VP8 ", Array(file[20..<20 + size]))
    }

    /// An uncompressed alpha plane.
    static func alpha(_ samples: [UInt8]) -> Self {
        Self("ALPH", [0] + samples)
    }

    static func exif(orientation: UInt16, hasSignature: Bool = false) -> Self {
        Self("EXIF", Array(JPEGSegment.exif(orientation: orientation).payload.dropFirst(hasSignature ? 0 : 6)))
    }

    static func frame(x: Int = 0, y: Int = 0, _ width: Int, _ height: Int, _ parts: Self...) -> Self {
        let fields = [x / 2, y / 2, width - 1, height - 1, 100]
        let head: [UInt8] = fields.flatMap { littleEndian($0, 3) } + [0]
        return Self("ANMF", head + parts.flatMap(\.bytes))
    }

    typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

    /// A `VP8L` chunk without transforms, each value in eight bits (RFC 9649, 3).
    static func lossless(
        _ width: Int, _ height: Int, hasAlpha: Bool = false, _ pixel: (_ x: Int, _ y: Int) -> Pixel
    ) -> Self {
        var (bytes, used): ([UInt8], Int) = ([0x2F], 8)
        func write(_ value: Int, _ count: Int) {
            for bit in 0..<count {
                if used == 8 { (bytes, used) = (bytes + [0], 0) }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << used
                used += 1
            }
        }
        write(width - 1, 14)
        write(height - 1, 14)
        write(hasAlpha ? 1 : 0, 1)
        write(0, 3 + 3)  // version; no transform, colour cache or meta prefix codes
        for _ in 0..<4 {
            // Code lengths: the only length is 8 (the twelfth in the file's order), of the first 256 symbols.
            write(0, 1)
            write(8, 4)
            write(1 << 33, 36)
            write(1, 1)
            write(3, 3)
            write(254, 8)
        }
        write(1, 4)  // one distance, unused
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue, alpha) = pixel(x, y)
                for value in [green, red, blue, alpha] {
                    var turned = 0
                    for bit in 0..<8 { turned |= (Int(value) >> bit & 1) << (7 - bit) }
                    write(turned, 8)
                }
            }
        }
        return Self("VP8L", bytes)
    }
}

extension FormulaPicture {
    /// Waves and gradients within limited range.
    static func waves(width: Int, height: Int) -> FormulaPicture {
        let (right, bottom) = (Double(width), Double(height))
        return FormulaPicture(width: width, height: height) { x, y in
            let wave = ((Int(x) / 7 + Int(y) / 5) % 2 == 0) ? 30.0 : -30.0
            return Colour(
                luma: 60 + 100 * x / right + 30 * y / bottom + wave / 2, blue: 60 + 120 * y / bottom,
                red: 200 - 110 * x / right)
        }
    }
}

extension [UInt8] {
    /// The input of the renderer's encoder.
    func downsampled(
        width: Int?, format: OutputFormat = .webp, limits: CodecLimits = .init(), control: RenderControl = .init()
    ) throws(CodecError) -> DownsampledPicture {
        let plan = try self.plan(width: width, format: format, limits: limits)
        return try self.downsampled(as: plan, limits: limits, control: control)
    }

    func downsampled(
        as plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
    ) throws(CodecError) -> DownsampledPicture {
        try self.decoded(as: plan, limits: limits, control: control)
    }
}
