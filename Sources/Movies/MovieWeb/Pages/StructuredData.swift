import HTTPServer
import MovieHTTP

/// A page's data for search engines: JSON-LD with the vocabulary of schema.org.
///
/// URLs are relative to the page if the site's public URL is unknown (JSON-LD 1.1, 3.2).
struct StructuredData: Encodable, Sendable {
    /// The position of a page in the site: the home page first, the page itself last.
    struct Breadcrumbs: Encodable, Sendable {
        struct Step: Encodable, Sendable {
            let type = "ListItem"
            let position: Int
            let name: String
            /// The page's URL; `nil` for the current page.
            let item: String?

            private enum CodingKeys: String, CodingKey {
                case type = "@type"
                case position, name, item
            }
        }

        let type = "BreadcrumbList"
        let itemListElement: [Step]

        /// - Parameter pages: Names and URLs.
        init(_ pages: [(name: String, url: String?)]) {
            self.itemListElement = pages.enumerated().map { place, page in
                Step(position: place + 1, name: page.name, item: page.url)
            }
        }

        private enum CodingKeys: String, CodingKey {
            case type = "@type"
            case itemListElement
        }
    }

    private enum Node: Encodable, Sendable {
        case film(FilmData)
        case breadcrumbs(Breadcrumbs)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .film(let film): try film.encode(to: encoder)
            case .breadcrumbs(let breadcrumbs): try breadcrumbs.encode(to: encoder)
            }
        }
    }

    private let context = "https://schema.org"
    private let graph: [Node]

    init(film: FilmData? = nil, _ breadcrumbs: Breadcrumbs) {
        self.graph = (film.map { [Node.film($0)] } ?? []) + [Node.breadcrumbs(breadcrumbs)]
    }

    private enum CodingKeys: String, CodingKey {
        case context = "@context"
        case graph = "@graph"
    }

    /// A data block, which browsers do not execute and content policies do not restrict (HTML, 4.12.1).
    var markup: Markup {
        // Texts and integers always encode.
        guard let bytes = try? EncodedResponse.jsonBytes(of: self) else { return .empty }
        return Markup(html: "<script type=\"application/ld+json\">\(Self.escaped(bytes))</script>")
    }

    /// Escapes in JSON everything that could end the element, or a line in a script (U+2028, U+2029).
    private static func escaped(_ json: [UInt8]) -> String {
        // By scalars: a character may have combining marks.
        var text = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "<": text += "\\u003c"
            case "\u{2028}": text += "\\u2028"
            case "\u{2029}": text += "\\u2029"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension PageRequest {
    /// The breadcrumbs of this page.
    ///
    /// - Parameters:
    ///   - names: The name of this page, after the names and paths of pages above it besides the home page.
    func breadcrumbs(_ name: String, below pages: [(name: String, path: String)] = []) -> StructuredData.Breadcrumbs {
        let above = [(name: self.formats("siteTitle"), path: self.links.home)] + pages
        var steps: [(name: String, url: String?)] = above.map { name, path in
            (name, self.site.useCases.publicURL.address(of: path))
        }
        steps.append((name, nil))
        return StructuredData.Breadcrumbs(steps)
    }
}
