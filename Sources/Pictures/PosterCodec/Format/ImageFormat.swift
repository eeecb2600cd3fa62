/// A picture format, recognised by the first bytes of a file, never by its name or media type.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"
    case avif = "AVIF"
    case heic = "HEIC"
    case jpegXL = "JPEG XL"
    case jpeg2000 = "JPEG 2000"
    case bmp = "BMP"
    case tiff = "TIFF"
    case ico = "ICO"
    case svg = "SVG"
    case psd = "Photoshop"

    /// The formats that can be decoded.
    public static let decoded: [ImageFormat] = [.jpeg, .png, .webp, .avif, .gif, .jpegXL]

    /// The name in options, JSON and media types, such as "jpeg" or "jxl".
    public var name: String { self == .jpegXL ? "jxl" : self.rawValue.lowercased() }

    /// Whether a service decodes the format only in worker processes.
    public var needsWorker: Bool { self.decoding.needsWorker }

    /// The number of bytes that suffices to recognise any format.
    public static let prefixLength = 512

    /// Recognises the format of `bytes`; `nil` if they are not a picture.
    public init?(recognising bytes: RawSpan) {
        guard let format = bytes.withUnsafeBytes({ Self.recognise(FilePrefix($0)) }) else { return nil }
        self = format
    }

    private static func recognise(_ prefix: FilePrefix) -> ImageFormat? {
        if prefix.has([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if prefix.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if prefix.has("RIFF"), prefix.has("WEBP", at: 8) { return .webp }
        if prefix.has("GIF87a") || prefix.has("GIF89a") { return .gif }
        if prefix.has("ftyp", at: 4) { return self.brand(prefix) }
        if prefix.has([0xFF, 0x0A]) || prefix.has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) { return .jpegXL }
        if prefix.has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || prefix.has([0xFF, 0x4F, 0xFF, 0x51]) {
            return .jpeg2000
        }
        // A BMP's bytes 6...9 are reserved and zero; "BM" alone begins many a text.
        if prefix.has("BM"), prefix.has([0, 0, 0, 0], at: 6) { return .bmp }
        if prefix.has([0x49, 0x49, 0x2A, 0x00]) || prefix.has([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
        if prefix.has([0, 0, 1, 0]) { return .ico }
        if prefix.has("8BPS") { return .psd }
        let text = prefix.text
        // An HTML page may contain an SVG.
        return text.contains("<svg") && !text.hasPrefix("<!doctype html") && !text.contains("<html") ? .svg : nil
    }

    /// ISO base media files name their format in the major brand and in the compatible brands after it.
    private static func brand(_ prefix: FilePrefix) -> ImageFormat? {
        var heif = false
        for offset in stride(from: 8, to: min(64, prefix.count), by: 4) where offset != 12 {
            if prefix.has("avif", at: offset) || prefix.has("avis", at: offset) { return .avif }
            for brand in ["heic", "heix", "heim", "hevc", "hevx", "mif1", "msf1"] where prefix.has(brand, at: offset) {
                heif = true
            }
        }
        return heif ? .heic : nil
    }
}
