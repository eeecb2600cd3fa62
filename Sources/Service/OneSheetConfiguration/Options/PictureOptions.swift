import ArgumentParser

/// What clients may ask for, for commands that serve or act for those who do.
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
