import MovieDomain
import UpstreamClient

/// A film's details with the appended responses.
struct TMDBFilm: Sendable {
    /// The maximal numbers of cast and crew members in details; ``credits`` has all.
    static let shownCastCount = 20
    /// The maximal number of pictures in a gallery, and of posters among them.
    private static let galleryLimits = (all: 30, posters: 10)
    var movie: Movie
    let credits: Credits
    /// The best-rated poster without text; `nil` if there is none.
    let textlessPoster: PosterReference?

    init(decoding answer: UpstreamResponse, language: Language) throws {
        let film = try TolerantJSON.object(answer.body)
        let preference = LanguagePreference([language])
        let credits = TMDBCredits.credits(film.object("credits"))
        guard let row = TMDBRow(film), var summary = row.summary(TMDBGenres(language: preference)) else {
            throw UnreadableResponse(reason: "is not a film")
        }
        summary.genres = TMDBGenres(TMDBGenres.names(in: film), language: preference).all
        let names = FilmNames(credits)
        (summary.directors, summary.cast) = (names.directors, names.cast)
        let images = film.object("images")
        let posters = (images?.rows("posters") ?? []).compactMap { TMDBPicture.picture($0, kind: .poster) }
        summary.poster = row.poster.map { place in
            PosterReference(place, size: posters.first { $0.location == place }?.size)
        }
        summary.backdrop = row.backdrop.map { Self.reference($0, among: images?.rows("backdrops")) }
        // TMDB sends null for pictures without text, and sorts by rating.
        self.textlessPoster = (images?.rows("posters") ?? []).first { picture in
            picture.has("iso_639_1") && picture.text("iso_639_1") == nil
        }.flatMap { TMDBPicture.picture($0, kind: .poster) }.map { PosterReference($0.location, size: $0.size) }
        let releases = film.object("release_dates").map { TMDBReleases($0) }
        let reviews = try film.object("reviews").map { try TMDBReviews($0) }
        self.credits = credits
        self.movie = Movie(
            summary: summary, tagline: film.text("tagline") ?? "", runtimeMinutes: film.integer("runtime"),
            countries: Self.countries(film),
            certificate: releases?.certificate(for: language),
            status: film.text("status").flatMap { FilmStatus(word: $0) },
            credits: TMDBCredits.best(of: credits),
            gallery: Self.gallery(images, posters.filter { $0.location != row.poster }),
            reviews: reviews?.reviews ?? [], reviewCount: reviews?.totalResults,
            homepage: WebURL.valid(film.text("homepage")),
            imdbID: (film.text("imdb_id") ?? film.object("external_ids")?.text("imdb_id")).flatMap(Self.imdbID),
            information: TMDBInformation.items(film), videos: TMDBVideos.videos(film.object("videos")),
            keywords: Self.keywords(film), collection: film.object("belongs_to_collection").flatMap(Self.collection),
            releases: releases?.all ?? [])
    }

    /// Fills empty texts from the details in another language.
    mutating func fill(from other: TMDBFilm) {
        if self.movie.summary.overview.isEmpty { self.movie.summary.overview = other.movie.summary.overview }
        if self.movie.tagline.isEmpty { self.movie.tagline = other.movie.tagline }
        if self.movie.reviews.isEmpty {
            (self.movie.reviews, self.movie.reviewCount) = (other.movie.reviews, other.movie.reviewCount)
        }
        if self.movie.videos.isEmpty { self.movie.videos = other.movie.videos }
        // Without its size: stating it would claim a poster in this film's language.
        if self.movie.summary.poster == nil {
            self.movie.summary.poster = other.movie.summary.poster.map { PosterReference($0.location) }
        }
    }

    private static func gallery(_ images: TolerantObject?, _ posters: [GalleryPicture]) -> [GalleryPicture] {
        let backdrops = (images?.rows("backdrops") ?? []).compactMap { TMDBPicture.picture($0, kind: .backdrop) }
        let posters = posters.prefix(Self.galleryLimits.posters)
        return Array((backdrops.prefix(Self.galleryLimits.all - posters.count) + posters))
    }

