import MovieDomain

/// All films that were shown on some days, by audience.
struct RevivalStanding {
    /// A film and what the days brought it.
    struct Row {
        let film: EmbeddedFilm
        let opening: Int
        /// Of the days; screens are those of the day with the most.
        let figures: RevivalAttendance.Day
        /// From its opening to the last of the days.
        let totals: RevivalAttendance.Day
    }

    /// The most audience first.
    let rows: [Row]
    /// Of all, in won.
    let sales: Int

    init(_ catalogue: LoadedCatalogue, from first: Int, to last: Int) {
        let runs = RevivalProgramme(filmCount: catalogue.films.count).runs(from: first, to: last)
        var latest: [Int: Row] = [:]
        for run in runs {
            let film = catalogue.films[run.film]
            let attendance = RevivalAttendance(film: film.id, votes: film.score?.count ?? 0, opening: run.opening)
            let end = min(last, run.opening + run.dayCount - 1)
            let figures = Self.sum(attendance, max(first, run.opening), end)
            // A film that comes back within the days counts with its later run only.
            latest[run.film] = Row(
                film: film, opening: run.opening, figures: figures, totals: Self.sum(attendance, run.opening, end))
        }
        self.rows = latest.values.sorted {
            ($1.figures.audience, $0.film.position) < ($0.figures.audience, $1.film.position)
        }
        self.sales = self.rows.reduce(0) { $0 + $1.figures.sales }
    }

    private static func sum(_ attendance: RevivalAttendance, _ first: Int, _ last: Int) -> RevivalAttendance.Day {
        var sum = RevivalAttendance.Day()
        for day in first <= last ? first..<(last + 1) : 0..<0 {
            let figures = attendance.day(day)
            sum.audience += figures.audience
            sum.sales += figures.sales
            sum.screens = max(sum.screens, figures.screens)
            sum.showings += figures.showings
        }
        return sum
    }
}
