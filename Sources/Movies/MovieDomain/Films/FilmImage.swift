/// A picture of a film in the list of all its pictures.
package struct FilmImage: Hashable, Sendable {
    /// The maximal number of pictures of each kind; further ones are dropped.
    package static let limit = 200

    package let picture: GalleryPicture
    /// The language of the text in the picture; `nil` if unknown or without text.
    package let language: Language?
    /// `nil` if unknown.
    package let isTextless: Bool?
    /// The picture's number in the film's gallery, from 1; `nil` for the poster, and for pictures with their own URL.
    package let place: Int?

    package init(_ picture: GalleryPicture, language: Language? = nil, isTextless: Bool? = nil, place: Int? = nil) {
        self.picture = picture
        self.language = language
        self.isTextless = isTextless
        self.place = place
    }

    /// The poster and the gallery, for sources without a list of all pictures.
    package static func images(of movie: Movie) -> [FilmImage] {
        let poster = movie.summary.poster.map { poster in
            FilmImage(GalleryPicture(kind: .poster, location: poster.location, size: poster.size))
        }
        return [poster].compactMap { $0 }
            + movie.gallery.enumerated().map { FilmImage($0.element, place: $0.offset + 1) }
    }

    /// The first logo in the language, else in English, else any other; `nil` without logos.
    package static func logo(_ images: [FilmImage], in language: Language) -> FilmImage? {
        let logos = images.filter { $0.picture.kind == .logo }
        return logos.first { $0.language == language } ?? logos.first { $0.language == .english } ?? logos.first
    }
}
