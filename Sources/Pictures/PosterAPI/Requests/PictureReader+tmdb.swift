import HTTPSemantics
import PosterCodec
import PosterPipeline

/// `/t/p/{size}/{file}`: the image paths of The Movie Database, so that its clients need nothing but another base URL.
extension PictureReader {
    /// TMDB's own, which a ladder does not take from its clients.
    private static let ownSizes: Set<Substring> = [
        "w45", "w92", "w154", "w185", "w300", "w342", "w500", "w780", "w1280", "h632",
    ]

    func tmdbImage(
        size: Substring, file: Substring, _ signature: PictureSignature, _ headers: PictureHeaders
    ) throws(Problem) -> PosterQuery {
        try self.checkTMDBImages()
        guard signature.others.isEmpty else {
            throw Problem(.invalidParameter, "this resource takes no parameters; its size is in the path")
        }
        let file = try TMDBImageFile(file)
        guard size != "original" else {
            return PosterQuery(request: PosterRequest(id: file.id, rendition: .original))
        }
        let side = try self.side(size)
        let format = PictureFormat(negotiated: file.format(negotiated: headers.format))
        let quality = PictureQuality(
            nil, hints: self.policy.usesHints ? headers.hints : ClientHints(), format: format, policy: self.policy)
        let wanted = RenderTarget(
            width: side.width, height: side.height, format: format.format, quality: quality.quality,
            effort: self.policy.effort)
        var query = PosterQuery(request: PosterRequest(id: file.id, rendition: .variant(wanted)))
        query.variance = [format.variance, quality.variance]
        return query
    }

    /// - Throws: ``Problem``, when they are not served.
    func checkTMDBImages() throws(Problem) {
        guard self.policy.servesTMDBImages else {
            throw Problem(.notFound, "this server has no pictures of The Movie Database's paths")
        }
    }

    private func side(_ size: Substring) throws(Problem) -> (width: Int?, height: Int?) {
        guard let letter = size.utf8.first, letter == UInt8(ascii: "w") || letter == UInt8(ascii: "h"),
            let pixels = PictureParameters.number(String(size.dropFirst())), PosterQuery.sides.contains(pixels)
        else {
            let sides = PosterQuery.sides
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
