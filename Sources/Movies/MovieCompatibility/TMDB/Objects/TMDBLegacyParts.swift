import MovieDomain

/// Parts of a film in the formats of old clients, without the film's `id`, as in ``TMDBFilmParts``.
enum TMDBLegacyParts {
    /// The minimum height of videos marked as high definition, in pixels.
    private static let highDefinition = 720

    /// The videos at YouTube; the catalogue has none in QuickTime's format.
    static func trailers(_ videos: [Video]) -> OrderedJSON {
        let rows: [OrderedJSON] = videos.filter { $0.site == .youtube }.map { video in
            [
                "name": .string(video.name), "size": (video.height ?? 0) < self.highDefinition ? "HQ" : "HD",
                "source": .string(video.key), "type": .string(TMDBFilmParts.word(video.kind)),
            ]
        }
        return ["quicktime": [], "youtube": .array(rows)]
    }

    /// The primary release is the first one on the film's release date.
    static func releases(of movie: Movie) -> OrderedJSON {
        let releases = TMDBFilmParts.dated(of: movie)
        let primary = releases.firstIndex { $0.date == movie.summary.releaseDate }
        let rows: [OrderedJSON] = releases.enumerated().map { place, release in
            [
                "certification": .string(release.certificate?.rating ?? ""), "descriptors": [],
                "iso_3166_1": .string(release.country.code), "primary": .boolean(place == primary),
                "release_date": .string(release.date?.description ?? ""),
            ]
        }
        return ["countries": .array(rows)]
    }
}
