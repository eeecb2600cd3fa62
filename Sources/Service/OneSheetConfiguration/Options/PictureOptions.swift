import ArgumentParser

/// Options that restrict the pictures clients may request.
struct PictureOptions: ParsableArguments {
    @Option(help: "The only widths allowed, dpr included: 1 to 64, ascending, separated by commas. Default: any width")
    var widths: String?

    @Option(help: "The only heights allowed besides h632; needs --widths. Default: none with --widths, else any")
    var heights: String?

    @Flag(inversion: .prefixedNo, help: "Round other widths and heights up to the next allowed one. Default: no")
    var snapWidths: Bool?

    @Flag(inversion: .prefixedNo, help: "Use Sec-CH-DPR, Sec-CH-Width and Save-Data as defaults. Default: no")
    var clientHints: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Choose the encoder's quality per picture, so that all look equally like their originals, unless the URL \
            has a number as q. Otherwise: the same number for all pictures. Default: yes
            """)
    var likeness: Bool?

    @Option(
        help: """
            Formats that Accept may select without format=, the first of equal weights: any of jxl, avif, webp \
            and jpeg, which is the fallback. Default: jxl before avif before webp before jpeg
            """)
    var formats: String?

    @Option(
        help: "File with the keys that sign URLs, one a line of 16 to 512 bytes; the first signs, all verify.",
        completion: .file())
    var signKeyFile: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Require a signature for every picture, not only for URLs outside --allow-url. Default: no")
    var requireSignatures: Bool?

    @Option(
        help: """
            https://host[:port][/path][?], repeatable: /proxy and /_next/image accept URLs below it without a \
            signature. Only with the question mark may URLs have a query. Separated by commas in the environment.
            """)
    var allowUrl: [String] = []

    @Flag(inversion: .prefixedNo, help: "Accept text= of badges without a signature. Default: no")
    var badgeText: Bool?

    @Option(
        help: """
            Font file of badges, repeatable: the first one that has a character draws it. Default: a font of the \
            package or the system
            """,
        completion: .file())
    var badgeFont: [String] = []

    @Option(help: "Template of the originals of /t/p, or off. Default: https://image.tmdb.org/t/p/original/{key}")
    var tmdbImages: String?

    @Option(
        help:
            "Template of the thumbnails of videos at YouTube, or off. Default: https://i.ytimg.com/vi/{key}/hqdefault.jpg"
    )
    var videoThumbnails: String?
}

/// Limits of originals, shared by all commands that decode.
package struct LimitOptions: ParsableArguments {
    @Option(
        help: """
            Formats of originals that are decoded: any of \(InputFormats.names), separated by commas. Default: all of them
            """)
    var inputFormats: String?

    @Option(help: "Largest width of an original in pixels. Default: 65500")
    var maxWidth: String?

    @Option(help: "Largest height of an original in pixels. Default: 65500")
    var maxHeight: String?

    @Option(help: "Largest width × height of an original. Default: 100000000")
    var maxPixels: String?

    @Option(help: "Maximum frames of an animation; the first one is shown. Default: 10000")
    var maxFrames: String?

    @Option(help: "Maximum scans of a JPEG. Default: 100")
    var maxScans: String?

    @Option(help: "Largest chunk of a PNG that is not picture data. Default: 8MiB")
    var maxChunkBytes: String?

    @Option(
        help: """
            Maximum chunks of a PNG or WebP, blocks of a GIF, and boxes of an AVIF, HEIC or JPEG XL. Default: 100000
            """)
    var maxChunks: String?

    @Option(help: "Maximum prefix-code groups of a WebP's lossless data. Default: 4096")
    var maxPrefixCodeGroups: String?

    @Option(help: "Maximum cells of the grid of an AVIF or HEIC. Default: 256")
    var maxGridCells: String?

    @Option(help: "Maximum items of an AVIF or HEIC, and maximum properties of its items. Default: 1024")
    var maxItems: String?

    @Option(help: "Largest ICC profile. Default: 4MiB")
    var maxProfileBytes: String?

    @Option(help: "Maximum memory of one render, estimated from the header. Default: 256MiB")
    var maxRenderMemory: String?

    @Option(help: "Seconds of CPU time that one render may take. Default: 5")
    var maxRenderTime: String?

    package init() {}
}
