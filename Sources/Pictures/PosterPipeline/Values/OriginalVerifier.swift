import CodecWorkers
public import PosterCodec

/// Verifies that bytes are a complete picture within the limits.
public struct OriginalVerifier: Sendable {
    private let limits: CodecLimits

    /// - Parameter limits: The limits of originals.
    public init(limits: CodecLimits = .init()) {
        self.limits = limits
    }

    /// Reads the header and walks to the end of the image; decodes a file without a proper end.
    package func verify(_ bytes: LoadedBytes) throws(PosterError) -> ImageHeader {
        do {
            let control = RenderControl(cpuTime: WorkerTime.nanoseconds)
            return try bytes.withSpan { (span) throws(CodecError) in
                try inspect(span, limits: self.limits, control: control)
            }
        } catch {
            throw PosterError(error)
        }
    }

    /// Probes the header while bytes arrive; does not replace verification.
    package func makeIncrementalProbe() -> IncrementalProbe {
        IncrementalProbe(limits: self.limits)
    }
}
