import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// An app in a page: its name, its icon and a line of facts.
struct AppModel: Sendable {
    /// The heights of a screenshot in the style sheet: clamp(16rem, 34vw, 26rem), by the window's width in rem.
    private static let shotHeights = [
        (condition: "(min-width: 76.5rem) ", height: 26.0, unit: "rem"), ("(min-width: 47rem) ", 34, "vw"),
        ("", 16, "rem"),
    ]
    /// The assumed size of a screenshot of unknown size.
    private static let shotSize = (width: 240, height: 427)
    /// The largest width of a screenshot's `PosterObject.url`, in pixels.
    private static let shotWidth = 780

    private let app: StoreApp
    private let request: PageRequest

    init(_ app: StoreApp, in request: PageRequest) {
        self.app = app
        self.request = request
    }

    /// The values of a row: `name`, `url`, `icon`, `meta` and `price`.
    ///
    /// - Throws: ``Problem`` if the pictures' URLs cannot be signed.
    func row(_ paint: inout PagePaint) throws(Problem) -> Model {
        [
            "name": self.app.name, "url": self.request.links.url("/store/\(self.app.id)"),
            "icon": try self.icon(&paint), "meta": self.meta, "price": self.app.priceLabel(in: self.request.language),
        ]
    }

    var meta: String {
        [self.app.developer, self.app.category].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    func icon(_ paint: inout PagePaint) throws(Problem) -> Model? {
        try self.iconObject().map { PictureModel($0).model(&paint) }
    }

    func colour() throws(Problem) -> String? { try self.iconObject()?.color }

    private func iconObject() throws(Problem) -> PosterObject? {
        guard let icon = self.app.icon else { return nil }
        return try self.request.site.pictures.urls.poster(
            PictureID(self.app.id), size: icon.size.map { ($0.width, $0.height) }, widths: .page, isMissing: false)
    }

    /// Screenshots at equal height; their widths follow from their shapes.
    func screenshots(_ paint: inout PagePaint) throws(Problem) -> [Model] {
        var rows: [Model] = []
        for (place, shot) in self.app.screenshots.enumerated() {
            let size = shot.size.map { (width: $0.width, height: $0.height) }
            let picture = try self.request.site.pictures.urls.picture(
                PictureID(self.app.id).inGallery(at: place + 1), size: size, width: Self.shotWidth, widths: .page)
            var model = PictureModel(picture).model(&paint)
            let known = picture.width.flatMap { width in picture.height.map { (width: width, height: $0) } }
            let shape = known ?? size ?? Self.shotSize
            (model["width"], model["height"]) = (shape.width, shape.height)
            model["sizes"] = Self.sizes(of: shape)
            model["loadingHTML"] = Markup(html: place == 0 ? "fetchpriority=\"high\" " : "loading=\"lazy\" ")
            model["alt"] = self.request.formats(
                "pictureOf", ["title": self.app.name, "number": String(place + 1)])
            rows.append(["picture": model])
        }
        return rows
    }

    /// The displayed widths of a screenshot, as a value of `sizes`.
    private static func sizes(of shape: (width: Int, height: Int)) -> String {
        let ratio = Double(shape.width) / Double(max(1, shape.height))
        return Self.shotHeights.map { condition, height, unit in
            "\(condition)\(Int((height * ratio).rounded(.up)))\(unit)"
        }.joined(separator: ", ")
    }
}
