import HTTPSemantics
import PosterCodec
import PosterPipeline

/// Parses requests for pictures, at every path of ``PictureRoute``, into a ``PictureRequest``. Synchronous.
package struct PictureRequestParser: Sendable {
    package let policy: PicturePolicy
    package let languages: PosterLanguages
    /// The policy's number, counted by ``ReloadablePicturePolicy``.
    package let generation: UInt64

    /// - Parameter now: The time against which signatures expire, in seconds since 1970.
    /// - Returns: `nil` if the path is not a picture's.
    /// - Throws: ``Problem`` that names the invalid part and the accepted values.
    func parse(_ target: RequestTarget, headers: PictureRequestHeaders, now: Int64) throws(Problem) -> PictureRequest? {
        guard let language = PictureRoute(target) else { return nil }
        let signature = try self.policy.signature(of: target, now: now)
        var query: PictureRequest
        switch language {
        case .poster(let id): query = try self.poster(PictureRequest.posterID(id), signature, headers)
        case .tmdb(let size, let file): query = try self.tmdbImage(size: size, file: file, headers)
        case .next: query = try self.nextImage(signature, headers)
        case .proxy: query = try self.remote(signature, headers)
        }
        query.offersHints = self.policy.usesHints
        query.expires = signature.expires
        return query
    }

    /// - Throws: ``Problem`` unless the policy or the signature allows the URL.
    func remoteID(_ text: String, isSigned: Bool) throws(Problem) -> PosterID {
        let url: RemoteURL
        let id: PosterID
        do throws(RemoteURL.Malformed) {
            url = try RemoteURL(text)
        } catch {
            throw Problem(.invalidParameter, "url \(error.reason); it must be an absolute http or https URL")
        }
        guard isSigned || self.policy.allows(url) else {
            throw Problem(
                .urlNotAllowed,
                "the URL is allowed neither by --allow-url nor a signature; --allow-url must end with '?' for a query"
            )
        }
        do throws(PosterID.Malformed) {
            id = try PosterID(source: PosterID.urlSource, key: url.text)
        } catch {
            throw Problem(.invalidParameter, "url cannot be used: \(error.reason)")
        }
        return id
    }
}

/// `/poster/{id}?w=368&fit=cover…` and `/proxy?url=…&w=368…`
extension PictureRequestParser {
    private static let known = ["w", "h", "fit", "position", "dpr", "format", "q", "bg", "v"]
    /// The language of the title card that replaces a poster that fails.
    static let card = "card"
    private static let names = "w, h, fit, position, dpr, format, q, bg and v"

    func poster(
        _ id: PosterID, _ signature: PictureSignature, _ headers: PictureRequestHeaders
    ) throws(Problem) -> PictureRequest {
        let parameters = try QueryParameters(
            signature.others, known: Self.known + PosterSelection.names + [Self.card] + BadgeRequest.names,
            names: "language, textless, card, \(BadgeRequest.names.joined(separator: ", ")), " + Self.names)
        let id = try self.languages.id(id, PosterSelection(parameters))
        let badges = try BadgeRequest(
            parameters, isTextAllowed: signature.isValid || self.policy.allowsBadgeTexts)
        var query = try self.query(
            id, parameters, headers, apart: ["v", Self.card] + PosterSelection.names, badges: badges)
        query.card = try parameters.language(Self.card)
        return query
    }

    func remote(_ signature: PictureSignature, _ headers: PictureRequestHeaders) throws(Problem) -> PictureRequest {
        let parameters = try QueryParameters(
            signature.others, known: Self.known + ["url"], names: "url, " + Self.names)
        guard let url = parameters["url"] else {
            throw Problem(.invalidParameter, "url is missing: specify the picture's URL, percent-encoded once")
        }
        let id = try self.remoteID(url, isSigned: signature.isValid)
        return try self.query(id, parameters, headers, apart: ["v", "url"])
    }

    /// - Parameter apart: The parameters that do not select pixels: with these alone the original is served.
    private func query(
        _ id: PosterID, _ parameters: QueryParameters, _ headers: PictureRequestHeaders, apart: [String],
        badges: BadgeRequest? = nil
    ) throws(Problem) -> PictureRequest {
        let version = try parameters.version()
        let hints = self.policy.usesHints ? headers.hints : ClientHints()
        var query: PictureRequest
        if !parameters.hasOthers(than: Set(apart)), hints.width == nil {
            query = PictureRequest(request: PosterRequest(id: id, rendition: .original))
            if self.policy.usesHints { query.vary = .width }
        } else {
            let format = try NegotiatedFormat(parameters, negotiated: headers.formats)
            let box = try NegotiatedBox(parameters, hints: hints, policy: self.policy)
            let quality = try NegotiatedQuality(parameters, hints: hints, format: format, policy: self.policy)
            let wanted = RenderTarget(
                width: box.width, height: box.height, fit: try parameters.choice("fit") ?? .contain,
                position: try parameters.choice("position") ?? .center, format: format.format,
                background: try parameters.value(
                    "bg", accepted: RenderTarget.Background.forms, RenderTarget.Background.init(hex:)) ?? .white,
                effort: self.policy.effort)
            query = PictureRequest(request: PosterRequest(id: id, wanted, format, quality), badges: badges)
            query.vary = [format.vary, box.vary, quality.vary]
        }
        query.version = version
        return query
    }
}

/// `/_next/image?url=…&w=640&q=75`: the URLs of Next.js's default image loader.
extension PictureRequestParser {
    func nextImage(_ signature: PictureSignature, _ headers: PictureRequestHeaders) throws(Problem) -> PictureRequest {
        let parameters = try QueryParameters(
            signature.others, known: ["url", "w", "q"], names: "url, w and q")
        guard let url = parameters["url"] else {
            throw Problem(
                .invalidParameter, "url is missing: specify an absolute URL, or /poster/{id}, percent-encoded once")
        }
        // Required, as in Next.js: without it the response would have the original's size.
        guard let width = try parameters.side("w") else {
            throw Problem(.invalidParameter, "w is missing: specify the width in pixels")
        }
        let id =
            url.utf8.first == UInt8(ascii: "/")
            ? try Self.localID(url) : try self.remoteID(url, isSigned: signature.isValid)
        let format = NegotiatedFormat(negotiated: headers.formats)
        // Without q each format's own default applies, not Next.js's 75.
        let quality = NegotiatedQuality(
            try parameters.quality(), hints: self.policy.usesHints ? headers.hints : ClientHints(), format: format,
            policy: self.policy)
        let wanted = RenderTarget(
            width: try self.policy.ladder?.width(for: width) ?? width, format: format.format,
            effort: self.policy.effort)
        var query = PictureRequest(request: PosterRequest(id: id, wanted, format, quality))
        query.vary = [format.vary, quality.vary]
        return query
    }

    /// The poster at a path of this server; `//host/…` refers to another server and is rejected.
    private static func localID(_ path: String) throws(Problem) -> PosterID {
        let target = RequestTarget(path)
        guard !path.utf8.contains(UInt8(ascii: "?")), !path.utf8.contains(UInt8(ascii: "#")),
            case .poster(let id)? = PictureRoute(target)
        else {
            throw Problem(
                .invalidParameter, "url must be an absolute http or https URL, or /poster/{id} without a query")
        }
        return try PictureRequest.posterID(id)
    }
}
