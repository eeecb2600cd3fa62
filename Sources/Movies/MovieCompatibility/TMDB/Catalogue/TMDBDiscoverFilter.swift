import MovieDomain

/// The discover parameters that the catalogue supports; others are ignored, as The Movie Database ignores unknown ones.
struct TMDBDiscoverFilter: Sendable {
    /// Parameters on facts that no film of the catalogue has: any of them matches no films.
    private static let unknown = [
        "with_companies", "with_keywords", "with_watch_providers", "with_watch_monetization_types", "certification",
        "certification.gte", "certification.lte",
    ]

    /// Numbers that must all match, or any of them: `28,12` or `28|12`.
    struct Choice: Sendable {
        let numbers: Set<Int>
        let isAny: Bool

        init?(_ text: String?) {
            guard let text else { return nil }
            self.isAny = text.contains("|")
            self.numbers = Set(text.split { $0 == "," || $0 == "|" }.compactMap { Int($0) })
            guard !self.numbers.isEmpty else { return nil }
        }

        func matches(_ others: Set<Int>) -> Bool {
            self.isAny ? !self.numbers.isDisjoint(with: others) : self.numbers.isSubset(of: others)
        }
    }

    private let genres, withoutGenres: Choice?
    private let days: ClosedRange<Int>
    private let year: Int?
    private let votes: ClosedRange<Double>
    private let voteCounts: ClosedRange<Int>
    private let language: String?
    let isEmpty: Bool
    /// Countries of production; `nil` for any.
    let countries: Set<String>?
    /// In minutes; `nil` for any.
    let runtimes: ClosedRange<Int>?
    let people: [Choice]
    private let sort: (name: Substring, isAscending: Bool)

    /// - Throws: ``TMDBFault`` for invalid days.
    init(_ request: TMDBRequest) throws(TMDBFault) {
        self.isEmpty = Self.unknown.contains { request[$0] != nil }
        self.genres = Choice(request["with_genres"])
        self.withoutGenres = Choice(request["without_genres"])
        let first = try Self.day(request["primary_release_date.gte"] ?? request["release_date.gte"])
        let last = try Self.day(request["primary_release_date.lte"] ?? request["release_date.lte"])
        self.days = Self.range(first, last, within: Int.min...Int.max)
        self.year = (request["primary_release_year"] ?? request["year"]).flatMap { Int($0) }
        self.votes = Self.range(
            Self.finite(request["vote_average.gte"]), Self.finite(request["vote_average.lte"]), within: 0...10)
        self.voteCounts = Self.range(
            request["vote_count.gte"].flatMap { Int($0) }, request["vote_count.lte"].flatMap { Int($0) },
            within: 0...Int.max)
        self.language = request["with_original_language"]
        self.countries = request["with_origin_country"].map { text in
            Set(text.split { $0 == "," || $0 == "|" }.map { $0.uppercased() })
        }
        let runtimes = (
            request["with_runtime.gte"].flatMap { Int($0) }, request["with_runtime.lte"].flatMap { Int($0) }
        )
        self.runtimes =
            runtimes.0 == nil && runtimes.1 == nil ? nil : Self.range(runtimes.0, runtimes.1, within: 0...Int.max)
        self.people = ["with_people", "with_cast", "with_crew"].compactMap { Choice(request[$0]) }
        let parts = (request["sort_by"] ?? "popularity.desc").split(separator: ".")
        self.sort = (parts.first ?? "popularity", parts.last == "asc")
    }

    private static func day(_ text: String?) throws(TMDBFault) -> Int? {
        guard let text else { return nil }
        guard let day = CalendarDate(text) else { throw TMDBFault(.invalidDate) }
        return day.dayNumber
    }

    /// `nil` if the text is no number, and for `nan` and `inf`, which cannot be bounds of a range.
    private static func finite(_ text: String?) -> Double? {
        text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A range with reversed bounds becomes its lower bound.
    private static func range<Bound: Comparable>(
        _ first: Bound?, _ last: Bound?, within all: ClosedRange<Bound>
    ) -> ClosedRange<Bound> {
        let first = first ?? all.lowerBound
        return first...max(first, last ?? all.upperBound)
    }

    /// Whether a film passes the filter, as far as list entries show.
    func leaves(_ film: MovieSummary) -> Bool {
        let genres = Set(film.genres.compactMap(\.id.tmdbNumber))
        if let wanted = self.genres, !wanted.matches(genres) { return false }
        if let others = self.withoutGenres, !others.numbers.isDisjoint(with: genres) { return false }
        if let year = self.year, year != film.year { return false }
        if let language = self.language, language != film.originalLanguage?.code { return false }
        guard self.votes.contains(film.score?.average ?? 0), self.voteCounts.contains(film.score?.count ?? 0) else {
            return false
        }
        // A film without a day passes only if any day does.
        guard let day = film.releaseDate?.dayNumber else { return self.days == Int.min...Int.max }
        return self.days.contains(day)
    }

    /// Sorted as requested; stable for equal films.
    func sorted(_ films: [MovieSummary]) -> [MovieSummary] {
        let isBefore: (MovieSummary, MovieSummary) -> Bool
        switch self.sort.name {
        case "primary_release_date", "release_date":
            isBefore = { ($0.releaseDate?.dayNumber ?? .min) < ($1.releaseDate?.dayNumber ?? .min) }
        case "title", "original_title": isBefore = { $0.title < $1.title }
        case "vote_average": isBefore = { ($0.score?.average ?? 0) < ($1.score?.average ?? 0) }
        // Popularity is the number of ratings; the catalogue has no revenues.
        default: isBefore = { ($0.score?.count ?? 0) < ($1.score?.count ?? 0) }
        }
        let isAscending = self.sort.isAscending
        return films.enumerated().sorted { left, right in
            if isBefore(left.element, right.element) { return isAscending }
            if isBefore(right.element, left.element) { return !isAscending }
            return left.offset < right.offset
        }.map(\.element)
    }
}
