import GRDB
import MovieDomain
import RebuildableDatabase

extension LoadedCatalogue {
    /// Reads the catalogue without damaged rows, with one statement per table.
    init(_ db: Database, fingerprint: String, _ damage: DamagedRecords) throws {
        let tables = CatalogueTables(db: db, damage: damage)
        let titles = try tables.texts("title", of: "filmTitle")
        let overviews = try tables.texts("overview", of: "filmOverview")
        let others = try tables.lists("title", of: "filmOtherTitle")
        let genres = try tables.lists("genre", of: "filmGenre")
        let countries = try tables.lists("country", of: "filmCountry")
        let credits = Dictionary(
            grouping: try tables.rows(
                "SELECT * FROM filmCredit ORDER BY filmId, kind, position", of: "filmCredit", CreditRecord.init(row:)),
            by: \.filmId)
        let pictures = Dictionary(
            grouping: try tables.rows(
                "SELECT * FROM filmPicture ORDER BY filmId, position", of: "filmPicture", FilmPictureRecord.init(row:)),
            by: \.filmId)
        let records = try tables.rows("SELECT * FROM film ORDER BY position", of: "film", FilmRecord.init(row:))
        let films = records.compactMap { (record) -> EmbeddedFilm? in
            let people = credits[record.id] ?? []
            return record.film(
                titles: titles[record.id] ?? [:], otherTitles: others[record.id] ?? [],
                overviews: overviews[record.id] ?? [:], genres: genres[record.id] ?? [],
                crew: people.compactMap(\.crewMember), cast: people.compactMap(\.castMember),
                countries: countries[record.id] ?? [], pictures: pictures[record.id] ?? [])
        }
        self.init(fingerprint: fingerprint, films: films, names: try CatalogueNames(tables))
    }
}

private struct CatalogueTables {
    let db: Database
    let damage: DamagedRecords

    func rows<Value>(_ sql: String, of table: String, _ decode: (Row) throws -> Value) throws -> [Value] {
        try self.damage.rows(self.db.makeStatement(sql: sql), of: table, decode)
    }

    /// The texts by film and language.
    func texts(_ column: String, of table: String) throws -> [String: [String: String]] {
        var texts: [String: [String: String]] = [:]
        _ = try self.rows("SELECT filmId, language, \(column) FROM \(table)", of: table) { row in
            let film = try row.checked("filmId", as: String.self)
            texts[film, default: [:]][try row.checked("language")] = try row.checked(column, as: String.self)
        }
        return texts
    }

    /// The ordered texts by film.
    func lists(_ column: String, of table: String) throws -> [String: [String]] {
        var lists: [String: [String]] = [:]
        _ = try self.rows("SELECT filmId, \(column) FROM \(table) ORDER BY filmId, position", of: table) { row in
            lists[try row.checked("filmId"), default: []].append(try row.checked(column))
        }
        return lists
    }
}

extension CatalogueNames {
    fileprivate init(_ tables: CatalogueTables) throws {
        self.init()
        var (words, people) = (self.words, self.people)
        let sqlOfWords = "SELECT key, language, name FROM catalogueName WHERE kind = 'word'"
        _ = try tables.rows(sqlOfWords, of: "catalogueName") { row in
            let key = try row.checked("key", as: String.self)
            words[key, default: [:]][try row.checked("language")] = try row.checked("name", as: String.self)
        }
        let sql = "SELECT person, language, name, isOriginal FROM cataloguePersonName ORDER BY person, position"
        _ = try tables.rows(sql, of: "cataloguePersonName") { row in
            let (person, name) = (try row.checked("person", as: String.self), try row.checked("name", as: String.self))
            people[person, default: Person(name: person)].add(
                name, language: try row.checked("language"), isOriginal: try row.checked("isOriginal"))
        }
        (self.words, self.people) = (words, people)
    }
}

/// A row of `filmCredit`.
private struct CreditRecord {
    let filmId: String
    let kind: String
    let name: String
    let role: String

    init(row: Row) throws(DamagedRow) {
        self.filmId = try row.checked("filmId")
        self.kind = try row.checked("kind")
        self.name = try row.checked("name")
        self.role = try row.checked("role")
    }

    var crewMember: Credits.CrewMember? {
        guard self.kind == "director" else { return nil }
        return Credits.CrewMember(name: self.name, sourceJob: "Director", id: PersonID(embedded: self.name))
    }

    var castMember: Credits.CastMember? {
        guard self.kind == "cast" else { return nil }
        return Credits.CastMember(name: self.name, role: self.role, id: PersonID(embedded: self.name))
    }
}

/// A row of `film`; lists have their own tables.
struct FilmRecord: Encodable, PersistableRecord {
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
    ///
    /// - Returns: `nil` if the id is invalid or there is no title.
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

/// A row of `filmPicture`: a picture other than the poster.
struct FilmPictureRecord: Encodable, PersistableRecord {
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

    /// An unknown kind becomes a still, so that the other pictures keep their numbers.
    fileprivate var image: FilmImage {
        let picture = GalleryPicture(
            kind: GalleryPicture.Kind(rawValue: self.kind) ?? .still,
            location: .packaged(file: self.file, version: self.version),
            size: PictureSize(width: self.width, height: self.height))
        return FilmImage(picture, isTextless: self.isTextless, place: self.position + 1)
    }
}

extension FilmRecord {
    /// Accepted ranges: arithmetic with these numbers cannot overflow.
    private static let positions = 0...1_000_000
    private static let minutes = 1...100_000
    private static let scoreCounts = 0...1_000_000_000

    fileprivate init(row: Row) throws(DamagedRow) {
        self.init(
            id: try row.checked("id"), position: try row.checked("position", in: Self.positions),
            originalTitle: try row.checked("originalTitle"), originalLanguage: try row.checked("originalLanguage"),
            year: try row.checked("year", in: CalendarDate.years), releaseDate: try row.checked("releaseDate"),
            runtimeMinutes: try row.checkedIfPresent("runtimeMinutes", in: Self.minutes),
            posterLocation: try row.checked("posterLocation"), posterVersion: try row.checked("posterVersion"),
            posterWidth: try row.checked("posterWidth"), posterHeight: try row.checked("posterHeight"),
            scoreAverage: try row.checkedIfPresent("scoreAverage", in: 0...10),
            scoreCount: try row.checkedIfPresent("scoreCount", in: Self.scoreCounts),
            certificate: try row.checked("certificate"), sound: try row.checked("sound"),
            colour: try row.checked("colour"))
    }
}

extension FilmPictureRecord {
    private static let positions = 0...1_000_000

    fileprivate init(row: Row) throws(DamagedRow) {
        self.init(
            filmId: try row.checked("filmId"), position: try row.checked("position", in: Self.positions),
            kind: try row.checked("kind"), file: try row.checked("file"), version: try row.checked("version"),
            width: try row.checked("width"), height: try row.checked("height"),
            isTextless: try row.checked("isTextless"))
    }
}
