import MovieDomain

/// The parts of a film, which are appended to it or have their own resources; without the film's `id`.
enum TMDBFilmParts {
    /// Only IMDb's ids are known.
    static func externalIDs(imdbID: String?) -> OrderedJSON {
        [
            "imdb_id": .text(imdbID), "wikidata_id": nil, "facebook_id": nil, "instagram_id": nil, "twitter_id": nil,
        ]
    }

    static func keywords(_ keywords: [Keyword]) -> OrderedJSON {
        let rows: [OrderedJSON] = keywords.compactMap { keyword in
            guard let number = keyword.id.flatMap({ Keyword.tmdbNumber(ofID: $0) }) else { return nil }
            return ["id": .integer(number), "name": .string(keyword.name)]
        }
        return ["keywords": .array(rows)]
    }

    static func videos(_ videos: [Video]) -> OrderedJSON {
        ["results": .array(videos.compactMap(self.video))]
    }

    /// `nil` if The Movie Database does not have the video's site.
    private static func video(_ video: Video) -> OrderedJSON? {
        let site: String
        switch video.site {
        case .youtube: site = "YouTube"
        case .vimeo: site = "Vimeo"
        case .itunes: return nil
        }
        return [
            "iso_639_1": .string(video.language?.code ?? ""), "iso_3166_1": .string(video.country?.code ?? ""),
            "name": .string(video.name), "key": .string(video.key), "site": .string(site),
            "size": .integer(video.height ?? 0), "type": .string(self.word(video.kind)),
            "official": .boolean(video.isOfficial),
            "published_at": .string(video.publishedAt.map(TMDBDates.milliseconds) ?? ""), "id": .string(video.id),
        ]
    }

    static func word(_ kind: Video.Kind) -> String {
        switch kind {
        case .trailer: "Trailer"
        case .teaser: "Teaser"
        case .clip, .other: "Clip"
        case .featurette: "Featurette"
        case .behindTheScenes: "Behind the Scenes"
        case .bloopers: "Bloopers"
        }
    }

    static func reviews(_ page: Page<Review>) -> OrderedJSON {
        TMDBPage.object(page, rows: page.results.map(self.review))
    }

    static func review(_ review: Review) -> OrderedJSON {
        let date = OrderedJSON.string(review.createdAt.map(TMDBDates.milliseconds) ?? "")
        return [
            "author": .string(review.author),
            "author_details": [
                "name": "", "username": .string(review.author), "avatar_path": nil,
                // The Movie Database sends a whole number, and clients accept no other.
                "rating": review.score.map { OrderedJSON.integer(Int($0.rounded())) } ?? .null,
            ],
            "content": .string(review.content), "created_at": date,
            "id": .string(TMDBNumber.id(of: review)), "updated_at": date,
            "url": .string(review.url ?? ""),
        ]
    }

    /// Releases with a day. If only the first release is known, it is listed under the film's first country.
    static func dated(of movie: Movie) -> [Release] {
        let releases = Release.sorted(movie.releases).filter { $0.date != nil }
        guard releases.isEmpty, let date = movie.summary.releaseDate, let country = movie.countries.first else {
            return releases
        }
        let certificate = movie.certificate.flatMap { $0.country == country ? $0 : nil }
        return [Release(country: country, date: date, kind: .theatrical, certificate: certificate)]
    }

    static func releases(of movie: Movie) -> OrderedJSON {
        let countries = Dictionary(grouping: self.dated(of: movie), by: \.country.code).sorted { $0.key < $1.key }
        let rows: [OrderedJSON] = countries.map { code, releases in
            ["iso_3166_1": .string(code), "release_dates": .array(releases.map(self.release))]
        }
        return ["results": .array(rows)]
    }

    private static func release(_ release: Release) -> OrderedJSON {
        let place = Release.Kind.allCases.firstIndex(of: release.kind) ?? 0
        return [
            "certification": .string(release.certificate?.rating ?? ""), "descriptors": [], "iso_639_1": "",
            "note": .string(release.note), "release_date": .string(TMDBDates.midnight(release.date)),
            // Other kinds have no number: 3 is a theatrical release.
            "type": .integer(release.kind == .other ? 3 : place + 1),
        ]
    }

    static func offers(_ offers: FilmOffers) -> OrderedJSON {
        let countries = offers.byCountry.sorted { $0.key.code < $1.key.code }.map { country, offers in
            OrderedJSON.Member(country.code, self.offers(offers))
        }
        return ["results": .object(countries)]
    }

    private static func offers(_ offers: WatchOffers) -> OrderedJSON {
        let kinds = offers.offers.map { offer in
            OrderedJSON.Member(
                offer.kind == .subscription ? "flatrate" : offer.kind.rawValue,
                .array(offer.providers.enumerated().compactMap { place, provider in self.row(provider, at: place) }))
        }
        return .object([OrderedJSON.Member("link", .string(offers.link ?? ""))] + kinds)
    }

    private static func row(_ provider: WatchOffers.Provider, at place: Int) -> OrderedJSON? {
        Int(provider.id).map { number in
            [
                "logo_path": TMDBPicturePath.path(of: provider.logo), "provider_id": .integer(number),
                "provider_name": .string(provider.name), "display_priority": .integer(place),
            ]
        }
    }
}
