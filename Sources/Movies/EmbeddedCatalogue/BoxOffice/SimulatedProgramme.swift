/// The simulated re-releases of the embedded catalogue's films; deterministic.
///
/// Two films open every Thursday and run for eight weeks; with fewer than sixteen films, until their next opening. Days
/// are numbered from 1970-01-01, which was a Thursday.
struct SimulatedProgramme {
    /// A run of a film in cinemas.
    struct Run: Hashable {
        /// The film's index in the catalogue.
        let film: Int
        let opening: Int
        let dayCount: Int
    }

    private static let filmsPerWeek = 2
    private static let longestRunWeeks = 8

    let filmCount: Int

    /// The length of the cycle in which every film opens once.
    private var weeks: Int { max(1, (self.filmCount + Self.filmsPerWeek - 1) / Self.filmsPerWeek) }
    private var runDays: Int { min(Self.longestRunWeeks, self.weeks) * 7 }

    /// The runs on a day, the latest opening first.
    func runs(on day: Int) -> [Run] {
        let week = self.week(of: day)
        return (0..<(self.runDays / 7)).flatMap { self.openings(inWeek: week - $0) }
    }

    /// The runs with a day from `first` to `last`, the earliest first.
    func runs(from first: Int, to last: Int) -> [Run] {
        guard first <= last else { return [] }
        let weeks = (self.week(of: first) - self.runDays / 7 + 1)...self.week(of: last)
        return weeks.flatMap { self.openings(inWeek: $0) }
    }

    /// The next openings of all films not shown on `day`, the earliest first.
    func openings(after day: Int) -> [Run] {
        let week = self.week(of: day)
        let shown = self.runDays / 7
        return shown >= self.weeks ? [] : (1...(self.weeks - shown)).flatMap { self.openings(inWeek: week + $0) }
    }

    private func openings(inWeek week: Int) -> [Run] {
        let turn = week - Self.floor(week, self.weeks) * self.weeks
        let first = turn * Self.filmsPerWeek
        return (first..<min(self.filmCount, first + Self.filmsPerWeek)).map {
            Run(film: self.film(at: $0), opening: week * 7, dayCount: self.runDays)
        }
    }

    /// Permutes the catalogue, which is sorted by year: a step coprime to the count visits every film once.
    private func film(at turn: Int) -> Int {
        let step = [29, 31, 37].first { self.filmCount % $0 != 0 } ?? 1
        return turn * step % self.filmCount
    }

    private func week(of day: Int) -> Int { Self.floor(day, 7) }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
    }
}
