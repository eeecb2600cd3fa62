import MovieDomain

/// The Movie Database's date formats.
enum TMDBDates {
    /// For reviews and videos: `2018-06-09T17:51:53.000Z`.
    static func milliseconds(_ instant: Instant) -> String { instant.description.dropLast() + ".000Z" }

    /// For releases: the beginning of the day; empty if unknown.
    static func midnight(_ date: CalendarDate?) -> String { date.map { "\($0)T00:00:00.000Z" } ?? "" }

    /// For tokens and guest sessions: `2016-08-26 17:04:39 UTC`.
    static func seconds(_ instant: Instant) -> String {
        instant.description.dropLast().replacing("T", with: " ") + " UTC"
    }
}
