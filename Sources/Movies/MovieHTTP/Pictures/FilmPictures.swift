package import HTTPSemantics
package import HTTPServer
package import MovieDomain

/// Makes the URLs of films' posters and backdrops.
package struct FilmPictures: Sendable {
    package let urls: any PictureURLs
    private let isPosterless: @Sendable (MovieID) -> Bool
    private let widths: PictureWidths

    /// - Parameter widths: The widths in posters' `srcset`.
    package init(_ services: MovieServices, urls: any PictureURLs, widths: PictureWidths = .standard) {
        self.urls = urls
        self.isPosterless = services.isPosterless
        self.widths = widths
    }

    /// - Parameters:
    ///   - language: The language of the response with `movie`; `nil` if unknown, and for the server's default.
    ///   - badges: The badges in the poster's URLs; `nil` for none.
    /// - Returns: `nil` if the film is known to have no poster.
    package func poster(
        of movie: MovieSummary, language: Language?, badges: PictureBadges? = nil
    ) throws(Problem) -> PosterObject? {
        try self.poster(of: movie.id, reference: movie.poster, language: language, badges: badges)
    }

    /// - Parameters:
    ///   - reference: `nil` if the source has none or does not state it.
    ///   - language: As in ``poster(of:language:badges:)``, as are the badges.
    /// - Returns: `nil` if the film is known to have no poster.
    package func poster(
        of id: MovieID, reference: PosterReference?, language: Language?, badges: PictureBadges? = nil
    ) throws(Problem) -> PosterObject? {
        try self.urls.poster(
            PictureID(id, language: language), size: reference?.size.map { ($0.width, $0.height) }, widths: self.widths,
            badges: badges, isMissing: reference == nil && self.isPosterless(id))
    }

    package func backdrop(of movie: MovieSummary) throws(Problem) -> PosterObject? {
        try self.urls.backdrop(movie.backdrop, of: movie.id, widths: self.widths)
    }
}

extension PictureURLs {
    /// A picture outside of films and apps, such as a portrait; `nil` unless it is TMDB's, as others have no URLs.
    ///
    /// - Parameters:
    ///   - width: The largest width of ``PosterObject/url``, in pixels.
    ///   - widest: The largest width in `srcset`, in pixels.
    package func picture(
        at location: PictureLocation?, size: PictureSize? = nil, width: Int, widest: Int,
        widths: PictureWidths = .standard
    ) throws(Problem) -> PosterObject? {
        guard case .tmdb(let file)? = location else { return nil }
        return try self.tmdbImage(
            file, size: size.map { (width: $0.width, height: $0.height) }, width: width, widest: widest,
            widths: widths)
    }

    /// A wide picture behind texts, of a film or of an object without other pictures.
    ///
    /// - Parameter film: Gives a packaged backdrop the id of the first picture in its gallery: a picture has one id.
    package func backdrop(
        _ backdrop: PosterReference?, of film: MovieID? = nil, widths: PictureWidths = .standard
    ) throws(Problem) -> PosterObject? {
        guard let backdrop else { return nil }
        let (width, widest) = (780, 1280)
        if case .packaged = backdrop.location, let film, film.source == .embedded {
            return try self.picture(
                PictureID(film).inGallery(at: 1), size: backdrop.size.map { ($0.width, $0.height) }, width: width,
                widths: widths)
        }
        return try self.picture(
            at: backdrop.location, size: backdrop.size, width: width, widest: widest, widths: widths)
    }

    /// The portrait of a person's own page or row: larger than the one beside a role.
    package func portrait(_ portrait: PosterReference?, widths: PictureWidths = .standard) throws(Problem)
        -> PosterObject?
    {
        try self.picture(at: portrait?.location, size: portrait?.size, width: 342, widest: 780, widths: widths)
    }
}

extension PictureID {
    /// A film's poster.
    ///
    /// - Parameter language: Selects a poster if the source has several; `nil` for the server's default.
    package init(_ id: MovieID, language: Language? = nil) {
        self.init(source: id.source.rawValue, key: id.key, language: language?.code)
    }

    package init(_ id: StoreAppID) {
        self.init(source: id.source.rawValue, key: id.key)
    }

    /// A picture of the gallery, from 1: `tmdb:603~2` is the second one of `tmdb:603`.
    package func inGallery(at place: Int) -> PictureID {
        PictureID(source: self.source, key: "\(self.key)~\(place)")
    }
}
