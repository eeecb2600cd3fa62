import Cryptography
import FoundationEssentials

/// What a browser may load for a page (CSP 3, Trusted Types).
struct ContentPolicy: Hashable, Sendable {
    /// What a page needs beside what all have.
    struct Needs: Hashable, Sendable {
        /// A trailer that is played in the page.
        var videos = false
        /// Where a form's answer leads, beside this site; nil for nowhere.
        var formOrigin: String?
    }

    private static let videoOrigin = "https://www.youtube-nocookie.com"
    /// The one policy that our scripts make: for the address of the service worker.
    private static let scriptPolicy = "onesheet"

    /// The source expression of an inlined style sheet.
    static func source(of style: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: style.utf8)).base64EncodedString())'"
    }

    /// - Parameters:
    ///   - sheet: The source of the sheet that all pages share.
    ///   - paint: Of the page's own; nil for none.
    ///   - pictures: The origin of pictures, if it is not the page's.
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
