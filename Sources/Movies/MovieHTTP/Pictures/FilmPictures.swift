package import HTTPSemantics
package import HTTPServer
package import MovieDomain

/// The posters of films, as their sources refer to them.
package struct FilmPictures: Sendable {
    package let urls: any PictureURLs
    private let isPosterless: @Sendable (MovieID) -> Bool
    private let widths: PictureWidths

    /// - Parameter widths: Of posters.
    package init(_ services: MovieServices, urls: any PictureURLs, widths: PictureWidths = .standard) {
        self.urls = urls
        self.isPosterless = services.isPosterless
        self.widths = widths
    }

    /// - Parameter language: Of the response that `movie` is from; nil when it is not known, and for the server's own.
    /// - Returns: nil when it is known that there is none.
    package func poster(of movie: MovieSummary, language: Language?) throws(Problem) -> PosterObject? {
        try self.poster(of: movie.id, reference: movie.poster, language: language)
    }

    /// - Parameters:
    ///   - reference: nil when the source has none or does not say.
    ///   - language: As for films of lists.
    /// - Returns: nil when it is known that there is none.
    package func poster(
        of id: MovieID, reference: PosterReference?, language: Language?
    ) throws(Problem) -> PosterObject? {
        try self.urls.poster(
            PictureID(id, language: language), size: reference?.size.map { ($0.width, $0.height) }, widths: self.widths,
            isMissing: reference == nil && self.isPosterless(id))
    }

    /// A wide picture behind texts.
    package func backdrop(of movie: MovieSummary) throws(Problem) -> PosterObject? {
        try self.urls.backdrop(movie.backdrop, of: movie.id, widths: self.widths)
    }
}

extension PictureURLs {
    /// A picture that is no film's or app's, such as a portrait; nil for none. Only those of TMDB have URLs.
    ///
    /// - Parameters:
    ///   - width: Of ``PosterObject/url``, in pixels, at most.
    ///   - widest: In `srcset`, in pixels.
    package func picture(
        at location: PictureLocation?, size: PictureSize? = nil, width: Int, widest: Int,
        widths: PictureWidths = .standard
    ) throws(Problem) -> PosterObject? {
        guard case .tmdb(let file)? = location else { return nil }
        return try self.tmdbImage(
            file, size: size.map { (width: $0.width, height: $0.height) }, width: width, widest: widest,
            widths: widths)
    }

    /// A wide picture behind texts, of a film or of something that has no other pictures.
    ///
    /// - Parameter film: Has the backdrop as the first picture of its gallery, where it is packaged: a picture has one id.
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

    /// The portrait of a person's own page or row: larger than that beside a role.
    package func portrait(_ portrait: PosterReference?, widths: PictureWidths = .standard) throws(Problem)
        -> PosterObject?
    {
        try self.picture(at: portrait?.location, size: portrait?.size, width: 342, widest: 780, widths: widths)
    }
}

extension PictureID {
    /// A film's poster.
    ///
    /// - Parameter language: Where the source has several; nil for the server's own.
    package init(_ id: MovieID, language: Language? = nil) {
        self.init(source: id.source.rawValue, key: id.key, language: language?.code)
    }

    /// An app's icon.
    package init(_ id: StoreAppID) {
        self.init(source: id.source.rawValue, key: id.key)
    }

    /// A picture of the gallery, from 1: `tmdb:603~2` is the second one of `tmdb:603`.
    package func inGallery(at place: Int) -> PictureID {
        PictureID(source: self.source, key: "\(self.key)~\(place)")
    }
}
