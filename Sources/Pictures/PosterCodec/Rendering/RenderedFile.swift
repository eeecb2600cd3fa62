/// A rendered picture with an encoded file that can be passed on without a copy.
public struct RenderedFile: ~Copyable, Sendable {
    /// The encoded file.
    public let bytes: EncodedBytes
    /// Measured with the control's clock.
    public let timings: StageTimings

    package init(bytes: consuming EncodedBytes, timings: StageTimings) {
        self.bytes = bytes
        self.timings = timings
    }

    /// Returns the file without the timings.
    public consuming func takeBytes() -> EncodedBytes { self.bytes }
}
