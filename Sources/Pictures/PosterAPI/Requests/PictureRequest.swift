import HTTPSemantics
import HTTPServer
import PosterCodec
package import PosterPipeline

/// A parsed request for a picture, of any ``PictureRoute``.
package struct PictureRequest: Hashable, Sendable {
    /// The accepted sides, in pixels, before and after the device pixel ratio is applied.
    package static let sides = CodecLimits.minTargetSide...CodecLimits.maxTargetSide

    private(set) var request: PosterRequest
    /// The badges to draw; `nil` without badges. ``request`` has them only after ``completed(by:)``.
    private(set) var badges: BadgeRequest?
    /// Whether ``PictureResolver`` must complete the request before it is answered.
    private(set) var needsFilm: Bool
    /// How long the badges stay the same.
    private(set) var badgeFreshness = BadgeFreshness.fixed
    /// Lifetime of the response in seconds, by the film's age; `nil` for the configured one.
    private(set) var badgeSeconds: Int64?
    /// Whether the response has the lifetime of its scores, if all are known.
    var lastsAsScores = false
    /// The fields that the response depends on besides the URL.
    var vary: VaryFields = []
    /// Whether the response invites client hints (`Accept-CH`).
    var offersHints = false
    /// The URL's version: the first 8 to 64 digits of the original's digest, in lower case; `nil` without one.
    var version: String?
    /// The language of the title card that replaces a picture that fails; `nil` for an error.
    var card: String?
    /// When the request's signature expires, in seconds since 1970; `nil` if never.
    var expires: Int64?

    init(request: PosterRequest, badges: BadgeRequest? = nil) {
        self.request = request
        self.badges = badges
        self.needsFilm = badges != nil || request.id.isOfIMDb
    }

    /// The request for the film's own poster with its badges, as far as their scores are known.
    func completed(by facts: PictureResolver.Facts) -> PictureRequest {
        var picture = self
        let drawn = self.badges.flatMap { $0.badges(facts.scores.values) }
        func drawing(on target: RenderTarget) -> RenderTarget {
            var target = target
            target.badges = drawn
            return target
        }
        var rendition = self.request.rendition
        if case .variant(let target) = rendition { rendition = .variant(drawing(on: target)) }
        picture.request = PosterRequest(
            id: facts.id, rendition: rendition, preferred: self.request.preferred.map(drawing))
        guard let badges else { return picture }
        if !badges.sources.isEmpty { picture.badgeFreshness = facts.scores.isCurrent ? .current : .pending }
        if self.lastsAsScores, facts.scores.isCurrent { picture.badgeSeconds = facts.scores.lifetime }
        return picture
    }

    /// The request with the scores of a picture that is not a film's: it is complete.
    func drawingOwn(_ scores: BadgeScores) -> PictureRequest {
        var picture = self.completed(by: PictureResolver.Facts(id: self.request.id, scores: scores))
        picture.needsFilm = false
        return picture
    }

    /// Parses a poster's id in a client's request, except ids of TMDB's and remote pictures, which have their own URLs.
    ///
    /// - Parameter segment: A percent-encoded path segment, decoded here once.
    static func posterID(_ segment: Substring) throws(Problem) -> PosterID {
        let id = try self.namedID(segment)
        // These are authorised where their own URLs are parsed.
        guard !PosterID.webSources.contains(id.source) else {
            throw Problem(
                .unknownPoster,
                "no source '\(id.source)' is configured; TMDB's images are at /t/p, other URLs at /proxy")
        }
        return id
    }

    /// Parses a poster's id in an administrator's request: any source, URLs in normal form.
    ///
    /// - Parameter segment: As in ``posterID(_:)``.
    static func anyPosterID(_ segment: Substring) throws(Problem) -> PosterID {
        let id = try self.namedID(segment)
        do throws(PosterID.Malformed) {
            return try id.normal()
        } catch {
            throw self.malformed(error)
        }
    }

    private static func namedID(_ segment: Substring) throws(Problem) -> PosterID {
        guard let text = PercentEncoding.decode(segment) else {
            throw Problem(.invalidID, "the id holds \(PercentEncoding.refusedTexts); a '/' in a key is written %2F")
        }
        do throws(PosterID.Malformed) {
            return try PosterID(text)
        } catch {
            throw self.malformed(error)
        }
    }

    static func malformed(_ error: PosterID.Malformed) -> Problem {
        Problem(.invalidID, "the id is not [source:]key: \(error.reason)")
    }
}

