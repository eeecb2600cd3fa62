import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// A person with all their films. Unknown members are absent.
struct PersonObject: Encodable, Sendable {
    let id, source, name: String
    /// Empty if unknown or the same.
    let originalName: String
    let otherNames: [String]
    /// Empty if unknown.
    let biography: String
    let birthday, deathday, placeOfBirth, department, homepage, imdbId: String?
    let portrait: PosterObject?
    let films: [PersonFilmObject]
    let attribution: [String]?

    /// - Parameter language: The language of the films' posters.
    init(
        _ person: Person, _ responses: MovieResponses, marks: FilmMarks, language: Language
    ) throws(Problem) {
        let films = try responses.films(person.films.map(\.movie), marks: marks, language: language)
        self.id = person.id.description
        self.source = person.id.source.rawValue
        self.name = person.name
        self.originalName = person.originalName
        self.otherNames = person.otherNames
        self.biography = person.biography
        self.birthday = person.birthday?.description
        self.deathday = person.deathday?.description
        self.placeOfBirth = person.placeOfBirth.isEmpty ? nil : person.placeOfBirth
        self.department = person.department?.rawValue
        self.homepage = person.homepage
        self.imdbId = person.imdbID
        self.portrait = try responses.pictures.portrait(person.portrait)
        self.films = zip(films, person.films).map { PersonFilmObject(film: $0, part: $1) }
        self.attribution = Attribution.texts(of: [person.id.source])
    }
}

/// A film with the person's roles and jobs.
struct PersonFilmObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case roles, jobs
    }

    private struct JobObject: Encodable {
        let job, sourceJob: String
        let department: String?

        init(_ job: Person.PersonJob) {
            self.job = job.job.rawValue
            self.sourceJob = job.sourceJob
            self.department = job.department?.rawValue
        }
    }

    let film: MovieSummaryObject
    let part: Person.FilmPart

    func encode(to encoder: any Encoder) throws {
        // Encodes into the same object.
        try self.film.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.part.roles, forKey: .roles)
        try container.encode(self.part.jobs.map(JobObject.init), forKey: .jobs)
    }
}

/// A person in search results.
struct PersonSummaryObject: Encodable, Sendable {
    let id, source, name: String
    /// Empty if unknown or the same.
    let originalName: String
    let department: String?
    /// `nil` if this server has none.
    let portrait: PosterObject?
    let knownFor: [MovieSummaryObject]

    /// - Parameter language: The language of the films' posters.
    init(
        _ person: PersonSummary, _ responses: MovieResponses, marks: FilmMarks, language: Language
    ) throws(Problem) {
        self.id = person.id.description
        self.source = person.id.source.rawValue
        self.name = person.name
        self.originalName = person.originalName
        self.department = person.department?.rawValue
        self.portrait = try responses.pictures.portrait(person.portrait)
        self.knownFor = try responses.films(person.knownFor, marks: marks, language: language)
    }
}
