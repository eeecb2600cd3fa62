/// libavif's "speed" of aom, of which a call cannot be stopped: the larger the picture, the faster it is encoded.
enum AVIFSpeed: UInt32, CaseIterable {
    case six = 6
    case seven = 7
    case eight = 8
    case nine = 9

    /// The most time of one call for a typical picture that was not asked for as AVIF, in nanoseconds.
    static let mostNanoseconds = 250_000_000

    /// The time of a call per pixel in nanoseconds, the median of posters as measured with `poster-bench formats`. Noise
    /// takes twice as long, flat colours half as long.
    var nanosecondsPerPixel: Int {
        switch self {
        case .six: 500
        case .seven: 270
        case .eight: 180
        case .nine: 60
        }
    }

    /// The most pixels that take no more than ``mostNanoseconds``.
    var mostPixels: Int { Self.mostNanoseconds / self.nanosecondsPerPixel }

    /// The slowest speed that the effort allows and that takes no more than ``mostNanoseconds``; the fastest for larger
    /// pictures.
    init(for size: OutputSize, encoding: EncodingEffort) {
        let slowest: AVIFSpeed = encoding == .refined ? .six : .eight
        self = Self.allCases.first { $0.rawValue >= slowest.rawValue && size.pixels <= $0.mostPixels } ?? .nine
    }

    /// Throws ``CodecError/tooManyPixels(_:limit:)`` for a picture of which the call is expected to exceed the CPU time.
    func check(_ size: OutputSize, _ limits: CodecLimits) throws(CodecError) {
        let limit = Int(clamping: limits.maxCPUNanoseconds) / self.nanosecondsPerPixel
        guard size.pixels <= limit else { throw .tooManyPixels(size.pixels, limit: limit) }
    }
}

extension CodecLimits {
    /// The most pixels of an AVIF that no request names: at speed 8, encoding takes 250 ms, during which it cannot be
    /// stopped. At speed 9, which is left for larger ones, AVIF has no fewer bytes than WebP.
    public static let maxAutomaticAVIFPixels = AVIFSpeed.eight.mostPixels
}

extension OutputSize {
    /// Whether a picture of this size may be an AVIF without being asked for as one.
    public var allowsAutomaticAVIF: Bool { self.pixels <= CodecLimits.maxAutomaticAVIFPixels }
}
