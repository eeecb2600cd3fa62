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
    /// - Parameter wasVerified: Whether these very bytes were walked before; then only as much is read as tells the header:
    ///   the beginning of a JPEG, while PNG and WebP may have their orientation at the end.
    /// - Throws: ``PosterError``.
    public func verify(_ bytes: OriginalBytes, wasVerified: Bool = false) throws(PosterError) -> ImageHeader {
        do {
            return try bytes.withSpan { (span) throws(CodecError) in
                if wasVerified, case .header(let header) = try probe(span), header.format == .jpeg { return header }
                return try inspect(span, limits: self.limits)
            }
        } catch {
            throw PosterError(error)
        }
    }

    /// Reads the header of an original while it arrives. What it lets pass is verified all the same.
    public func makeIncrementalProbe() -> IncrementalProbe {
        IncrementalProbe(limits: self.limits)
    }
}
