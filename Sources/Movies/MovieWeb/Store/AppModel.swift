import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// An app on a page: its name, its icon and a line of facts.
struct AppModel: Sendable {
    /// The height of a screenshot in the style sheet, in rem, at its largest.
    private static let shotHeight = 26
    /// Of a screenshot of unknown size.
    private static let shotSize = (width: 240, height: 427)
    /// What `PosterObject.url` of a screenshot is as wide as, at most, in pixels.
    private static let shotWidth = 780

    private let app: StoreApp
    private let request: PageRequest

    init(_ app: StoreApp, in request: PageRequest) {
        self.app = app
        self.request = request
    }

    /// The values of a row: `name`, `url`, `icon`, `meta` and `price`.
    ///
    /// - Throws: ``Problem``, when URLs of pictures cannot be signed.
    func row(_ paint: inout PagePaint) throws(Problem) -> Model {
        [
            "name": self.app.name, "url": self.request.links.url("/store/\(self.app.id)"),
            "icon": try self.icon(&paint), "meta": self.meta, "price": self.app.priceLabel(in: self.request.language),
        ]
    }

    /// The developer and the category, as far as they are known.
    var meta: String {
        [self.app.developer, self.app.category].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// nil without one.
    func icon(_ paint: inout PagePaint) throws(Problem) -> Model? {
        try self.iconObject().map { PictureModel($0).model(&paint) }
    }

    /// The dominant colour of the icon; nil when unknown.
    func colour() throws(Problem) -> String? { try self.iconObject()?.color }

    private func iconObject() throws(Problem) -> PosterObject? {
        guard let icon = self.app.icon else { return nil }
        return try self.request.site.pictures.urls.poster(
            PictureID(self.app.id), size: icon.size.map { ($0.width, $0.height) }, widths: .page, isMissing: false)
    }

    /// The pictures of the app in use, as wide as their shape makes them at one height.
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
            model["sizes"] = "\(max(1, Self.shotHeight * shape.width / max(1, shape.height)))rem"
            model["alt"] = self.request.formats(
                "pictureOf", ["title": self.app.name, "number": String(place + 1)])
            rows.append(["picture": model])
        }
        return rows
    }
}
