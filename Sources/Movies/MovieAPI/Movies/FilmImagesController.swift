import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /movies/{id}/images`
struct FilmImagesController: Sendable {
    /// Which of a film's pictures a request names.
    private struct Selection {
        /// nil for all.
        let kinds: Set<GalleryPicture.Kind>?
        /// Of the text in them; nil for all.
        let language: Language?
        /// Whether only pictures that are known to have no text are named.
        let isTextless: Bool

        init(_ query: QueryParameters) throws(Problem) {
            self.kinds = try query.value(
                "kind", accepted: "one or more of \(FilmImagesController.kinds), separated by commas"
            ) { text in
                let words = text.split(separator: ",", omittingEmptySubsequences: false)
                let kinds = words.compactMap { GalleryPicture.Kind(rawValue: String($0)) }
                let isList = kinds.count == words.count && words.count <= GalleryPicture.Kind.allCases.count
                return isList ? Set(kinds) : nil
            }
            self.language = try query.language()
            self.isTextless = try query.value("textless", accepted: "true or false") { Bool($0) } ?? false
        }

        func contains(_ image: FilmImage) -> Bool {
            if let kinds, !kinds.contains(image.picture.kind) { return false }
            if self.isTextless, image.isTextless != true { return false }
            guard let language, let own = image.language else { return true }
            return own == language
        }
    }

    private struct ImagesObject: Encodable {
        let id: String
        let images: [ImageObject]
        /// By kind, of all that there are.
        let counts: [String: Int]
        let attribution: [String]?
    }

    /// As error texts name them.
    private static let kinds = GalleryPicture.Kind.allCases.map(\.rawValue).joined(separator: ", ")

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.get("/movies/:id/images", known: ["kind", "textless"], on: router, self.images)
    }

    /// The same for readers of all languages: `Accept-Language` makes no difference.
    @Sendable
    private func images(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let selection = try Selection(parsed.query)
        let found = try await self.responses.services.showMovie.images(of: id)
        // What is missing may be there in a second.
        if !found.missing.isEmpty { FreshnessRecorder.current?.recordGap() }
        let film = PictureID(found.id)
        var counts: [String: Int] = [:]
        var objects: [ImageObject] = []
        for image in found.images {
            guard let object = try ImageObject(image, of: film, self.responses.pictures) else { continue }
            counts[image.picture.kind.rawValue, default: 0] += 1
            if selection.contains(image) { objects.append(object) }
        }
        return try EncodedResponse.json(
            ImagesObject(
                id: id.description, images: objects, counts: counts,
                attribution: Attribution.texts(of: [found.id.source])),
            caching: .shared(seconds: CacheLifetime.daily))
    }
}

/// A picture of a film: the members of one of a gallery, and what is known of the text in it.
private struct ImageObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case language, textless
    }

    private let picture: PictureObject
    private let image: FilmImage

    /// - Parameter film: Whose picture it is.
    /// - Returns: nil when this server has no URL of it.
    init?(_ image: FilmImage, of film: PictureID, _ urls: any PictureURLs) throws(Problem) {
        let isAtTMDB = if case .tmdb = image.picture.location { true } else { false }
        // Without a number a poster is the film's own; TMDB has many, with paths of their own.
        let isOwn = image.picture.kind == .poster && !isAtTMDB
        let id = image.place.map(film.inGallery) ?? (isOwn ? film : nil)
        guard let picture = try PictureObject(image.picture, id: id, urls) else { return nil }
        self.picture = picture
        self.image = image
    }

    func encode(to encoder: any Encoder) throws {
        try self.picture.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(self.image.language?.code, forKey: .language)
        try container.encodeIfPresent(self.image.isTextless, forKey: .textless)
    }
}
