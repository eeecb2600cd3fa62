/// A picture of a film in the list of all its pictures.
package struct FilmImage: Hashable, Sendable {
    /// The most pictures of a kind that are kept.
    package static let limit = 200

    package let picture: GalleryPicture
    /// Of the text in the picture; nil without text, and when unknown.
    package let language: Language?
    /// nil when unknown.
    package let isTextless: Bool?
    /// Its number in the film's gallery, from 1; nil for the poster, and for pictures with a URL of their own.
    package let place: Int?

    package init(_ picture: GalleryPicture, language: Language? = nil, isTextless: Bool? = nil, place: Int? = nil) {
        self.picture = picture
        self.language = language
        self.isTextless = isTextless
        self.place = place
    }

    /// The poster and the gallery of a film, which has no list of all its pictures.
    package static func images(of movie: Movie) -> [FilmImage] {
        let poster = movie.summary.poster.map { poster in
            FilmImage(GalleryPicture(kind: .poster, location: poster.location, size: poster.size))
        }
        return [poster].compactMap { $0 }
            + movie.gallery.enumerated().map { FilmImage($0.element, place: $0.offset + 1) }
    }
}
