/// A person who made films, in one language.
package struct Person: Hashable, Sendable {
    /// What a person did.
    package struct PersonJob: Hashable, Sendable {
        package let job: Job
        /// The source's word for the job, such as `Director`; may be empty.
        package let sourceJob: String
        /// nil when unknown.
        package let department: Department?

        /// - Parameters:
        ///   - sourceJob: Determines the job.
        ///   - department: As the source says; nil for the job's usual one.
        package init(sourceJob: String, department: Department? = nil) {
            self.job = Job(word: sourceJob)
            self.sourceJob = sourceJob.limited(toBytes: Credits.textBytes)
            self.department = department ?? self.job.department
        }
    }

    /// A film and what a person did for it.
    package struct FilmPart: Hashable, Sendable {
        package let movie: MovieSummary
        /// The names of the roles; one that is unknown is empty. Without roles: not in the cast.
        package private(set) var roles: [String]
        package private(set) var jobs: [PersonJob]

        /// - Parameters:
        ///   - roles: Those beyond ``Person/partLimit`` are left out.
        ///   - jobs: As roles.
        package init(_ movie: MovieSummary, roles: [String] = [], jobs: [PersonJob] = []) {
            self.movie = movie
            self.roles = roles.prefix(Person.partLimit).map { $0.limited(toBytes: Credits.textBytes) }
            self.jobs = Array(jobs.prefix(Person.partLimit))
        }
    }

    /// The most ``otherNames`` that are kept.
    package static let otherNameLimit = 30
    /// The most films that are kept.
    package static let filmLimit = 500
    /// The most roles, and the most jobs, of one film that are kept.
    package static let partLimit = 100

    package let id: PersonID
    /// Never empty.
    package let name: String
    /// The name in the person's own language; empty when unknown or the same.
    package let originalName: String
    /// Other spellings.
    package let otherNames: [String]
    /// Empty when unknown.
    package var biography: String
    /// nil when unknown.
    package let birthday: CalendarDate?
    /// nil when unknown, and for the living.
    package let deathday: CalendarDate?
    /// Empty when unknown.
    package let placeOfBirth: String
    /// That the person is known for; nil when unknown.
    package let department: Department?
    /// The URL of the person's own page; nil without one.
    package let homepage: String?
    /// The IMDb name, such as `nm0000158`; nil when unknown.
    package let imdbID: String?
    /// nil for none.
    package let portrait: PosterReference?
    /// The latest first, each once; announced ones, which have no date yet, before them.
    package private(set) var films: [FilmPart]

    /// - Parameters:
    ///   - otherNames: Those beyond ``otherNameLimit``, and the name itself, are left out.
    ///   - films: In any order; those of one id become one.
    /// - Returns: nil without a name.
    package init?(
        id: PersonID, name: String, originalName: String = "", otherNames: [String] = [], biography: String = "",
        birthday: CalendarDate? = nil, deathday: CalendarDate? = nil, placeOfBirth: String = "",
        department: Department? = nil, homepage: String? = nil, imdbID: String? = nil,
        portrait: PosterReference? = nil, films: [FilmPart] = []
    ) {
        guard !name.isEmpty else { return nil }
        self.id = id
        self.name = name
        self.originalName = originalName == name ? "" : originalName
        var known: Set<String> = ["", name]
        self.otherNames = Array(otherNames.filter { known.insert($0).inserted }.prefix(Self.otherNameLimit))
        self.biography = biography
        self.birthday = birthday
        self.deathday = deathday
        self.placeOfBirth = placeOfBirth
        self.department = department
        self.homepage = homepage
        self.imdbID = imdbID
        self.portrait = portrait
        self.films = FilmPart.merged(films)
    }

    /// The person with other films.
    /// - Parameter films: In any order; those of one id become one.
    package func with(_ films: [FilmPart]) -> Person {
        var person = self
        person.films = FilmPart.merged(films)
        return person
    }
}

extension Person.FilmPart {
    /// Parts in one film become one; the latest film first.
    fileprivate static func merged(_ parts: [Self]) -> [Self] {
        var films: [Self] = []
        var places: [MovieID: Int] = [:]
        for part in parts {
            guard let place = places[part.movie.id] else {
                places[part.movie.id] = films.count
                films.append(part)
                continue
            }
            films[place].roles.addOnce(part.roles, atMost: Person.partLimit)
            films[place].jobs.addOnce(part.jobs, atMost: Person.partLimit)
        }
        let keys = films.map { (day: $0.day, id: $0.movie.id.description) }
        let sorted = films.indices.sorted { left, right in
            keys[left].day != keys[right].day
                ? keys[left].day > keys[right].day : keys[left].id < keys[right].id
        }
        return sorted.prefix(Person.filmLimit).map { films[$0] }
    }

    /// The day by which films are sorted.
    private var day: Int {
        let january = self.movie.year.flatMap { CalendarDate(year: $0, month: 1, day: 1) }
        return (self.movie.releaseDate ?? january)?.dayNumber ?? .max
    }
}

extension Array where Element: Equatable {
    /// Appends missing elements until there are `limit`, which bounds the search for each.
    fileprivate mutating func addOnce(_ others: [Element], atMost limit: Int) {
        for other in others {
            guard self.count < limit else { return }
            if !self.contains(other) { self.append(other) }
        }
    }
}

/// A person as search results show one.
package struct PersonSummary: Hashable, Sendable {
    /// The most films of ``knownFor``.
    package static let knownForLimit = 3

    package let id: PersonID
    /// Never empty.
    package let name: String
    /// The name in the person's own language; empty when unknown or the same.
    package let originalName: String
    /// That the person is known for; nil when unknown.
    package let department: Department?
    /// nil for none.
    package let portrait: PosterReference?
    /// The best-known films first.
    package private(set) var knownFor: [MovieSummary]

    /// - Parameter knownFor: Those beyond ``knownForLimit`` are left out.
    /// - Returns: nil without a name.
    package init?(
        id: PersonID, name: String, originalName: String = "", department: Department? = nil,
        portrait: PosterReference? = nil, knownFor: [MovieSummary] = []
    ) {
        guard !name.isEmpty else { return nil }
        self.id = id
        self.name = name
        self.originalName = originalName == name ? "" : originalName
        self.department = department
        self.portrait = portrait
        self.knownFor = Array(knownFor.prefix(Self.knownForLimit))
    }

    /// The person with other films, of which those beyond ``knownForLimit`` are left out.
    package func with(knownFor films: [MovieSummary]) -> PersonSummary {
        var person = self
        person.knownFor = Array(films.prefix(Self.knownForLimit))
        return person
    }
}
