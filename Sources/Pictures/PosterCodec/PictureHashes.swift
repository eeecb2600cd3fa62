/// Placeholders that a page shows until the picture has arrived, computed from the upright picture in sRGB.
public struct PictureHashes: Hashable, Sendable {
    /// The dominant colour as `#rrggbb`; see ``DominantColour``.
    public let dominantColour: String
    /// The ThumbHash in Base64.
    public let thumbHash: String
    /// The BlurHash, of 3 × 4 components for a picture that is higher than wide, else 4 × 3.
    public let blurHash: String

    /// The longest side of the hashed picture, in pixels.
    static let side = 100

    /// The plan of the hashed picture.
    ///
    /// - Throws: As ``RenderPlan/init(_:target:limits:)``.
    public static func plan(for header: ImageHeader, limits: CodecLimits) throws(CodecError) -> RenderPlan {
        // PNG, so that nothing is lost before hashing.
        try RenderPlan(
            header, target: RenderTarget(width: Self.side, height: Self.side, format: .png), limits: limits)
    }

    /// Decodes and hashes a picture on the calling thread, until it is done or `control` stops it.
    ///
    /// - Parameter header: The header of `bytes`.
    /// - Throws: As ``render(_:plan:limits:control:)`` and ``RenderPlan/init(_:target:limits:)``.
    public init(
        of bytes: RawSpan, header: ImageHeader, limits: CodecLimits = .init(), control: RenderControl = .init()
    ) throws(CodecError) {
        let plan = try Self.plan(for: header, limits: limits).choosingScans(in: bytes, limits: limits)
        let pixels = try decodePicture(bytes, plan: plan, limits: limits, control: control).pixels().rgba()
        let (width, height) = (pixels.width, pixels.height)
        self.dominantColour = DominantColour.encode(rgba: pixels.samples)
        self.thumbHash = Base64.encode(
            ThumbHash.encode(rgba: pixels.samples, width: width, height: height))
        let isHigh = height > width
        self.blurHash = BlurHash.encode(
            rgba: pixels.samples, width: width, height: height, xComponents: isHigh ? 3 : 4,
            yComponents: isHigh ? 4 : 3)
    }
}

extension PictureHashes {
    /// Hashes that another process has computed.
    /// - Returns: `nil` if a text cannot be the hash of a picture.
    package init?(dominantColour: String, thumbHash: String, blurHash: String) {
        let colour = Array(dominantColour.utf8)
        guard colour.count == 7, colour[0] == UInt8(ascii: "#"),
            colour.dropFirst().allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            thumbHash.utf8.count <= Self.textLimit, Base64.decode(thumbHash) != nil,
            (6...Self.textLimit).contains(blurHash.utf8.count),
            blurHash.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.dominantColour = dominantColour
        self.thumbHash = thumbHash
        self.blurHash = blurHash
    }

    /// The maximum length of a hash as text, in bytes; more than any real hash has.
    private static let textLimit = 64

    /// The colours of the picture's ThumbHash as one column of `count` pixels, from the top, as `#rrggbb`; `nil` if the
    /// hash is invalid.
    ///
    /// - Parameter count: 1...100.
    public func columnColours(_ count: Int) -> [String]? { Self.columnColours(count, thumbHash: self.thumbHash) }

    static func columnColours(_ count: Int, thumbHash: String) -> [String]? {
        guard let hash = Base64.decode(thumbHash), let pixels = ThumbHash.rgba(of: hash, width: 1, height: count) else {
            return nil
        }
        return stride(from: 0, to: pixels.count, by: 4).map { pixel in
            "#" + pixels[pixel..<pixel + 3].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
