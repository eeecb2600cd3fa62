import MovieDomain
import UpstreamClient

/// A film's row in TMDB's lists.
struct TMDBRow: Sendable {
    let id: MovieID
    var title: String
    let originalTitle: String
    let originalLanguage: Language?
    var overview: String
    let releaseDate: CalendarDate?
    let genreIDs: [Int]
    let score: AudienceScore?
    let poster: PictureLocation?
    let backdrop: PictureLocation?
    /// The user's rating, in lists of rated films.
    let rating: Double?

    private static let genreLimit = 50

    /// - Returns: `nil` if the row has no id or no title, or is not a film (in lists of several media).
    init?(_ row: TolerantObject) {
        guard (row.text("media_type") ?? "movie") == "movie", let number = row.integer("id"),
            let id = MovieID(source: .tmdb, key: String(number))
        else { return nil }
        self.id = id
        // Collections send `name`.
        self.title = row.text("title") ?? row.text("name") ?? ""
        self.originalTitle = row.text("original_title") ?? row.text("original_name") ?? ""
        guard !self.title.isEmpty || !self.originalTitle.isEmpty else { return nil }
        self.originalLanguage = row.text("original_language").flatMap { Language($0) }
        self.overview = row.text("overview") ?? ""
        self.releaseDate = row.date("release_date")?.date
        self.genreIDs = Array(row.texts("genre_ids").compactMap { Int($0) }.prefix(Self.genreLimit))
        self.score = AudienceScore(average: row.number("vote_average"), count: row.integer("vote_count"))
        self.poster = TMDBPicture.location(row.text("poster_path"))
        self.backdrop = TMDBPicture.location(row.text("backdrop_path"))
        self.rating = row.number("rating")
    }

    /// Fills empty texts from the row in another language.
    mutating func fill(from other: TMDBRow) {
        if self.title.isEmpty { self.title = other.title }
        if self.overview.isEmpty { self.overview = other.overview }
    }

    func summary(_ genres: TMDBGenres) -> MovieSummary? {
        MovieSummary(
            id: self.id, title: self.title, originalTitle: self.originalTitle,
            originalLanguage: self.originalLanguage, overview: self.overview, releaseDate: self.releaseDate,
            genres: genres.genres(self.genreIDs), score: self.score, poster: self.poster.map { PosterReference($0) },
            backdrop: self.backdrop.map { PosterReference($0) })
    }
}

struct TMDBPage: Sendable {
    var rows: [TMDBRow]
    /// The page number that TMDB states, if any.
    let number: Int?
    /// Whether TMDB's page has rows, including dropped ones.
    let hasRows: Bool
    let totalPages: Int
    let totalResults: Int

    /// The maximal number of rows: some pages have 21; lists show ``TMDB/pageSize``.
    private static let rowLimit = 2 * TMDB.pageSize

    /// Drops duplicate rows, and rows without an id or a title.
    init(decoding answer: UpstreamResponse) throws {
        let object = try TolerantJSON.object(answer.body)
        // Without rows the page is empty; without `results` it is some other response.
        guard object.has("results") else { throw UnreadableResponse(reason: "has no results") }
        let rows = object.rows("results")
        self.rows = Array(Self.rows(rows).prefix(Self.rowLimit))
        self.hasRows = !rows.isEmpty
        self.number = object.integer("page")
        self.totalPages = min(TMDB.pageLimit, object.integer("total_pages") ?? (self.rows.isEmpty ? 0 : 1))
        self.totalResults = object.integer("total_results") ?? self.rows.count
    }

    /// Creates the only page of a complete list.
    init(all rows: [TMDBRow]) {
        self.rows = rows
        self.hasRows = !rows.isEmpty
        self.number = 1
        self.totalPages = rows.isEmpty ? 0 : 1
        self.totalResults = rows.count
    }

    /// Drops duplicate rows, and rows without an id or a title.
    static func rows(_ objects: [TolerantObject]) -> [TMDBRow] {
        var ids: Set<MovieID> = []
        return objects.compactMap { TMDBRow($0) }.filter { ids.insert($0.id).inserted }
    }

    /// Fills empty texts from the page in another language.
    mutating func fill(from other: TMDBPage) {
        let others = Dictionary(other.rows.map { ($0.id, $0) }) { first, _ in first }
        for index in self.rows.indices {
            guard let other = others[self.rows[index].id] else { continue }
            self.rows[index].fill(from: other)
        }
    }

    /// Whether a page in another language may fill empty texts.
    var hasGaps: Bool { self.rows.contains { $0.title.isEmpty || $0.overview.isEmpty } }

    func page(_ number: Int, _ genres: TMDBGenres) -> Page<MovieSummary> {
        Page(
            number: number, results: self.rows.compactMap { $0.summary(genres) }, hasRows: self.hasRows,
            statedPages: self.totalPages, statedResults: self.totalResults)
    }
}

/// A picture of TMDB by its path.
enum TMDBPicture {
    /// The maximal length of a file name in bytes.
    private static let maxNameLength = 64

    /// The location of a path such as `/name.jpg`; `nil` unless it is a plain file name.
    static func location(_ path: String?) -> PictureLocation? {
        guard let path, path.utf8.count <= Self.maxNameLength + 1, path.first == "/" else { return nil }
        let name = path.dropFirst()
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isNameByte) })
        else { return nil }
        return .tmdb(file: String(name))
    }

    /// Whether the byte may occur in file names, request tokens and sessions.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The picture in a row of `images`.
    static func picture(_ row: TolerantObject, kind: GalleryPicture.Kind) -> GalleryPicture? {
        let size = PictureSize(width: row.integer("width"), height: row.integer("height"))
        return Self.location(row.text("file_path")).map { GalleryPicture(kind: kind, location: $0, size: size) }
    }
}
