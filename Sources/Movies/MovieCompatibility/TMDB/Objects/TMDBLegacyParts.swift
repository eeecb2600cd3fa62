import MovieDomain

/// Parts of a film in the forms that old clients read. Members without the film's `id`, as in ``TMDBFilmParts``.
enum TMDBLegacyParts {
    /// The height of videos that are said to be of high definition, in pixels.
    private static let highDefinition = 720

    /// The videos at YouTube; there are none in QuickTime's format any more.
    static func trailers(_ videos: [Video]) -> OrderedJSON {
        let rows: [OrderedJSON] = videos.filter { $0.site == .youtube }.map { video in
            [
                "name": .string(video.name), "size": (video.height ?? 0) < self.highDefinition ? "HQ" : "HD",
                "source": .string(video.key), "type": .string(TMDBFilmParts.word(video.kind)),
            ]
        }
        return ["quicktime": [], "youtube": .array(rows)]
    }

    /// The primary one is the first on the film's own day.
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
