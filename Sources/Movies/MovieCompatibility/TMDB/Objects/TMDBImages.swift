import MovieDomain

/// The pictures of a film by kind.
enum TMDBImages {
    /// - Parameter languages: Codes of requested languages, `null` for pictures without text; `nil` for all. Pictures
    ///   of unknown language always match.
    static func object(_ images: FilmImages, languages: Set<String>?) -> OrderedJSON {
        let rows = { (kinds: Set<GalleryPicture.Kind>) in
            OrderedJSON.array(
                images.images.filter { kinds.contains($0.picture.kind) && Self.isWanted($0, languages) }
                    .compactMap { Self.row($0, of: images.id) })
        }
        return [
            "backdrops": rows([.backdrop, .still, .screenshot]), "logos": rows([.logo]), "posters": rows([.poster]),
        ]
    }

    /// The picture languages requested by the client.
    static func languages(of request: TMDBRequest) -> Set<String>? {
        if let list = request["include_image_language"] { return Set(list.split(separator: ",").map(String.init)) }
        guard request["language"] != nil else { return nil }
        return [request.language.first.code]
    }

    private static func isWanted(_ image: FilmImage, _ languages: Set<String>?) -> Bool {
        guard let languages, let language = image.language else { return true }
        return languages.contains(language.code)
    }

    /// `nil` for a picture of unknown size, or without a path.
    private static func row(_ image: FilmImage, of id: MovieID) -> OrderedJSON? {
        guard let size = image.picture.size, let path = TMDBPicturePath.path(of: image, in: id) else { return nil }
        let ratio = (Double(size.width) / Double(size.height) * 1000).rounded() / 1000
        return [
            "aspect_ratio": .number(ratio), "height": .integer(size.height),
            "iso_639_1": .text(image.language?.code), "file_path": .string(path), "vote_average": 0, "vote_count": 0,
            "width": .integer(size.width),
        ]
    }
}