/// How long the badges of a URL stay the same.
enum BadgeFreshness: Hashable, Sendable {
    /// As long as the URL: there are none, or a text only.
    case fixed
    /// Until a score changes.
    case current
    /// Scores are missing or stale: the badges may change soon.
    case pending
}

/// The request fields that a response depends on, for `Vary` (RFC 9110, 12.5.5).
struct VaryFields: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let accept = VaryFields(rawValue: 1)
    static let ratio = VaryFields(rawValue: 2)
    static let width = VaryFields(rawValue: 4)
    static let saveData = VaryFields(rawValue: 8)

    var hasHints: Bool { !self.isDisjoint(with: [.ratio, .width, .saveData]) }

    /// The value of `Vary`; `nil` without fields.
    var fieldValue: String? { Self.values[Int(self.rawValue)] }

    /// The values of all combinations, so that none is built per response.
    private static let values: [String?] = (0..<16).map { (bits: UInt8) in
        let names = ["Accept", "Sec-CH-DPR", "Sec-CH-Width", "Save-Data"].enumerated()
            .compactMap { bits & (1 << $0) != 0 ? $1 : nil }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension PosterID {
    /// The id as a cache key: a remote picture's URL in normal form, every other id unchanged.
    ///
    /// - Throws: ``PosterPipeline/PosterID/Malformed`` for an unacceptable URL.
    package func normal() throws(Malformed) -> PosterID {
        guard self.source == Self.urlSource else { return self }
        let url: RemoteURL
        do throws(RemoteURL.Malformed) {
            url = try RemoteURL(self.key)
        } catch {
            throw Malformed(reason: "the URL \(error.reason)")
        }
        return try PosterID(source: Self.urlSource, key: url.text)
    }
}

/// The routes of pictures: OneSheet's own and those compatible with TMDB and Next.js.
package enum PictureRoute {
    /// `/poster/{id}`; the id is percent-encoded.
    case poster(id: Substring)
    /// `/t/p/{size}/{file}` of TMDB; both are percent-encoded.
    case tmdb(size: Substring, file: Substring)
    /// `/_next/image` of Next.js's image loader.
    case next
    /// `/proxy`, for pictures at remote URLs.
    case proxy

    /// - Returns: `nil` if the path is not a picture's.
    init?(_ target: RequestTarget) {
        let segments = target.segments
        // OneSheet's own pictures have one path each; targets of `/t/p` have no empty segments.
        guard segments.allSatisfy({ !$0.isEmpty }) else { return nil }
        switch segments.count {
        case 1 where segments[0] == "proxy": self = .proxy
        case 2 where segments[0] == "poster": self = .poster(id: segments[1])
        case 2 where segments[0] == "_next" && segments[1] == "image": self = .next
        case 4 where segments[0] == "t" && segments[1] == "p": self = .tmdb(size: segments[2], file: segments[3])
        default: return nil
        }
    }

    private static let tmdbRoute = "/t/p/{size}/{file}"
    private static let nextRoute = "/_next/image"
    private static let proxyRoute = "/proxy"
    /// The templates of all routes, the most frequent first.
    package static let routes = [
        RequestRecord.posterRoute, PictureRoute.tmdbRoute, PictureRoute.nextRoute, PictureRoute.proxyRoute,
    ]

    /// The route's template, for metrics.
    var route: String {
        switch self {
        case .poster: RequestRecord.posterRoute
        case .tmdb: Self.tmdbRoute
        case .next: Self.nextRoute
        case .proxy: Self.proxyRoute
        }
    }
}
