import Cryptography
import FoundationEssentials

/// An HTML document with its own style sheet, and without scripts.
struct StyledPage {
    /// The value of `lang` (RFC 5646).
    var language = "en"
    /// `light` or `dark`; `nil` for the system's.
    var theme: String?
    let title: String
    let style: String
    /// The content of `<body>`.
    let body: String

    var html: String {
        """
        <!doctype html>
        <html lang="\(self.language)"\(self.theme.map { " data-theme=\"\($0)\"" } ?? "")>
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(self.title)</title>
        <style>\(self.style)</style>
        </head>
        <body>
        \(self.body)
        </body>
        </html>

        """
    }

    /// The content security policy: allows the style sheet with this text, and the given sources.
    ///
    /// - Parameters:
    ///   - images: The directive for pictures with a trailing space; empty for none.
    ///   - formTarget: The allowed targets of forms.
    static func policy(style: String, images: String = "", formTarget: String = "'none'") -> String {
        let digest = Data(SHA256.hash(data: style.utf8)).base64EncodedString()
        return "default-src 'none'; \(images)style-src 'sha256-\(digest)'; base-uri 'none'; "
            + "form-action \(formTarget); frame-ancestors 'none'"
    }
}
