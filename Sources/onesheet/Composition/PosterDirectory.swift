import MovieData
import MovieDomain
import PosterOrigins
import PosterPipeline

/// Where every poster is: the embedded catalogue's are packaged files, the others are at their origins.
///
/// This is the one place that knows films and pictures both.
struct PosterDirectory: PosterLocator {
    let embedded: EmbeddedMovies
    /// The folder of the packaged posters.
    let packagedPosters: String
    /// By source name.
    let origins: Replaceable<[String: OriginTemplate]>
    /// Where The Movie Database's images are; nil when they are not served.
    let tmdbImages: OriginTemplate?

    func locate(_ id: PosterID) async throws -> OriginalLocation {
        if id.source == PosterID.embeddedSource { return try await self.locateEmbedded(id) }
        // Whether anybody may ask for this URL was decided where it was read.
        if id.source == PosterID.urlSource { return .web(url: id.key) }
        let origins = self.origins.value
        guard let template = id.source == PosterID.tmdbImageSource ? self.tmdbImages : origins[id.source] else {
            throw PosterError.unknownSource(id.source, known: [PosterID.embeddedSource] + origins.keys.sorted())
        }
        do {
            return .web(url: try template.url(for: id.key))
        } catch {
            throw PosterError.unacceptableKey(id, reason: Self.words(for: error))
        }
    }

    private func locateEmbedded(_ id: PosterID) async throws -> OriginalLocation {
        guard let movie = MovieID(source: .embedded, key: id.key),
            case .packaged(let file, let version)? = try await self.embedded.movie(
                movie, language: LanguagePreference())?.summary.poster?.location
        else { throw PosterError.unknownPoster(id) }
        return .file(path: "\(self.packagedPosters)/\(file)", version: version)
    }

    private static func words(for failure: OriginTemplate.KeyFailure) -> String {
        switch failure {
        case .holdsSlash: "keys of this source hold no '/'"
        case .dotSegment: "a key must not hold the path segments '.' and '..'"
        case .emptySegment: "a key must not begin or end with '/', or hold '//'"
        case .tooLong(let limit): "its URL would be longer than \(limit) bytes"
        }
    }
}
