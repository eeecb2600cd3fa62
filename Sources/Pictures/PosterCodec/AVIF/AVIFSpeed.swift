/// libavif's "speed" of aom. A call cannot be stopped, so larger pictures are encoded at higher speeds.
enum AVIFSpeed: UInt32, CaseIterable {
    case six = 6
    case seven = 7
    case eight = 8
    case nine = 9

    /// Maximum duration of one call for a typical picture, in nanoseconds, unless the client asked for AVIF.
    static let mostNanoseconds = 250_000_000

    /// The duration of a call per pixel in nanoseconds: the median of posters, measured with `poster-bench formats`.
    /// Noise takes twice as long, flat colours half as long.
    var nanosecondsPerPixel: Int {
        switch self {
        case .six: 500
        case .seven: 270
        case .eight: 180
        case .nine: 60
        }
    }

    /// Maximum number of pixels within ``mostNanoseconds``.
    var mostPixels: Int { Self.mostNanoseconds / self.nanosecondsPerPixel }

    /// The slowest speed that the effort allows within ``mostNanoseconds``; the fastest for larger pictures.
    init(for size: OutputSize, encoding: EncodingEffort) {
        let slowest: AVIFSpeed = encoding == .refined ? .six : .eight
        self = Self.allCases.first { $0.rawValue >= slowest.rawValue && size.pixels <= $0.mostPixels } ?? .nine
    }

    /// Throws ``CodecError/tooManyPixels(_:limit:)`` if the call is expected to exceed the limit of CPU time.
    func check(_ size: OutputSize, _ limits: CodecLimits) throws(CodecError) {
        let limit = Int(clamping: limits.maxCPUNanoseconds) / self.nanosecondsPerPixel
        guard size.pixels <= limit else { throw .tooManyPixels(size.pixels, limit: limit) }
    }
}

extension CodecLimits {
    /// Maximum number of pixels of an AVIF that the client has not asked for: at speed 8, encoding takes 250 ms, during
    /// which it cannot be stopped. Larger pictures need speed 9, at which AVIF has no fewer bytes than WebP.
    public static let maxAutomaticAVIFPixels = AVIFSpeed.eight.mostPixels
}

extension OutputSize {
    /// Whether a picture of this size may be an AVIF without an explicit request.
    public var allowsAutomaticAVIF: Bool { self.pixels <= CodecLimits.maxAutomaticAVIFPixels }
}
