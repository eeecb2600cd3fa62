public import PosterCodec

/// Decides whether bytes are an original that may be kept and served.
public struct OriginalVerifier: Sendable {
    private let limits: CodecLimits

    /// - Parameter limits: What an original may ask for.
    public init(limits: CodecLimits = .init()) {
        self.limits = limits
    }

    /// Reads the header and walks to the end of the image.
    ///
    /// - Throws: ``PosterError``.
    public func verify(_ bytes: LoadedBytes) throws(PosterError) -> ImageHeader {
        do {
            return try bytes.withSpan { (span) throws(CodecError) in try inspect(span, limits: self.limits) }
        } catch {
            throw PosterError(error)
        }
    }

    /// Reads the header of an original while it arrives. What it lets pass is verified all the same.
    public func makeIncrementalProbe() -> IncrementalProbe {
        IncrementalProbe(limits: self.limits)
    }
}
