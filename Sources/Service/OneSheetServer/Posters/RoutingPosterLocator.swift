import BoundedCache
import Logging
import MovieDomain
import PosterAPI
import PosterOrigins
import PosterPipeline

/// Locates originals: pictures of films through the film domain, packaged ones in files, all others at their origins.
///
/// The only adapter between films and pictures.
struct RoutingPosterLocator: PosterLocator {
    /// The maximum number of cached locations, about 500 bytes each.
    private static let placeLimit = 20_000

    private let films: LocatePoster
    private let sources: Set<MovieSource>
    private let available: Set<MovieSource>
    private let packagedPath: @Sendable (String) -> String
    private let origins: ReloadableValue<[String: OriginTemplate]>
    private let tmdbImages: OriginTemplate?
    private let videoThumbnails: OriginTemplate?
    private let languages: PosterLanguages
    private let logger: Logger
    private let places = BoundedCache<PosterID, OriginalLocation>(countLimit: RoutingPosterLocator.placeLimit)

    /// - Parameters:
    ///   - packagedPath: Returns the path of a packaged file.
    ///   - origins: By source name.
    ///   - tmdbImages: The template of TMDB image URLs; `nil` if they are not served.
    ///   - videoThumbnails: The template of video thumbnails; `nil` if they are not served.
    ///   - languages: The sources with several posters of a film.
    init(
        films: MoviePosterLookup, packagedPath: @escaping @Sendable (String) -> String,
        origins: ReloadableValue<[String: OriginTemplate]>, tmdbImages: OriginTemplate?,
        videoThumbnails: OriginTemplate? = nil, languages: PosterLanguages = PosterLanguages(), logger: Logger
    ) {
        self.films = films.locate
        self.sources = films.sources
        self.available = films.available
        self.packagedPath = packagedPath
        self.origins = origins
        self.tmdbImages = tmdbImages
        self.videoThumbnails = videoThumbnails
        self.languages = languages
        self.logger = logger
    }

    func locate(_ id: PosterID) async throws -> OriginalLocation {
        if let source = MovieSource(rawValue: id.source), self.sources.contains(source) {
            return try await self.locateFilm(id)
        }
        return try self.locateElsewhere(id)
    }

    func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation? {
        guard let key = MoviePictureID(id), self.sources.contains(key.film.source) else { return nil }
        let choice: PosterChoice?
        switch key.part {
        case .poster: choice = nil
        case .choice(let one): choice = one
        case .gallery: return nil
        }
        self.places.remove(id)
        do {
            let picture = try await self.films.replacement(for: key.film, as: choice) {
                (try? self.original(at: $0)) == location
            }
            return try picture.map { try self.original(at: $0) }
        } catch let error where !(error is CancellationError) {
            // The caller then reports the picture as missing.
            self.logger.info(
                "The search for another poster failed",
                metadata: ["poster.id": "\(id.loggedText)", "error.message": "\(error)"])
            return nil
        }
    }

    func knownLocation(of id: PosterID) async throws -> OriginalLocation? {
        guard let key = MoviePictureID(id), self.sources.contains(key.film.source) else {
            // The name of a removed source has no location.
            return try? self.locateElsewhere(id)
        }
        if let place = self.places.value(for: id) { return place }
        // Packaged pictures are located without a request to a source.
        guard key.film.source == .embedded else { return nil }
        do {
            return try await self.locateFilm(id)
        } catch is PosterError {
            return nil  // a request for it reports the reason
        }
    }

    /// The error of an id with a source that is not configured; `nil` for others.
    func sourceFailure(of id: PosterID) -> PosterError? {
        if let source = MovieSource(rawValue: id.source), self.sources.contains(source) { return nil }
        do throws(PosterError) {
            _ = try self.locateElsewhere(id)
        } catch {
            if case .unknownSource = error { return error }
        }
        return nil
    }

    private func locateElsewhere(_ id: PosterID) throws(PosterError) -> OriginalLocation {
        // The policy for URLs was applied when the request was parsed.
        if id.source == PosterID.urlSource { return .web(url: id.key) }
        let origins = self.origins.value
        let template: OriginTemplate?
        switch id.source {
        case PosterID.tmdbImageSource: template = self.tmdbImages
        case PosterID.videoThumbnailSource:
            template = self.videoThumbnails
            // Any other key would cause a request for a video that cannot exist.
            guard template == nil || Video.Site.youtube.isKey(id.key) else { throw .unknownPoster(id) }
        default: template = origins[id.source]
        }
        guard let template else {
            throw .unknownSource(id.source, known: self.available.map(\.rawValue).sorted() + origins.keys.sorted())
        }
        do throws(OriginTemplate.KeyFailure) {
            return .web(url: try template.url(for: id.key))
        } catch {
            throw .unacceptableKey(id, reason: Self.words(for: error))
        }
    }
}

extension RoutingPosterLocator {
    private func locateFilm(_ id: PosterID) async throws -> OriginalLocation {
        guard let key = MoviePictureID(id), self.isNamed(key) else { throw PosterError.unknownPoster(id) }
        do {
            let picture =
                switch key.part {
                case .poster: try await self.films(key.film)
                case .choice(let choice): try await self.films(key.film, as: choice)
                case .gallery(let number): try await self.films.picture(number, of: key.film)
                }
            let place = try self.original(at: picture)
            self.places.insert(place, for: id)
            return place
        } catch let failure as SourceFailure {
            throw PosterError(failure)
        } catch is LocatePoster.Failure {
            throw PosterError.unknownPoster(id)
        } catch is DecidePoster.Failure {
            throw PosterError.unknownPoster(id)
        }
    }

    /// Whether the id is canonical: no other id may be the same picture.
    private func isNamed(_ key: MoviePictureID) -> Bool {
        guard case .choice(let choice) = key.part else { return true }
        let selection = PosterSelection(language: choice.language?.code, isTextless: choice.isTextless)
        return self.languages.makeID(of: selection, source: key.film.source.rawValue)
    }

    private func original(at picture: PictureLocation) throws(PosterError) -> OriginalLocation {
        switch picture {
        case .packaged(let file, let version):
            return .file(path: self.packagedPath(file), version: version)
        // A search result chose the URL: only public addresses are allowed.
        case .web(let url): return .found(url: url)
        case .tmdb(let file):
            guard let tmdbImages else {
                throw .sourceFailed(name: MovieSource.tmdb.name, .off(option: "--tmdb-images"))
            }
            do throws(OriginTemplate.KeyFailure) {
                return .web(url: try tmdbImages.url(for: file))
            } catch {
                throw .badOriginal(reason: "TMDB returned a file without a valid URL: \(Self.words(for: error))")
            }
        }
    }

    private static func words(for failure: OriginTemplate.KeyFailure) -> String {
        switch failure {
        case .holdsSlash: "keys of this source must not contain '/' or '\\', encoded or not"
        case .dotSegment: "a key must not contain the path segments '.' and '..', encoded or not"
        case .emptySegment: "a key must not begin or end with '/', or contain '//'"
        case .tooLong(let limit): "its URL would be longer than \(limit) bytes"
        }
    }
}

extension PosterError {
    /// The error of a poster if a request to its source failed. The cause is logged where it is known.
    init(_ failure: SourceFailure) {
        let trouble: PosterSourceFailure =
            switch failure {
            case .off(_, let option): .off(option: option)
            case .busy(_, let seconds): .busy(retryAfter: seconds)
            case .tooSlow: .tooSlow
            case .keyRefused, .unavailable, .badAnswer: .unavailable
            }
        self = .sourceFailed(name: failure.source.name, trouble)
    }
}
