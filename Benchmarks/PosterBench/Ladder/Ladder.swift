import PosterCodec

/// The variants that a catalogue needs of each poster.
struct Ladder {
    /// Widths from small to large, each in every format.
    let targets: [RenderTarget]

    /// The variants requested by the website: six widths in two formats.
    static let usual = Ladder(widths: [92, 154, 185, 342, 500, 780], formats: [.jpeg, .webp])

    init(widths: [Int], formats: [OutputFormat]) {
        self.targets = widths.flatMap { width in formats.map { RenderTarget(width: width, format: $0) } }
    }

    init(widths: String, formats: String) throws(BenchError) {
        var (sides, codings): ([Int], [OutputFormat]) = ([], [])
        for word in widths.split(separator: ",") {
            guard let width = Int(word), width >= 1 else { throw BenchError("--widths: '\(word)' is not a width") }
            sides.append(width)
        }
        for word in formats.split(separator: ",") {
            guard let format = OutputFormat(rawValue: String(word)) else {
                throw BenchError("--formats: unknown format '\(word)'; use avif, jpeg, webp or png")
            }
            codings.append(format)
        }
        guard !sides.isEmpty, !codings.isEmpty else { throw BenchError("--widths and --formats must not be empty") }
        self.init(widths: sides, formats: codings)
    }
}