    private static func countries(_ film: TolerantObject) -> [Country] {
        film.rows("production_countries").compactMap { $0.text("iso_3166_1").flatMap { Country(code: $0) } }.uniqued
    }

    private static func keywords(_ film: TolerantObject) -> [Keyword] {
        let rows = film.object("keywords")?.rows("keywords") ?? []
        let keywords = rows.compactMap { row in
            row.text("name").flatMap { name in row.integer("id").map { Keyword(tmdb: $0, name: name) } }
        }
        return Array(keywords.prefix(Keyword.limit))
    }

    /// The collection in a film's details or in a response about a collection.
    static func collection(_ row: TolerantObject) -> CollectionReference? {
        guard let number = row.integer("id"), let id = CollectionID(source: .tmdb, key: String(number)) else {
            return nil
        }
        return CollectionReference(
            id: id, name: row.text("name") ?? "",
            poster: TMDBPicture.location(row.text("poster_path")).map { PosterReference($0) },
            backdrop: TMDBPicture.location(row.text("backdrop_path")).map { PosterReference($0) })
    }

    /// A picture with its size from `images`.
    private static func reference(_ location: PictureLocation, among rows: [TolerantObject]?) -> PosterReference {
        let picture = (rows ?? []).first { TMDBPicture.location($0.text("file_path")) == location }
        return PosterReference(
            location, size: PictureSize(width: picture?.integer("width"), height: picture?.integer("height")))
    }

    private static func imdbID(_ text: String) -> String? {
        MovieID(source: .omdb, key: text)?.key
    }
}

/// The cast and crew of a film.
enum TMDBCredits {
    /// The crew's jobs that details include.
    private static let shownJobs: Set<Job> = [
        .director, .screenplay, .writer, .story, .sourceWork, .producer, .cinematographer, .editor, .composer,
    ]

    static func credits(_ object: TolerantObject?) -> Credits {
        let cast = (object?.rows("cast", limit: ResponseLimits.credits) ?? []).enumerated().map { (index, row) in
            (order: row.integer("order") ?? index, member: Self.castMember(row))
        }
        return Credits(
            cast: cast.sorted { $0.order < $1.order }.compactMap(\.member),
            crew: (object?.rows("crew", limit: ResponseLimits.credits) ?? []).compactMap(Self.crewMember))
    }

    static func best(of credits: Credits) -> Credits {
        Credits(
            cast: Array(credits.cast.prefix(TMDBFilm.shownCastCount)),
            crew: Array(credits.crew.filter { Self.shownJobs.contains($0.job) }.prefix(TMDBFilm.shownCastCount)))
    }

    private static func castMember(_ row: TolerantObject) -> Credits.CastMember? {
        guard let name = row.text("name") ?? row.text("original_name") else { return nil }
        return Credits.CastMember(
            name: name, originalName: row.text("original_name") ?? "", role: row.text("character") ?? "",
            portrait: TMDBPicture.location(row.text("profile_path")), id: PersonID(tmdb: row))
    }

    private static func crewMember(_ row: TolerantObject) -> Credits.CrewMember? {
        guard let name = row.text("name") ?? row.text("original_name") else { return nil }
        let department = row.text("department")
        return Credits.CrewMember(
            name: name, sourceJob: row.text("job") ?? department ?? "",
            department: department.flatMap { Department(tmdb: $0) }, id: PersonID(tmdb: row))
    }
}

enum TMDBInformation {
    static func items(_ film: TolerantObject) -> [InformationItem] {
        let languages = film.rows("spoken_languages").compactMap { $0.text("name") ?? $0.text("english_name") }
        let companies = film.rows("production_companies").compactMap { $0.text("name") }
        return InformationItem.items([
            (.productionCompanies, companies.joined(separator: ", ")),
            (.spokenLanguages, languages.joined(separator: ", ")),
            (.collection, film.object("belongs_to_collection")?.text("name")),
            (.budget, film.integer("budget").flatMap(Self.dollars)),
            (.revenue, film.integer("revenue").flatMap(Self.dollars)),
        ])
    }

    /// Formats `63000000` as `$63,000,000`; `nil` for 0, which means unknown.
    private static func dollars(_ amount: Int) -> String? {
        amount > 0 ? "$" + amount.groupedByThousands : nil
    }
}
