import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /movies/{id}/images`
struct FilmImagesController: Sendable {
    private struct Selection {
        /// `nil` for all.
        let kinds: Set<GalleryPicture.Kind>?
        /// The language of text in the pictures; `nil` for all.
        let language: Language?
        /// Selects only pictures known to have no text.
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
        /// The number of all pictures by kind, regardless of the selection.
        let counts: [String: Int]
        let attribution: [String]?
    }

    private static let kinds = GalleryPicture.Kind.allCases.map(\.rawValue).joined(separator: ", ")

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.get("/movies/:id/images", known: ["kind", "textless"], on: router, self.images)
    }

    /// The response does not depend on `Accept-Language`.
    @Sendable
    private func images(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let selection = try Selection(parsed.query)
        let found = try await self.responses.services.showMovie.images(of: id)
        // Missing pictures may be available a second later.
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

/// A picture of a film: the members of a gallery picture, and facts about its text.
private struct ImageObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case language, textless
    }

    private let picture: PictureObject
    private let image: FilmImage

    /// - Parameter film: The film with the picture.
    /// - Returns: `nil` if this server has no URL for the picture.
    init?(_ image: FilmImage, of film: PictureID, _ urls: any PictureURLs) throws(Problem) {
        let isAtTMDB = if case .tmdb = image.picture.location { true } else { false }
        // A poster without a place is the film's own. TMDB has many posters, each with its own path.
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
