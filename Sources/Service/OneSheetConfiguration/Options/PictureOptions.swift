import ArgumentParser

/// Options about which pictures clients may request.
struct PictureOptions: ParsableArguments {
    @Option(
        help: """
            The only widths that pictures have, dpr included: 1 to 64 numbers of pixels, ascending, separated by commas. \
            Others are refused. Default: any width
            """)
    var widths: String?

    @Option(
        help: """
            The only heights that can be asked for, in the form of --widths, which it needs. With --widths alone none can be \
            but TMDB's own, h632. Default: any without --widths
            """)
    var heights: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Take other widths up to the next of --widths, and other heights to that of --heights. Default: no")
    var snapWidths: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Heed Sec-CH-DPR, Sec-CH-Width and Save-Data where the URL says nothing. Default: no")
    var clientHints: Bool?

    @Option(
        help: """
            File with the keys that sign URLs, one a line of 16 to 512 bytes; the first signs, all verify. Without it there \
            are no signatures.
            """)
    var signKeyFile: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Want a signature for every picture, not only of URLs that no --allow-url allows. Default: no")
    var requireSignatures: Bool?

    @Option(
        name: .customLong("allow-url"),
        help: """
            https://host[:port][/path][?], repeatable: /proxy and /_next/image make pictures of URLs below it without a \
            signature. Only with the question mark at its end may such a URL have a query. In the environment separated by \
            commas.
            """)
    var allowedURLs: [String] = []

    @Option(
        help: "Where /t/p has its originals; off for no /t/p. Default: https://image.tmdb.org/t/p/original/{key}")
    var tmdbImages: String?

    /// What was given on the command line, by option name.
    var given: [String: [String]] {
        var given: [String: [String]] = [:]
        given["widths"] = self.widths.map { [$0] }
        given["heights"] = self.heights.map { [$0] }
        given["snap-widths"] = self.snapWidths.map { ["\($0)"] }
        given["client-hints"] = self.clientHints.map { ["\($0)"] }
        given["sign-key-file"] = self.signKeyFile.map { [$0] }
        given["require-signatures"] = self.requireSignatures.map { ["\($0)"] }
        given["tmdb-images"] = self.tmdbImages.map { [$0] }
        if !self.allowedURLs.isEmpty { given["allow-url"] = self.allowedURLs }
        return given
    }
}

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
