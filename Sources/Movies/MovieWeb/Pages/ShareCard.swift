import HTTPServer

/// The preview of links to a page on other sites: Open Graph, and the Twitter card.
struct ShareCard: Sendable {
    /// A picture that is fetched by other sites.
    struct Image: Sendable {
        /// The path and query of a picture of this site, or a URL.
        let url: String
        /// In pixels; `nil` if unknown.
        let width, height: Int?
        let alt: String
        /// Whether it is wide, and shown above the text.
        let isScene: Bool

        /// The widest variant of a picture.
        init(_ picture: PosterObject, alt: String, isScene: Bool) {
            (self.url, self.width) = picture.widest
            if let width, let whole = picture.width, let height = picture.height, whole > 0 {
                self.height = (width * height + whole / 2) / whole
            } else {
                self.height = nil
            }
            self.alt = alt
            self.isScene = isScene
        }
    }

    /// The Open Graph type, such as `video.movie`.
    var type = "website"
    /// `nil` for a page without a picture of its own.
    var image: Image?

    /// The values of the template, without addresses if the site's public URL is unknown: other sites need absolute
    /// ones, and pages are shared by clients that reach the server at different hosts.
    ///
    /// - Parameters:
    ///   - url: The page's URL; `nil` if the public URL is unknown.
    ///   - absolute: Makes the URL of a path of this site.
    func model(title: String, url: String?, locale: String, absolute: (String) -> String) -> Model {
        var image: Model?
        if url != nil, let own = self.image {
            image = [
                "url": own.url.hasPrefix("/") ? absolute(own.url) : own.url, "width": own.width,
                "height": own.height, "alt": own.alt,
            ]
        }
        return [
            "title": title, "type": self.type, "url": url, "locale": locale, "image": image,
            "card": image != nil && self.image?.isScene == true ? "summary_large_image" : "summary",
        ]
    }
}

extension PosterObject {
    /// The widest variant and its width in pixels, from ``srcset``; ``url`` without one.
    var widest: (url: String, width: Int?) {
        let candidate = self.srcset.split(separator: " ").suffix(2)
        guard candidate.count == 2, let url = candidate.first, let descriptor = candidate.last,
            descriptor.hasSuffix("w"), let width = Int(descriptor.dropLast())
        else { return (self.url, nil) }
        return (String(url), width)
    }
}
