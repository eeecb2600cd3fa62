import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// A film's pictures as links to their pages.
struct GalleryModels: Sendable {
    private static let (width, widest) = (500, 1280)
    /// Exceeds all widths, which selects the widest variant.
    private static let fullWidth = 4096
    /// The value of `sizes`, for the displayed width.
    private static let sceneSizes = "(min-width: 64rem) 24rem, 92vw"

    let film: MovieSummary
    let id: MovieID
    let request: PageRequest

    /// - Parameters:
    ///   - number: The picture's number among its kind, from 1.
    ///   - paint: Receives the picture's colours.
    /// - Returns: `nil` if this server has no URL for the picture.
    func row(_ image: FilmImage, number: Int, paint: inout PagePaint) throws(Problem) -> Model? {
        guard let picture = try self.object(image, width: Self.width), let name = image.pathName else { return nil }
        let kind = GalleryPage.Kind(image.picture.kind)
        let isPoster = kind == .posters
        var model = PictureModel(picture, isPoster ? .gridCard : .template, shape: isPoster ? .poster : .scene)
            .model(&paint)
        if !isPoster { model["sizes"] = Self.sceneSizes }
        model["pageURL"] = self.url(of: name)
        model["kind"] = isPoster ? "poster" : kind == .logos ? "scene logo" : "scene"
        model["alt"] = self.name(image, number: number)
        model["loadingHTML"] = Markup(html: number == 1 ? "" : "loading=\"lazy\" ")
        return model
    }

    /// The picture of its own page: `url` is the widest variant, and `sizes` fits the window.
    ///
    /// - Returns: `nil` if this server has no URL for the picture.
    func large(_ image: FilmImage, number: Int) throws(Problem) -> Model? {
        guard let picture = try self.object(image, width: Self.fullWidth) else { return nil }
        let isPoster = GalleryPage.Kind(image.picture.kind) == .posters
        // Without its colours, which would fill the space beside it.
        var paint = PagePaint()
        var model = PictureModel(picture, shape: isPoster ? .poster : .scene).model(&paint)
        if let width = model["width"] as? Int, let height = model["height"] as? Int {
            model["sizes"] = "min(100vw, \(100 * width / max(1, height))vh)"
        }
        model["alt"] = self.name(image, number: number)
        return model
    }

    /// The picture's name for readers, such as "Picture 2 of Heat".
    func name(_ image: FilmImage, number: Int) -> String {
        let text =
            switch GalleryPage.Kind(image.picture.kind) {
            case .posters: "posterOf"
            case .logos: "logoOf"
            case .scenes, .stills: "pictureOf"
            }
        return self.request.formats(text, ["title": self.film.title, "number": String(number)])
    }

    /// The address of a picture's page.
    func url(of name: String) -> String {
        self.request.links.film(self.film.id, "pictures/\(PercentEncoding.encode(name.utf8))")
    }

    private func object(_ image: FilmImage, width: Int) throws(Problem) -> PosterObject? {
        let urls = self.request.site.pictures.urls
        let size = image.picture.size
        let own = try urls.picture(
            at: image.picture.location, size: size, width: width, widest: Self.widest, widths: .page)
        if let own { return own }
        // A poster without a place is the film's own. TMDB has many posters, each with its own path.
        let isAtTMDB = if case .tmdb = image.picture.location { true } else { false }
        let film = PictureID(self.id)
        let isOwnPoster = image.picture.kind == .poster && !isAtTMDB
        guard let id = image.place.map(film.inGallery) ?? (isOwnPoster ? film : nil) else { return nil }
        return try urls.picture(id, size: size.map { ($0.width, $0.height) }, width: width, widths: .page)
    }
}

extension FilmImage {
    /// The last segment of the picture's address: its file, else its number in the gallery, else `poster`. `nil` for a
    /// picture without a page.
    var pathName: String? {
        if case .tmdb(let file) = self.picture.location { return file }
        return self.place.map(String.init) ?? (self.picture.kind == .poster ? "poster" : nil)
    }
}
