/// A person who worked on films, in one language.
package struct Person: Hashable, Sendable {
    /// A person's job in a film.
    package struct PersonJob: Hashable, Sendable {
        package let job: Job
        /// The source's word for the job, such as `Director`; may be empty.
        package let sourceJob: String
        package let department: Department?

        /// - Parameters:
        ///   - sourceJob: The source's word, which determines the job.
        ///   - department: The source's department; `nil` for the job's usual one.
        package init(sourceJob: String, department: Department? = nil) {
            self.job = Job(word: sourceJob)
            self.sourceJob = sourceJob.limited(toBytes: Credits.textBytes)
            self.department = department ?? self.job.department
        }
    }

    /// A film with a person's roles and jobs.
    package struct FilmPart: Hashable, Sendable {
        package let movie: MovieSummary
        /// The names of the roles, empty strings for unknown names; no roles if the person is not in the cast.
        package private(set) var roles: [String]
        package private(set) var jobs: [PersonJob]

        /// - Parameters:
        ///   - roles: Truncated to ``Person/partLimit``.
        ///   - jobs: Truncated to ``Person/partLimit``.
        package init(_ movie: MovieSummary, roles: [String] = [], jobs: [PersonJob] = []) {
            self.movie = movie
            self.roles = roles.prefix(Person.partLimit).map { $0.limited(toBytes: Credits.textBytes) }
            self.jobs = Array(jobs.prefix(Person.partLimit))
        }
    }

    /// The maximal number of ``otherNames``; further ones are dropped.
    package static let otherNameLimit = 30
    /// The maximal number of films; earlier ones are dropped.
    package static let filmLimit = 500
    /// The maximal numbers of roles and of jobs per film; further ones are dropped.
    package static let partLimit = 100

    package let id: PersonID
    /// Never empty.
    package let name: String
    /// The name in the person's own language; empty if unknown or equal to ``name``.
    package let originalName: String
    package let otherNames: [String]
    /// Empty if unknown.
    package var biography: String
    package let birthday: CalendarDate?
    /// `nil` if unknown or living.
    package let deathday: CalendarDate?
    /// Empty if unknown.
    package let placeOfBirth: String
    /// The department that the person is known for; `nil` if unknown.
    package let department: Department?
    package let homepage: String?
    /// The IMDb name, such as `nm0000158`; `nil` if unknown.
    package let imdbID: String?
    package let portrait: PosterReference?
    /// The latest first, without duplicates; announced films without a date precede all others.
    package private(set) var films: [FilmPart]

    /// - Parameters:
    ///   - otherNames: Truncated to ``otherNameLimit``; the name itself is removed.
    ///   - films: In any order; parts in the same film are merged.
    /// - Returns: `nil` if the name is empty.
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

    /// Replaces the films.
    /// - Parameter films: In any order; parts in the same film are merged.
    package func with(_ films: [FilmPart]) -> Person {
        var person = self
        person.films = FilmPart.merged(films)
        return person
    }
}

extension Person.FilmPart {
    /// Merges parts in the same film; sorts the latest film first.
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

    /// The sort key: the release day, or 1 January if only the year is known.
    private var day: Int {
        let january = self.movie.year.flatMap { CalendarDate(year: $0, month: 1, day: 1) }
        return (self.movie.releaseDate ?? january)?.dayNumber ?? .max
    }
}

extension Array where Element: Equatable {
    /// Appends missing elements up to `limit`, which bounds the linear searches.
    fileprivate mutating func addOnce(_ others: [Element], atMost limit: Int) {
        for other in others {
            guard self.count < limit else { return }
            if !self.contains(other) { self.append(other) }
        }
    }
}

/// A person in search results.
package struct PersonSummary: Hashable, Sendable {
    package static let knownForLimit = 3

    package let id: PersonID
    /// Never empty.
    package let name: String
    /// The name in the person's own language; empty if unknown or equal to ``name``.
    package let originalName: String
    /// The department that the person is known for; `nil` if unknown.
    package let department: Department?
    package let portrait: PosterReference?
    /// The best-known films first.
    package private(set) var knownFor: [MovieSummary]

    /// - Parameter knownFor: Truncated to ``knownForLimit``.
    /// - Returns: `nil` if the name is empty.
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

    /// Replaces the films, truncated to ``knownForLimit``.
    package func with(knownFor films: [MovieSummary]) -> PersonSummary {
        var person = self
        person.knownFor = Array(films.prefix(Self.knownForLimit))
        return person
    }
}
