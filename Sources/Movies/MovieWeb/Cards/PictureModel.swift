import HTTPServer

/// A picture of a page: the attributes of `<img>`, and the colours of its placeholder.
struct PictureModel: Sendable {
    /// Values of `sizes`, for the displayed width.
    enum Sizes: String, Sendable {
        case railCard =
            "(min-width: 120rem) 12.5rem, (min-width: 90rem) 10.25rem, (min-width: 64rem) 9.75rem, (min-width: 40rem) 8.75rem, 6.75rem"
        case gridCard =
            "(min-width: 120rem) 12.5rem, (min-width: 90rem) 10.25rem, (min-width: 64rem) 9.75rem, (min-width: 40rem) 8.75rem, 29vw"
        /// The template has the attribute.
        case template = ""
    }

    /// The assumed shape of a picture of unknown size.
    enum Shape: Sendable {
        case poster, scene

        fileprivate var size: (width: Int, height: Int) { self == .poster ? (240, 360) : (1280, 720) }
    }

    private let picture: PosterObject
    private let sizes: Sizes
    private let shape: Shape

    init(_ picture: PosterObject, _ sizes: Sizes = .template, shape: Shape = .poster) {
        self.picture = picture
        self.sizes = sizes
        self.shape = shape
    }

    /// Three colours of the placeholder from top to bottom, else the dominant one, else none.
    var colours: [String] { self.picture.gradient ?? self.picture.color.map { [$0] } ?? [] }

    /// `url`, `srcset`, `sizes`, `width`, `height` and the class `paint`; adds the class's rule to `paint`.
    func model(_ paint: inout PagePaint) -> Model { self.model(paint: paint.add(self.colours)) }

    /// As above, for a template with a fixed class, such as `paint-hero`.
    func model(_ paint: inout PagePaint, named name: String) -> Model {
        paint.add(self.colours, named: name)
        return self.model(paint: nil)
    }

    private func model(paint: String?) -> Model {
        var (width, height) = self.shape.size
        if let known = self.picture.width, let knownHeight = self.picture.height {
            (width, height) = (known, knownHeight)
        }
        return [
            "url": self.picture.url, "srcset": self.picture.srcset, "sizes": self.sizes.rawValue, "width": width,
            "height": height, "paint": paint,
        ]
    }
}
