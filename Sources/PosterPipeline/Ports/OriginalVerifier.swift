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
    public func verify(_ bytes: OriginalBytes) throws(PosterError) -> ImageHeader {
        do {
            return try bytes.withSpan { (span) throws(CodecError) in try inspect(span, limits: self.limits) }
        } catch {
            throw PosterError(error)
        }
    }

    /// Reads the header only, of bytes that were verified before.
    ///
    /// - Throws: ``PosterError``.
    public func header(of bytes: OriginalBytes) throws(PosterError) -> ImageHeader {
        let answer: ProbeAnswer
        do {
            answer = try bytes.withSpan { (span) throws(CodecError) in try probe(span) }
        } catch {
            throw PosterError(error)
        }
        guard case .header(let header) = answer else { throw PosterError(.truncated) }
        return header
    }
}
