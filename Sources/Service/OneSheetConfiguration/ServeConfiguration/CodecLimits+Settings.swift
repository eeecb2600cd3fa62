import PosterCodec

extension CodecLimits {
    /// The limits of a command that reads files of this machine: the file's size is limited, too.
    ///
    /// - Throws: ``SettingError``.
    package init(ofFiles settings: Settings) throws {
        try self.init(settings)
        if let value = try settings.byteCount("max-bytes") { self.maxBytes = value }
    }

    /// The limits as configured; the same options for every command that decodes.
    ///
    /// - Throws: ``SettingError``.
    init(_ settings: Settings) throws {
        self.init()
        if let value = try settings.number("max-width", in: 1...1 << 31) { self.maxWidth = value }
        if let value = try settings.number("max-height", in: 1...1 << 31) { self.maxHeight = value }
        if let value = try settings.number("max-pixels", in: 1...1 << 32) { self.maxPixels = value }
        if let value = try settings.number("max-frames", in: 1...1_000_000) { self.maxFrames = value }
        if let value = try settings.number("max-scans", in: 1...10_000) { self.maxScans = value }
        if let value = try settings.byteCount("max-chunk-bytes") { self.maxChunkBytes = value }
        if let value = try settings.number("max-chunks", in: 1...100_000_000) { self.maxChunks = value }
        if let value = try settings.number("max-prefix-code-groups", in: 1...65536) {
            self.maxPrefixCodeGroups = value
        }
        if let value = try settings.byteCount("max-profile-bytes") { self.maxProfileBytes = value }
        if let value = try settings.byteCount("max-render-memory") { self.maxWorkingBytes = value }
        if let value = try settings.seconds("max-render-time", in: 0.001...3600) {
            self.maxCPUNanoseconds = UInt64(value / .nanoseconds(1))
        }
    }
}
