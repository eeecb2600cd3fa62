/// Renders a ThumbHash as a tiny file, for pages that cannot decode the hash.
public enum PlaceholderPicture {
    /// The longest sides in pixels, tried in order until the file has at most ``byteLimit`` bytes.
    static let sides = [32, 24, 16, 8]
    /// The maximum file size in bytes; only the smallest side may exceed it.
    public static let byteLimit = 1000
    /// The encoder's quality, 1...100, for a picture without edges.
    private static let quality = 60

    /// Renders the hash on the calling thread, in about a millisecond.
    ///
    /// - Parameters:
    ///   - thumbHash: The hash in Base64, as in ``PictureHashes``.
    ///   - original: The upright size of the original, for the aspect ratio.
    /// - Returns: The file and its size in pixels.
    /// - Throws: ``CodecError``; ``CodecError/damaged(reason:)`` if the text is not a hash.
    public static func file(
        thumbHash: String, original: (width: Int, height: Int), format: OutputFormat, control: RenderControl = .init()
    ) throws(CodecError) -> (bytes: [UInt8], size: OutputSize) {
        guard let hash = Base64.decode(thumbHash) else { throw .damaged(reason: "not Base64") }
        var last: (bytes: [UInt8], size: OutputSize)?
        for side in Self.sides {
            let size = try Self.size(for: original, longest: side)
            let bytes = try Self.encode(hash, size: size, format: format, control: control)
            last = (bytes, size)
            if bytes.count <= Self.byteLimit { break }
        }
        return last!
    }

    private static func size(
        for original: (width: Int, height: Int), longest: Int
    ) throws(CodecError) -> OutputSize {
        let longer = max(original.width, original.height)
        let scaled = { (side: Int) in max(1, (side * longest + longer / 2) / longer) }
        return try OutputSize(width: scaled(original.width), height: scaled(original.height))
    }

    private static func encode(
        _ hash: [UInt8], size: OutputSize, format: OutputFormat, control: RenderControl
    ) throws(CodecError) -> [UInt8] {
        guard let rgba = ThumbHash.rgba(of: hash, width: size.width, height: size.height) else {
            throw .damaged(reason: "not a ThumbHash")
        }
        var pixels = PixelBuffer(width: size.width, height: size.height, channels: 4)
        pixels.samples = rgba
        let png = try PNGEncoder().encode(pixels, watch: RenderWatch(control, limits: .init())).array
        guard format != .png else { return png }
        // The other encoders take planes, which a render produces from the PNG.
        let header = try inspect(png.span.bytes, limits: .init())
        let target = RenderTarget(width: size.width, format: format, quality: .fixed(Self.quality))
        let plan = try RenderPlan(header, target: target)
        return try render(png.span.bytes, plan: plan, control: control).bytes
    }
}
