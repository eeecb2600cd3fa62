import HTTPServer

/// A picture of a page: the attributes of `<img>`, and the colours that it has until it is there.
struct PictureModel: Sendable {
    /// How wide a picture is shown: values of `sizes`.
    enum Sizes: String, Sendable {
        case railCard =
            "(min-width: 120rem) 12.5rem, (min-width: 90rem) 10.25rem, (min-width: 64rem) 9.75rem, (min-width: 40rem) 8.75rem, 6.75rem"
        case gridCard =
            "(min-width: 120rem) 12.5rem, (min-width: 90rem) 10.25rem, (min-width: 64rem) 9.75rem, (min-width: 40rem) 8.75rem, 29vw"
        /// The template says it.
        case template = ""
    }

    /// What a picture is taken for whose size is not known.
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

    /// From the top: three of the placeholder, else the dominant one, else none.
    var colours: [String] { self.picture.gradient ?? self.picture.color.map { [$0] } ?? [] }

    /// `url`, `srcset`, `sizes`, `width`, `height` and the class `paint`, whose rule `paint` gets.
    func model(_ paint: inout PagePaint) -> Model { self.model(paint: paint.add(self.colours)) }

    /// The same for a template that names the class, such as `paint-hero`.
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
