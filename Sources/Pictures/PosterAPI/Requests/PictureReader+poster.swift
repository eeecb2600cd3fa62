import HTTPSemantics
import PosterCodec
import PosterPipeline

/// `/poster/{id}?w=368&fit=cover…` and `/proxy?url=…&w=368…`
extension PictureReader {
    private static let known = ["w", "h", "fit", "position", "dpr", "format", "q", "bg", "v"]
    private static let names = "w, h, fit, position, dpr, format, q, bg and v"

    func poster(
        _ id: PosterID, _ signature: PictureSignature, _ headers: PictureHeaders
    ) throws(Problem) -> PosterQuery {
        let parameters = try PictureParameters(signature.others, known: Self.known, names: Self.names)
        return try self.query(id, parameters, headers, apart: ["v"])
    }

    func remote(_ signature: PictureSignature, _ headers: PictureHeaders) throws(Problem) -> PosterQuery {
        let parameters = try PictureParameters(
            signature.others, known: Self.known + ["url"], names: "url, " + Self.names)
        guard let url = parameters["url"] else {
            throw Problem(.invalidParameter, "url is missing: the picture's own, percent-encoded once")
        }
        let id = try self.remoteID(url, isSigned: signature.isValid)
        return try self.query(id, parameters, headers, apart: ["v", "url"])
    }

    /// - Parameter apart: The parameters that say nothing of the pixels.
    private func query(
        _ id: PosterID, _ parameters: PictureParameters, _ headers: PictureHeaders, apart: Set<String>
    ) throws(Problem) -> PosterQuery {
        let version = try parameters.version()
        let hints = self.policy.usesHints ? headers.hints : ClientHints()
        var query: PosterQuery
        if !parameters.hasOthers(than: apart), hints.width == nil {
            query = PosterQuery(request: PosterRequest(id: id, rendition: .original))
            if self.policy.usesHints { query.variance = .width }
        } else {
            let format = try PictureFormat(parameters, negotiated: headers.format)
            let box = try PictureBox(parameters, hints: hints, policy: self.policy)
            let quality = try PictureQuality(parameters, hints: hints, format: format, policy: self.policy)
            let wanted = RenderTarget(
                width: box.width, height: box.height, fit: try parameters.choice("fit") ?? .contain,
                position: try parameters.choice("position") ?? .center, format: format.format, quality: quality.quality,
                background: try parameters.value(
                    "bg", accepted: RenderTarget.Background.forms, RenderTarget.Background.init(hex:)) ?? .white,
                effort: self.policy.effort)
            query = PosterQuery(request: PosterRequest(id: id, rendition: .variant(wanted)))
            query.variance = [format.variance, box.variance, quality.variance]
        }
        query.version = version
        return query
    }
}
