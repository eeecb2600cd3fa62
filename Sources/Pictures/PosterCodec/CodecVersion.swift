import CPosterCodecs

/// What decides, beside the original and the request, which bytes come out.
public enum CodecVersion {
    /// Raise it whenever the same plan gives other pixels or other bytes than before.
    private static let codecRevision = 3

    /// Names this code and the libraries under it, for example "3-jpeg2.1.5-png1.6.39-zlib1.2.13-webp1.2.4-lcms2140". It is
    /// part of every ETag.
    public static let current: String = {
        let webp = poster_webp_encoder_version()
        let jpeg = String(cString: poster_jpeg_version())
        // zlib, because it decides how many bytes a PNG has.
        let png = "\(String(cString: poster_png_version()))-zlib\(String(cString: poster_zlib_version()))"
        let webpName = "\(webp >> 16).\(webp >> 8 & 0xff).\(webp & 0xff)"
        return "\(Self.codecRevision)-jpeg\(jpeg)-png\(png)-webp\(webpName)-lcms\(poster_colour_version())"
    }()

    /// Which inner loops this CPU runs: "avx2" or "portable". Both give the same pixels.
    public static var kernels: String {
        ResampleKernel.fastest.rawValue
    }
}
