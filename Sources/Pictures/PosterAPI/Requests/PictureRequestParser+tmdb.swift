import HTTPSemantics
import PosterCodec
import PosterPipeline

/// `/t/p/{size}/{file}`: the image paths of The Movie Database; its clients only need another base URL.
extension PictureRequestParser {
    /// TMDB's own sizes, which are served whatever the policy's ladder is.
    private static let ownSizes: Set<Substring> = [
        "w45", "w92", "w154", "w185", "w300", "w342", "w500", "w780", "w1280", "h632",
    ]

    func tmdbImage(
        size: Substring, file: Substring, _ signature: PictureSignature, _ headers: PictureRequestHeaders
    ) throws(Problem) -> PictureRequest {
        try self.checkTMDBImages()
        guard signature.others.isEmpty else {
            throw Problem(.invalidParameter, "this resource takes no parameters; its size is in the path")
        }
        let file = try TMDBImageFile(file)
        guard size != "original" else {
            return PictureRequest(request: PosterRequest(id: file.id, rendition: .original))
        }
        let side = try self.side(size)
        let format = NegotiatedFormat(negotiated: file.formats(negotiated: headers.formats))
        let quality = NegotiatedQuality(
            nil, hints: self.policy.usesHints ? headers.hints : ClientHints(), format: format, policy: self.policy)
        let wanted = RenderTarget(
            width: side.width, height: side.height, format: format.format, effort: self.policy.effort)
        var query = PictureRequest(request: PosterRequest(id: file.id, wanted, format, quality))
        query.vary = [format.vary, quality.vary]
        return query
    }

    /// - Throws: ``Problem``, unless the policy serves TMDB's images.
    func checkTMDBImages() throws(Problem) {
        guard self.policy.servesTMDBImages else {
            throw Problem(.notFound, "this server has no pictures of The Movie Database's paths")
        }
    }

    private func side(_ size: Substring) throws(Problem) -> (width: Int?, height: Int?) {
        guard let letter = size.utf8.first, letter == UInt8(ascii: "w") || letter == UInt8(ascii: "h"),
            let pixels = QueryParameters.number(String(size.dropFirst())), PictureRequest.sides.contains(pixels)
        else {
            let sides = PictureRequest.sides
            throw Problem(
                .invalidParameter,
                "the size must be original, or w or h and \(sides.lowerBound) to \(sides.upperBound) pixels, such as w342"
            )
        }
        let isWidth = letter == UInt8(ascii: "w")
        guard let ladder = self.policy.ladder, !Self.ownSizes.contains(size) else {
            return isWidth ? (pixels, nil) : (nil, pixels)
        }
        return isWidth ? (try ladder.width(for: pixels), nil) : (nil, try ladder.height(for: pixels))
    }
}

/// The last part of The Movie Database's image paths, such as `ojDg0PGvs6R9xYFodRct2kdI6wC.jpg`.
struct TMDBImageFile {
    private static let extensions = ["jpg", "png", "webp", "svg"]
    /// The longest name before the dot, in bytes.
    private static let nameLimit = 64

    let id: PosterID
    private let mayHaveAlpha: Bool

    /// - Parameter segment: As received: no allowed character needs percent-encoding.
    /// - Throws: ``Problem``.
    init(_ segment: Substring) throws(Problem) {
        let parts = segment.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...Self.nameLimit).contains(parts[0].count), parts[0].allSatisfy(Self.isOfName),
            let kind = Self.extensions.first(where: { $0.utf8.elementsEqual(parts[1]) })
        else { throw Self.malformed }
        do throws(PosterID.Malformed) {
            self.id = try PosterID(source: PosterID.tmdbImageSource, key: String(segment))
        } catch {
            throw Self.malformed
        }
        self.mayHaveAlpha = kind == "png" || kind == "svg"
    }

    /// The negotiated formats, with PNG in place of one that would lose a logo's transparency.
    func formats(negotiated: FormatChoice) -> FormatChoice {
        guard self.mayHaveAlpha, !negotiated.format.hasAlpha else { return negotiated }
        return FormatChoice(.png, preferred: negotiated.preferred)
    }

    private static var malformed: Problem {
        Problem(
            .invalidID,
            "the file must be 1 to \(Self.nameLimit) letters, digits, '-' and '_', and .jpg, .png, .webp or .svg")
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
