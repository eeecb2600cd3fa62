import GRDB
import MovieDomain

extension LoadedCatalogue {
    /// Reads all of it, with one statement a table.
    init(_ db: Database, fingerprint: String) throws {
        let titles = try Self.texts(db, "SELECT filmId, language, title FROM filmTitle")
        let overviews = try Self.texts(db, "SELECT filmId, language, overview FROM filmOverview")
        let others = try Self.lists(db, "SELECT filmId, title FROM filmOtherTitle ORDER BY filmId, position")
        let genres = try Self.lists(db, "SELECT filmId, genre FROM filmGenre ORDER BY filmId, position")
        let countries = try Self.lists(db, "SELECT filmId, country FROM filmCountry ORDER BY filmId, position")
        let credits = Dictionary(
            grouping: try Row.fetchAll(db, sql: "SELECT * FROM filmCredit ORDER BY filmId, kind, position")
        ) { (row) -> String in row["filmId"] }
        let pictures = Dictionary(
            grouping: try FilmPictureRecord.order(Column("filmId"), Column("position")).fetchAll(db), by: \.filmId)
        let records = try FilmRecord.order(Column("position")).fetchAll(db)
        let films = records.compactMap { (record) -> EmbeddedFilm? in
            let (crew, cast) = Self.people(credits[record.id] ?? [])
            return record.film(
                titles: titles[record.id] ?? [:], otherTitles: others[record.id] ?? [],
                overviews: overviews[record.id] ?? [:], genres: genres[record.id] ?? [], crew: crew,
                cast: cast, countries: countries[record.id] ?? [], pictures: pictures[record.id] ?? [])
        }
        self.init(fingerprint: fingerprint, films: films, names: try CatalogueNames(db))
    }

    private static func texts(_ db: Database, _ sql: String) throws -> [String: [String: String]] {
        var texts: [String: [String: String]] = [:]
        for row in try Row.fetchAll(db, sql: sql) {
            let (film, language, text): (String, String, String) = (row[0], row[1], row[2])
            texts[film, default: [:]][language] = text
        }
        return texts
    }

    private static func lists(_ db: Database, _ sql: String) throws -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for row in try Row.fetchAll(db, sql: sql) {
            let (film, text): (String, String) = (row[0], row[1])
            lists[film, default: []].append(text)
        }
        return lists
    }

    private static func people(_ rows: [Row]) -> (crew: [Credits.CrewMember], cast: [Credits.CastMember]) {
        var (crew, cast): ([Credits.CrewMember], [Credits.CastMember]) = ([], [])
        for row in rows {
            let (kind, name, role): (String, String, String) = (row["kind"], row["name"], row["role"])
            if kind == "director" {
                crew.append(Credits.CrewMember(name: name, sourceJob: "Director", id: PersonID(embedded: name)))
            } else {
                cast.append(Credits.CastMember(name: name, role: role, id: PersonID(embedded: name)))
            }
        }
        return (crew, cast)
    }
}

extension CatalogueNames {
    init(_ db: Database) throws {
        self.init()
        for row in try Row.fetchAll(db, sql: "SELECT kind, key, language, name FROM catalogueName") {
            let (kind, key, language, name): (String, String, String, String) = (row[0], row[1], row[2], row[3])
            if kind == "word" { self.words[key, default: [:]][language] = name }
        }
        let sql = "SELECT person, language, name, isOriginal FROM cataloguePersonName ORDER BY person, position"
        for row in try Row.fetchAll(db, sql: sql) {
            let (person, language, name): (String, String?, String) = (row[0], row[1], row[2])
            self.people[person, default: Person(name: person)].add(name, language: language, isOriginal: row[3])
        }
    }
}

/// A row of `film`; lists are in tables of their own.
struct FilmRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "film"

    var id: String
    var position: Int
    var originalTitle: String
    var originalLanguage: String
    var year: Int
    var releaseDate: String?
    var runtimeMinutes: Int?
    var posterLocation: String?
    var posterVersion: String?
    var posterWidth: Int?
    var posterHeight: Int?
    var scoreAverage: Double?
    var scoreCount: Int?
    var certificate: String?
    var sound: String?
    var colour: String?

    private var poster: PosterReference? {
        guard let location = self.posterLocation, let version = self.posterVersion,
            let size = PictureSize(width: self.posterWidth, height: self.posterHeight)
        else { return nil }
        return PosterReference(.packaged(file: location, version: version), size: size)
    }

    /// The film with its lists.
    /// - Returns: nil for a row without a valid id or title.
    func film(
        titles: [String: String], otherTitles: [String], overviews: [String: String], genres: [String],
        crew: [Credits.CrewMember], cast: [Credits.CastMember], countries: [String], pictures: [FilmPictureRecord]
    ) -> EmbeddedFilm? {
        guard let id = MovieID(source: .embedded, key: self.id), !titles.isEmpty else { return nil }
        return EmbeddedFilm(
            id: id, position: self.position, titles: titles, originalTitle: self.originalTitle,
            otherTitles: otherTitles, originalLanguage: Language(self.originalLanguage), year: self.year,
            releaseDate: self.releaseDate.flatMap { CalendarDate($0) }, runtimeMinutes: self.runtimeMinutes,
            genres: genres.compactMap { GenreID(rawValue: $0) }, crew: crew, cast: cast,
            countries: countries.compactMap { Country(code: $0) }, overviews: overviews,
            score: AudienceScore(average: self.scoreAverage, count: self.scoreCount),
            certificate: self.certificate.flatMap { Certificate($0, in: .unitedKingdom) },
            sound: self.sound, colour: self.colour, poster: self.poster,
            pictures: pictures.map(\.image))
    }
}

/// A row of `filmPicture`: a picture beside the poster.
struct FilmPictureRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "filmPicture"

    var filmId: String
    /// From 0; the backdrop is first.
    var position: Int
    var kind: String
    var file: String
    var version: String
    var width: Int
    var height: Int
    var isTextless: Bool

    /// A kind that is unknown to this version is a still: the numbers of the others stay.
    fileprivate var image: FilmImage {
        let picture = GalleryPicture(
            kind: GalleryPicture.Kind(rawValue: self.kind) ?? .still,
            location: .packaged(file: self.file, version: self.version),
            size: PictureSize(width: self.width, height: self.height))
        return FilmImage(picture, isTextless: self.isTextless, place: self.position + 1)
    }
}
