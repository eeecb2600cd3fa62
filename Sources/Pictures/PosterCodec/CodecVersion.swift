import CPosterCodecs

/// The version of everything that, apart from the original and the plan, determines the rendered bytes.
public enum CodecVersion {
    /// Raise it with every change that gives other pixels or bytes for the same plan.
    private static let codecRevision = 8

    /// The versions of this code and of its libraries, for example
    /// "8-jpeg2.1.5-png1.6.39-zlib1.2.13-webp1.2.4-avif0.11.1-aom3.6.0-jxl0.7.0-lcms2140". The bytes of a JPEG XL
    /// depend on the CPU, too: see ``version(of:)``.
    public static let current: String = {
        let webp = poster_webp_encoder_version()
        let jpeg = String(cString: poster_jpeg_version())
        // zlib determines the bytes of a PNG.
        let png = "\(String(cString: poster_png_version()))-zlib\(String(cString: poster_zlib_version()))"
        let webpName = "\(webp >> 16).\(webp >> 8 & 0xff).\(webp & 0xff)"
        let avif = "\(String(cString: poster_avif_version()))-aom\(Self.aom)"
        let jxl = poster_jxl_encoder_version()
        let jxlName = "\(jxl / 1_000_000).\(jxl / 1000 % 1000).\(jxl % 1000)"
        let lcms = poster_colour_version()
        return "\(Self.codecRevision)-jpeg\(jpeg)-png\(png)-webp\(webpName)-avif\(avif)-jxl\(jxlName)-lcms\(lcms)"
    }()

    /// The version of renders in a format, which is part of every ETag: ``current``, for JPEG XL followed by "-fma" on
    /// a CPU that rounds fused multiplications once.
    public static func version(of format: OutputFormat) -> String { format == .jxl ? self.jxl : self.current }

    /// The version of renders of an original: the decoders of JPEG XL, and of WebP on arm64, give other pixels in places.
    public static func version(of format: OutputFormat, from original: ImageFormat) -> String {
        #if arch(arm64)
            if original == .webp { return self.version(of: format) + "-neon" }
        #endif
        return original == .jpegXL ? self.jxl : self.version(of: format)
    }

    private static let jxl = current + (poster_jxl_encoder_is_fused() != 0 ? "-fma" : "")

    /// aom determines the bytes of an AVIF; libavif loads it.
    private static var aom: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
            poster_avif_aom_version(text.baseAddress!, text.count)
            return String(cString: text.baseAddress!)
        }
    }

    /// The resampling kernel of this CPU: "avx2", "neon" or "portable". All give the same pixels.
    public static var kernels: String {
        ResampleKernel.fastest.rawValue
    }
}
