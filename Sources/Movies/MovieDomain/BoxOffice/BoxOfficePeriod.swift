/// The period of a box office: one day, or days of one week.
package struct BoxOfficePeriod: Hashable, Sendable {
    /// The days of a week that a box office covers.
    package enum Span: String, Hashable, Sendable, CaseIterable {
        /// Monday to Sunday.
        case week
        /// Friday to Sunday.
        case weekend
        /// Monday to Thursday.
        case weekdays
    }

    /// The first and the last day, both included.
    package let from, to: CalendarDate
    /// The days of the week; `nil` for a single day.
    package let span: Span?

    /// The days of `span` in the week of `day`, or the day itself if `span` is `nil`.
    package init(_ span: Span?, around day: CalendarDate) {
        let monday = day.adding(days: 1 - day.weekday)
        switch span {
        case nil: (self.from, self.to) = (day, day)
        case .week: (self.from, self.to) = (monday, monday.adding(days: 6))
        case .weekend: (self.from, self.to) = (monday.adding(days: 4), monday.adding(days: 6))
        case .weekdays: (self.from, self.to) = (monday, monday.adding(days: 3))
        }
        self.span = span
    }

    /// The week's year and number (ISO 8601); `nil` for a single day.
    package var week: (year: Int, number: Int)? {
        guard self.span != nil else { return nil }
        // ISO 8601: a week belongs to the year of its Thursday.
        let thursday = self.from.adding(days: 4 - self.from.weekday)
        let newYear = CalendarDate(year: thursday.year, month: 1, day: 1) ?? thursday
        return (thursday.year, (thursday.dayNumber - newYear.dayNumber) / 7 + 1)
    }
}

extension BoxOfficePeriod {
    /// Whether all of its days have passed in Seoul, so that the figures are final.
    package func isOver(at instant: Instant) -> Bool { self.to < instant.dateInSeoul }
}
