import HTTPServer
import HTTPTypes
import Hummingbird
import MovieHTTP

/// The badges that a visitor has chosen for the posters of pages: stored in a cookie, not at the server.
enum BadgeSetting {
    /// The cookie's name without the prefix of ``SiteCookie``.
    static let cookieName = "onesheet_badges"
    /// Lifetime of the cookie in seconds: a year, like the theme's.
    static let seconds: Int64 = 365 * 86_400
    /// Maximum length of a value, in bytes; longer ones are ignored.
    static let lengthLimit = 256

    private static let partMark: Character = "~"
    private static let sourceMark: Character = "."

    static func cookie(_ context: ServerRequestContext, _ site: Website) -> SiteCookie {
        SiteCookie(Self.cookieName, isSecure: site.useCases.authenticator.site.isSecure(context))
    }

    /// - Returns: `nil` without a setting.
    static func badges(of request: Request, _ context: ServerRequestContext, _ site: Website) -> PictureBadges? {
        guard let value = Self.cookie(context, site).value(in: request.headers) else { return nil }
        return Self.badges(value, site.pictures.urls.badgeChoices)
    }

    /// Reads ``value(of:)``. The cookie may be from another version, or written by anyone: unknown parts are ignored.
    static func badges(_ value: String, _ choices: BadgeChoices) -> PictureBadges? {
        guard value.utf8.count <= Self.lengthLimit else { return nil }
        let parts = value.split(separator: Self.partMark, omittingEmptySubsequences: false).map(String.init)
        let part = { (place: Int) in parts.indices.contains(place) ? parts[place] : nil }
        return choices.badges(
            (part(0) ?? "").split(separator: Self.sourceMark).map(String.init), position: part(1), style: part(2),
            colours: part(3))
    }

    /// For example `imdb.rt~top~~source`; a default is empty. Without the text, which is not part of the setting.
    static func value(of badges: PictureBadges) -> String {
        ([badges.sources.joined(separator: String(Self.sourceMark))]
            + [badges.position, badges.style, badges.colours].map { $0 ?? "" })
            .joined(separator: String(Self.partMark))
    }
}
