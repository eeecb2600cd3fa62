import Crypto
import HTTPSemantics
import MovieDomain
import PosterAPI
import PosterCodec
import PosterPipeline

/// The wall of posters: a plain page without scripts.
struct CataloguePage {
    let movies: [MovieSummary]
    /// What the page itself may ask for.
    let policy: PicturePolicy

    /// The widths that a browser may choose from, in pixels.
    private static let widths = [154, 220, 342, 500, 780]
    private static let fallbackWidth = 342

    /// Of the ladder, if there is one: the next to each of those above.
    private var widths: [Int] {
        guard let ladder = self.policy.ladder else { return Self.widths }
        let rungs = Set(Self.widths.map(ladder.rung))
        return rungs.sorted()
    }

    private var fallbackWidth: Int { self.policy.ladder?.rung(atLeast: Self.fallbackWidth) ?? Self.fallbackWidth }

    /// Signed, where only what is signed is answered. With a width it is exactly so wide: a browser that chooses from
    /// widths has counted its screen's ratio already.
    private func url(_ path: String, width: Int? = nil) -> String {
        let ratio = self.policy.usesHints ? "&dpr=1" : ""
        let target = path + (width.map { "?w=\($0)\(ratio)" } ?? "")
        let keys = self.policy.requiresSignatures ? self.policy.signingKeys : nil
        // Its encoding is our own, which is never malformed.
        let signed = (try? keys?.sign(target: target)) ?? target
        return signed.replacing("&", with: "&amp;")
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1c1b1a; --quiet: #6d6a65; --paper: #f4f1ea; }
        @media (prefers-color-scheme: dark) { :root { --ink: #eeeae2; --quiet: #99948b; --paper: #161514; } }
        * { box-sizing: border-box; margin: 0; }
        body { background: var(--paper); color: var(--ink); font: 15px/1.35 system-ui, sans-serif;
               padding: clamp(1rem, 4vw, 3rem); max-width: 1700px; margin: auto; }
        header { margin-bottom: clamp(1.5rem, 4vw, 3rem); }
        h1 { font-size: clamp(1.8rem, 5vw, 3rem); letter-spacing: -.03em; line-height: 1; }
        header p { color: var(--quiet); margin-top: .6rem; max-width: 46em; }
        code { font: .92em ui-monospace, monospace; }
        ul { list-style: none; padding: 0; display: grid; gap: clamp(1rem, 2.4vw, 2rem);
             grid-template-columns: repeat(auto-fill, minmax(min(43%, 190px), 1fr)); }
        a { color: inherit; text-decoration: none; display: block; }
        img { width: 100%; height: auto; display: block; background: #8884; border-radius: 3px;
              box-shadow: 0 1px 2px #0003, 0 6px 18px #0002; }
        a:focus-visible { outline: 3px solid; outline-offset: 4px; }
        h2 { font-size: 1em; font-weight: 600; margin-top: .65rem; }
        .year { color: var(--quiet); }
        """

    /// What a browser is to load for it and nothing else (CSP): its own pictures, and the style sheet with these bytes.
    static var contentSecurityPolicy: String {
        let digest = Base64.encode(Array(SHA256.hash(data: Array(Self.style.utf8))))
        return "default-src 'none'; img-src 'self'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>OneSheet</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <header>
        <h1>OneSheet</h1>
        <p>\(self.movies.count) posters, each at exactly the pixels your screen asks for:
        <code>/poster/{id}?w=368</code></p>
        </header>
        <main>
        <ul>
        \(self.movies.compactMap(self.item).joined(separator: "\n"))
        </ul>
        </main>
        </body>
        </html>

        """
    }

    private func item(_ movie: MovieSummary) -> String? {
        guard let size = movie.poster?.size else { return nil }
        let path = "/poster/\(PercentEncoding.encode(movie.id.description.utf8))"
        let candidates = self.widths.map { "\(self.url(path, width: $0)) \($0)w" }.joined(separator: ", ")
        let height = self.fallbackWidth * size.height / size.width
        let title = Self.escape(movie.title)
        let original =
            movie.originalTitle == movie.title
            ? ""
            : " lang=\"\(Self.escape(movie.originalLanguage?.code ?? ""))\" title=\"\(Self.escape(movie.originalTitle))\""
        return """
            <li><a href="\(self.url(path))"\(original)><img src="\(self.url(path, width: self.fallbackWidth))" srcset="\(candidates)" \
            sizes="(max-width: 650px) 44vw, (max-width: 900px) 30vw, 230px" width="\(self.fallbackWidth)" \
            height="\(height)" loading="lazy" decoding="async" alt="Poster of \(title)">
            <h2 lang="en">\(title)</h2><p class="year">\(movie.year.map(String.init) ?? "")</p></a></li>
            """
    }

    /// Text for HTML, within elements and quoted attributes.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
