import MovieDomain

/// The simulated attendance of a re-released film on a day; deterministic.
///
/// It declines over a run, varies over the week, and by ±5 % at random.
struct SimulatedAttendance {
    struct Day: Hashable {
        var audience = 0
        /// In won.
        var sales = 0
        var screens = 0
        var showings = 0
    }

    /// Per mille of the opening's attendance, at the beginning of each week of a run.
    private static let fall = [1000, 720, 540, 400, 300, 220, 160, 120, 90]
    /// Per mille of a Saturday's attendance, from Monday.
    private static let rhythm = [420, 420, 480, 440, 620, 1000, 900]

    let film: MovieID
    let votes: Int
    /// The first day of the run.
    let opening: Int

    func day(_ day: Int) -> Day {
        let age = max(0, day - self.opening)
        let week = min(age / 7, Self.fall.count - 2)
        let dayOfWeek = min(age - week * 7, 7)
        let left = Self.fall[week] - (Self.fall[week] - Self.fall[week + 1]) * dayOfWeek / 7
        let date = CalendarDate(dayNumber: day)
        let flicker = 950 + self.number(for: day, below: 101)
        let first = 22_000 + min(self.votes, 40_000) + self.number(for: self.opening, below: 18_000)
        let audience = first * left / 1000 * Self.rhythm[date.weekday - 1] / 1000 * flicker / 1000
        let screens = 20 + audience / 130
        return Day(
            audience: audience, sales: audience * Self.price(on: date), screens: screens,
            showings: screens * (3 + self.number(for: ~day, below: 3)))
    }

    /// The price of a ticket, in won; increases every year, and is higher at weekends.
    private static func price(on date: CalendarDate) -> Int {
        min(12_000, max(4_000, 6_000 + (date.year - 2003) * 200)) + (date.weekday > 5 ? 1_000 : 0)
    }

    /// FNV-1a over the film and the salt, finished as SplitMix64 (Steele et al. 2014).
    private func number(for salt: Int, below bound: UInt64) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in self.film.key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash ^= UInt64(bitPattern: Int64(salt)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((hash ^ hash >> 31) % bound)
    }
}

/// The films shown in a range of days, by audience.
struct SimulatedRanking {
    struct Row {
        let film: EmbeddedFilm
        let opening: Int
        /// The figures of the days; screens are the maximum of a day.
        let figures: SimulatedAttendance.Day
        /// The figures from the opening to the last of the days.
        let totals: SimulatedAttendance.Day
    }

    /// By audience, descending.
    let rows: [Row]
    /// The sales of all films, in won.
    let sales: Int

    /// - Parameter origin: The origin of the films; `nil` for all.
    init(_ catalogue: LoadedCatalogue, of origin: BoxOfficeFilter.Origin?, from first: Int, to last: Int) {
        let runs = SimulatedProgramme(filmCount: catalogue.films.count).runs(from: first, to: last)
        var latest: [Int: Row] = [:]
        for run in runs {
            let film = catalogue.films[run.film]
            guard origin.map({ ($0 == .korean) == film.countries.contains(.korea) }) ?? true else { continue }
            let attendance = SimulatedAttendance(film: film.id, votes: film.score?.count ?? 0, opening: run.opening)
            let end = min(last, run.opening + run.dayCount - 1)
            let figures = Self.sum(attendance, max(first, run.opening), end)
            // A film with two runs in these days counts only with the later one.
            latest[run.film] = Row(
                film: film, opening: run.opening, figures: figures, totals: Self.sum(attendance, run.opening, end))
        }
        self.rows = latest.values.sorted {
            ($1.figures.audience, $0.film.position) < ($0.figures.audience, $1.film.position)
        }
        self.sales = self.rows.reduce(0) { $0 + $1.figures.sales }
    }

    private static func sum(_ attendance: SimulatedAttendance, _ first: Int, _ last: Int) -> SimulatedAttendance.Day {
        var sum = SimulatedAttendance.Day()
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
