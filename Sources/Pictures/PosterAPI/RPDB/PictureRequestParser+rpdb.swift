import PosterCodec
import PosterPipeline

extension PictureRequestParser {
    /// The request for a picture at RPDB's path. Client hints have no effect; `--widths` has none, as for TMDB's sizes:
    /// there are a few boxes.
    ///
    /// - Parameter negotiated: The formats that `Accept` selects; `nil` for JPEG, and PNG for logos, which have alpha.
    func rpdb(
        _ asked: RPDBRequest, _ picture: RPDBPicture, badges: BadgeRequest?, negotiated: FormatChoice?
    ) -> PictureRequest {
        let isLogo = asked.kind == .logo
        let format =
            if let negotiated {
                NegotiatedFormat(
                    negotiated: isLogo && !negotiated.format.hasAlpha
                        ? FormatChoice(.png, preferred: negotiated.preferred) : negotiated)
            } else {
                NegotiatedFormat(isLogo ? .png : .jpeg)
            }
        let quality = NegotiatedQuality(nil, hints: ClientHints(), format: format, policy: self.policy)
        let wanted = RenderTarget(
            width: asked.box.width, height: asked.box.height, fit: isLogo ? .contain : .cover, format: format.format,
            effort: self.policy.effort)
        var query = PictureRequest(
            request: PosterRequest(id: picture.id, wanted, format, quality),
            badges: asked.kind.hasBadges ? badges : nil)
        query.vary = format.vary
        query.lastsAsScores = true
        return picture.scores.map(query.drawingOwn) ?? query
    }
}
