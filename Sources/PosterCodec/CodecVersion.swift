import CPosterCodecs

/// What decides, beside the original and the request, which bytes come out.
public enum CodecVersion {
    /// Raise it whenever the same plan gives other pixels or other bytes than before.
    private static let ours = 1

    /// Names this code and the libraries under it, for example "1-jpeg2.1.5-webp1.2.4". It is part of every ETag.
    public static let current: String = {
        let webp = poster_webp_encoder_version()
        let jpeg = String(cString: poster_jpeg_version())
        return "\(Self.ours)-jpeg\(jpeg)-webp\(webp >> 16).\(webp >> 8 & 0xff).\(webp & 0xff)"
    }()

    /// Which inner loops this CPU runs: "avx2" or "portable". Both give the same pixels.
    public static var kernels: String {
        ResampleKernel.fastest.rawValue
    }
}
