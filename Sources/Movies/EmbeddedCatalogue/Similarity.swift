import MovieDomain

/// What films have in common.
enum Similarity {
    /// What is less is no likeness: every second film is a drama.
    static let threshold = 3

    /// Those that have enough in common with `film`, the most first; equals by how near their years are, then by place.
    static func films(like film: EmbeddedFilm, among films: [EmbeddedFilm]) -> [EmbeddedFilm] {
        films.filter { $0.id != film.id }
            .map { (film: $0, points: self.points(film, $0)) }
            .filter { $0.points >= self.threshold }
            .sorted { left, right in
                if left.points != right.points { return left.points > right.points }
                let (nearer, farther) = (abs(left.film.year - film.year), abs(right.film.year - film.year))
                return (nearer, left.film.position) < (farther, right.film.position)
            }
            .map(\.film)
    }

    private static func points(_ one: EmbeddedFilm, _ other: EmbeddedFilm) -> Int {
        let shared = { (texts: [String], others: [String]) in Set(texts).intersection(others).count }
        return 6 * shared(one.directors, other.directors) + 2 * shared(one.genres, other.genres)
            + 2 * shared(one.cast.map(\.name), other.cast.map(\.name)) + shared(one.countries, other.countries)
            + (one.year / 10 == other.year / 10 ? 1 : 0)
    }
}
