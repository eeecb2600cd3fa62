import HTTPSemantics
import PosterCodec
import PosterPipeline

/// `/_next/image?url=…&w=640&q=75`: what the default image loader of Next.js asks its own server for.
extension PictureReader {
    func nextImage(_ signature: PictureSignature, _ headers: PictureHeaders) throws(Problem) -> PosterQuery {
        let parameters = try PictureParameters(
            signature.others, known: ["url", "w", "q"], names: "url, w and q")
        guard let url = parameters["url"] else {
            throw Problem(.invalidParameter, "url is missing: an absolute URL, or /poster/{id}, percent-encoded once")
        }
        // As in Next.js; without it the loader's answer would be as large as somebody's original.
        guard let width = try parameters.side("w") else {
            throw Problem(.invalidParameter, "w is missing: the width in pixels")
        }
        let id =
            url.utf8.first == UInt8(ascii: "/")
            ? try Self.localID(url) : try self.remoteID(url, isSigned: signature.isValid)
        let format = PictureFormat(negotiated: headers.format)
        // Without q each format has its own default; 75 of Next.js is its encoder's.
        let quality = PictureQuality(
            try parameters.quality(), hints: self.policy.usesHints ? headers.hints : ClientHints(), format: format,
            policy: self.policy)
        let wanted = RenderTarget(
            width: try self.policy.ladder?.width(for: width) ?? width, format: format.format, quality: quality.quality,
            effort: self.policy.effort)
        var query = PosterQuery(request: PosterRequest(id: id, rendition: .variant(wanted)))
        query.variance = [format.variance, quality.variance]
        return query
    }

    /// A path of this very server; `//host/…` is another's.
    private static func localID(_ path: String) throws(Problem) -> PosterID {
        let target = RequestTarget(path)
        guard !path.utf8.contains(UInt8(ascii: "?")), !path.utf8.contains(UInt8(ascii: "#")),
            case .poster(let id)? = PictureLanguage(target)
        else {
            throw Problem(
                .invalidParameter, "url must be an absolute http or https URL, or /poster/{id} without a query")
        }
        return try PosterQuery.posterID(id)
    }
}
