import Cryptography
import FoundationEssentials

/// The content security policy of pages (CSP 3, Trusted Types).
struct ContentPolicy: Hashable, Sendable {
    /// A page's additions to the policy.
    struct Needs: Hashable, Sendable {
        /// Whether a trailer is played in the page.
        var videos = false
        /// A form's redirection target outside of this site.
        var formOrigin: String?
    }

    private static let videoOrigin = "https://www.youtube-nocookie.com"
    /// The only policy that the site's scripts create: for the service worker's address.
    private static let scriptPolicy = "onesheet"

    /// The source expression of an inlined style sheet.
    static func source(of style: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: style.utf8)).base64EncodedString())'"
    }

    /// - Parameters:
    ///   - sheet: The source expression of the style sheet shared by all pages.
    ///   - paint: The source expression of the page's own style sheet; `nil` for none.
    ///   - pictures: The origin of pictures, if it may differ from the page's.
    static func fieldValue(sheet: String, paint: String?, pictures: String?, needs: Needs) -> String {
        var directives = [
            "default-src 'none'", "script-src 'self'",
            "style-src 'self' " + [sheet, paint].compactMap { $0 }.joined(separator: " "),
            "img-src 'self'" + (pictures.map { " " + $0 } ?? ""), "connect-src 'self'", "manifest-src 'self'",
            "worker-src 'self'",
        ]
        if needs.videos { directives.append("frame-src \(Self.videoOrigin)") }
        directives += [
            "form-action 'self'" + (needs.formOrigin.map { " " + $0 } ?? ""), "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types \(Self.scriptPolicy)",
        ]
        return directives.joined(separator: "; ")
    }
}
