import EmbeddedCatalogue
import MovieDomain
import PosterOrigins
import PosterPipeline

/// Locates posters of the source `mine` at an origin, and all others in the embedded catalogue.
struct LiveServerLocator: PosterLocator {
    let embedded: EmbeddedMovies
    let packagedPath: @Sendable (String) -> String
    let template: OriginTemplate

    func locate(_ id: PosterID) async throws -> OriginalLocation {
        // The key is the URL of an external origin.
        guard !["elsewhere", PosterID.urlSource].contains(id.source) else { return .web(url: id.key) }
        guard id.source != PosterID.tmdbImageSource else { return .web(url: try self.template.url(for: id.key)) }
        guard id.source != "mine" else { return .web(url: try self.template.url(for: id.key)) }
        guard id.source == PosterID.embeddedSource else {
            throw PosterError.unknownSource(id.source, known: ["mine", "sample"])
        }
        guard let movie = MovieID(source: .embedded, key: id.key),
            case .packaged(let file, let version)? = try await self.embedded.movie(
                movie, language: LanguagePreference())?.summary.poster?.location
        else { throw PosterError.unknownPoster(id) }
        return .file(path: self.packagedPath(file), version: version)
    }

    func knownLocation(of id: PosterID) async throws -> OriginalLocation? { try await self.locate(id) }
}
