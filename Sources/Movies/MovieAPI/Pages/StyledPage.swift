import Cryptography
import FoundationEssentials

/// An HTML document with a style sheet of its own, and without scripts.
struct StyledPage {
    /// As `lang` has it (RFC 5646).
    var language = "en"
    let title: String
    let style: String
    /// The content of `<body>`.
    let body: String

    var html: String {
        """
        <!doctype html>
        <html lang="\(self.language)">
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

    /// What a browser may load for a page (CSP): the style sheet with these bytes, and the named sources.
    ///
    /// - Parameters:
    ///   - images: The directive for pictures, with a space behind it; empty for none.
    ///   - formTarget: Where forms may lead.
    static func policy(style: String, images: String = "", formTarget: String = "'none'") -> String {
        let digest = Data(SHA256.hash(data: style.utf8)).base64EncodedString()
        return "default-src 'none'; \(images)style-src 'sha256-\(digest)'; base-uri 'none'; "
            + "form-action \(formTarget); frame-ancestors 'none'"
    }
}
