import HTTPServer
import MovieDomain
import MovieHTTP

/// The paths of pictures, which clients append to the configuration's base URL and a size.
enum TMDBPicturePath {
    static func poster(of film: MovieSummary) -> OrderedJSON {
        .text(film.poster.flatMap { self.path($0.location, PictureID(film.id)) })
    }

    /// A packaged backdrop is the first picture of its film's gallery.
    static func backdrop(of film: MovieSummary) -> OrderedJSON {
        .text(film.backdrop.flatMap { self.path($0.location, PictureID(film.id).inGallery(at: 1)) })
    }

    /// - Parameter id: The film with the picture in its gallery.
    /// - Returns: `nil` for a picture on the web.
    static func path(of image: FilmImage, in id: MovieID) -> String? {
        let film = PictureID(id)
        return self.path(image.picture.location, image.place.map { film.inGallery(at: $0) } ?? film)
    }

    /// The path of a portrait or logo: these are never packaged.
    static func path(of location: PictureLocation?) -> OrderedJSON {
        guard case .tmdb(let file)? = location else { return .null }
        return .string("/\(file)")
    }

    private static func path(_ location: PictureLocation, _ id: PictureID) -> String? {
        switch location {
        case .tmdb(let file): "/\(file)"
        case .packaged: PackagedPictureFile.name(of: id).map { "/\($0)" }
        case .web: nil
        }
    }
}
