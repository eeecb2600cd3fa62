import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// The wall of posters: a plain page without scripts.
struct CataloguePage {
    let movies: [MovieSummary]
    let pictures: any PictureURLs

    /// The widths that a browser may choose from, in pixels.
    private static let widths = [154, 220, 342, 500, 780]
    private static let fallbackWidth = 342

    private var widths: [Int] { Set(Self.widths.map(self.pictures.width)).sorted() }
    private var fallbackWidth: Int { self.pictures.width(atLeast: Self.fallbackWidth) }

    /// Signed, where only what is signed is answered. With a width it is exactly so wide: a browser that chooses from
    /// widths has counted its screen's ratio already.
    private func url(_ path: String, width: Int? = nil) -> String {
        let ratio = self.pictures.acceptedHints == nil ? "" : "&dpr=1"
        let target = path + (width.map { "?w=\($0)\(ratio)" } ?? "")
        return self.pictures.signed(target).replacing("&", with: "&amp;")
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

    static let contentSecurityPolicy = StyledPage.policy(style: Self.style, images: "img-src 'self'; ")

    var html: String {
        let body = """
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
            """
        return StyledPage(title: "OneSheet", style: Self.style, body: body).html
    }

    private func item(_ movie: MovieSummary) -> String? {
        guard let size = movie.poster?.size else { return nil }
        let path = "/poster/\(PercentEncoding.encode(movie.id.description.utf8))"
        let candidates = self.widths.map { "\(self.url(path, width: $0)) \($0)w" }.joined(separator: ", ")
        let height = self.fallbackWidth * size.height / size.width
        let title = HTMLText.escape(movie.title)
        let original =
            movie.originalTitle == movie.title
            ? ""
            : " lang=\"\(HTMLText.escape(movie.originalLanguage?.code ?? ""))\" title=\"\(HTMLText.escape(movie.originalTitle))\""
        return """
            <li><a href="\(self.url(path))"\(original)><img src="\(self.url(path, width: self.fallbackWidth))" srcset="\(candidates)" \
            sizes="(max-width: 650px) 44vw, (max-width: 900px) 30vw, 230px" width="\(self.fallbackWidth)" \
            height="\(height)" loading="lazy" decoding="async" alt="Poster of \(title)">
            <h2 lang="en">\(title)</h2><p class="year">\(movie.year.map(String.init) ?? "")</p></a></li>
            """
    }
}
