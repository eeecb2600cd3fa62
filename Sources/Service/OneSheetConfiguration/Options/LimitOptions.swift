import ArgumentParser

/// The limits of originals, which all commands that decode share.
package struct LimitOptions: ParsableArguments {
    @Option(help: "Largest width of an original in pixels. Default: 65500")
    var maxWidth: String?

    @Option(help: "Largest height of an original in pixels. Default: 65500")
    var maxHeight: String?

    @Option(help: "Largest width × height of an original. Default: 100000000")
    var maxPixels: String?

    @Option(help: "Most frames of an animation, of which the first is shown. Default: 10000")
    var maxFrames: String?

    @Option(help: "Most scans of a JPEG. Default: 100")
    var maxScans: String?

    @Option(help: "Largest chunk of a PNG that is not picture data. Default: 8MiB")
    var maxChunkBytes: String?

    @Option(help: "Most chunks of a PNG or WebP. Default: 100000")
    var maxChunks: String?

    @Option(help: "Most prefix-code groups of a WebP's lossless data. Default: 4096")
    var maxPrefixCodeGroups: String?

    @Option(help: "Largest ICC profile. Default: 4MiB")
    var maxProfileBytes: String?

    @Option(help: "Most memory that one render may need, estimated from the header. Default: 256MiB")
    var maxRenderMemory: String?

    @Option(help: "Seconds of CPU time that one render may take. Default: 5")
    var maxRenderTime: String?

    package init() {}

    /// What was given on the command line, by option name.
    package var given: [String: [String]] {
        let all: [(String, String?)] = [
            ("max-width", self.maxWidth), ("max-height", self.maxHeight), ("max-pixels", self.maxPixels),
            ("max-frames", self.maxFrames), ("max-scans", self.maxScans), ("max-chunk-bytes", self.maxChunkBytes),
            ("max-chunks", self.maxChunks), ("max-prefix-code-groups", self.maxPrefixCodeGroups),
            ("max-profile-bytes", self.maxProfileBytes),
            ("max-render-memory", self.maxRenderMemory), ("max-render-time", self.maxRenderTime),
        ]
        return Dictionary(uniqueKeysWithValues: all.compactMap { name, value in value.map { (name, [$0]) } })
    }
}
