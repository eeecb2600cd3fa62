import FoundationEssentials
package import MovieDomain

/// A film at the time when it was added to a list, as JSON.
///
/// Everything except the title is optional: newer and older versions of the program read the rows.
package struct MovieSnapshot: Codable {
    /// The version of the format. Increment it if a name below changes its meaning, but not for new names.
    package static let format = 1

    struct Genre: Codable {
        /// A ``GenreID``; in older snapshots, an id of the film's source.
        var id: String
        var name: String

        /// `nil` for a genre of an older snapshot that is not in the vocabulary.
        var genre: MovieDomain.Genre? {
            (GenreID(rawValue: self.id) ?? GenreID.ids(word: self.name).first).map {
                MovieDomain.Genre(id: $0, name: self.name)
            }
        }
    }

    struct Score: Codable {
        var average: Double
        var count: Int
    }

    struct Poster: Codable {
        var file: String?
        var version: String?
        var url: String?
        var tmdb: String?
        var width: Int?
        var height: Int?
    }

    /// The requested language of the texts; `nil` if unknown.
    var language: String?
    var title: String
    var originalTitle: String?
    var originalLanguage: String?
    var overview: String?
    var releaseDate: String?
    var year: Int?
    var genres: [Genre]?
    var directors: [String]?
    var cast: [String]?
    var score: Score?
    var poster: Poster?
    var backdrop: Poster?

    /// - Parameter language: The requested language of the texts; `nil` if unknown.
    package init(_ movie: MovieSummary, language: Language? = nil) {
        self.language = language?.code
        self.title = movie.title
        self.originalTitle = movie.originalTitle
        self.originalLanguage = movie.originalLanguage?.code
        self.overview = movie.overview
        self.releaseDate = movie.releaseDate?.description
        self.year = movie.year
        self.genres = movie.genres.map { Genre(id: $0.id.rawValue, name: $0.name) }
        self.directors = movie.directors
        self.cast = movie.cast
        self.score = movie.score.map { Score(average: $0.average, count: $0.count) }
        self.poster = movie.poster.map(Poster.init)
        self.backdrop = movie.backdrop.map(Poster.init)
    }

    /// Only the title and the year; without the language, so that the rest is requested when the film is shown.
    package var nameOnly: MovieSnapshot {
        var name = self
        name.language = nil
        (name.originalTitle, name.originalLanguage, name.overview, name.releaseDate) = (nil, nil, nil, nil)
        (name.genres, name.directors, name.cast, name.score, name.poster) = (nil, nil, nil, nil, nil)
        name.backdrop = nil
        name.year = self.year ?? self.releaseDate.flatMap { CalendarDate($0) }?.year
        return name
    }

    package func movie(_ id: MovieID) -> MovieSummary? {
        MovieSummary(
            id: id, title: self.title, originalTitle: self.originalTitle ?? "",
            originalLanguage: self.originalLanguage.flatMap { Language($0) }, overview: self.overview ?? "",
            releaseDate: self.releaseDate.flatMap { CalendarDate($0) }, year: self.year,
            genres: (self.genres ?? []).compactMap(\.genre),
            directors: self.directors ?? [], cast: self.cast ?? [],
            score: AudienceScore(average: self.score?.average, count: self.score?.count),
            poster: self.poster?.reference, backdrop: self.backdrop?.reference)
    }
}

extension MovieSnapshot {
    package init?(json: String) {
        guard let snapshot = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = snapshot
    }

    /// - Throws: `EncodingError` for numbers that JSON cannot represent.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// - Parameter language: The requested language of the texts; `nil` if unknown.
    /// - Throws: `StorageFailure`.
    package static func json(of movie: MovieSummary, language: Language? = nil) throws -> String {
        do {
            return try MovieSnapshot(movie, language: language).json()
        } catch {
            throw StorageFailure(reason: "\(movie.id) cannot be written: \(error)")
        }
    }
}

extension MovieSnapshot.Poster {
    init(_ poster: PosterReference) {
        switch poster.location {
        case .packaged(let file, let version): (self.file, self.version) = (file, version)
        case .web(let url): self.url = url
        case .tmdb(let file): self.tmdb = file
        }
        (self.width, self.height) = (poster.size?.width, poster.size?.height)
    }

    var reference: PosterReference? {
        let size = PictureSize(width: self.width, height: self.height)
        if let file, let version { return PosterReference(.packaged(file: file, version: version), size: size) }
        if let url { return PosterReference(.web(url: url), size: size) }
        return self.tmdb.map { PosterReference(.tmdb(file: $0), size: size) }
    }
}
