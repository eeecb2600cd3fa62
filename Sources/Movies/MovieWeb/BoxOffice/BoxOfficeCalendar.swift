import MovieDomain

/// The period of a box office page, and the days around it with pages.
struct BoxOfficeCalendar: Hashable, Sendable {
    let period: BoxOfficePeriod
    /// The day of the date field: the requested one, else a day of the period.
    let day: CalendarDate
    /// The days accepted in addresses.
    let days: ClosedRange<CalendarDate>

    /// - Parameters:
    ///   - day: The requested day; `nil` for the last day of the period. Limited to `days`.
    ///   - days: The days accepted in addresses with this span.
    init(_ period: BoxOfficePeriod, day: CalendarDate?, days: ClosedRange<CalendarDate>) {
        self.period = period
        self.day = (day ?? period.to).limited(to: days)
        self.days = days
    }

    /// The calendar for a day without figures: shows the nearest day with figures.
    init(_ span: BoxOfficePeriod.Span?, nearest day: CalendarDate, days: ClosedRange<CalendarDate>) {
        self.init(BoxOfficePeriod(span, around: day.limited(to: days)), day: day, days: days)
    }

    /// A day of the preceding period; `nil` if that has no figures.
    var previous: CalendarDate? { self.day(inPeriodAt: -1) }

    /// A day of the following period; `nil` if that has no figures yet.
    var following: CalendarDate? { self.day(inPeriodAt: 1) }

    private func day(inPeriodAt step: Int) -> CalendarDate? {
        let length = self.period.span == nil ? 1 : 7
        // The period at the end of the range may be shorter.
        let day = self.day.adding(days: step * length).limited(to: self.days)
        return BoxOfficePeriod(self.period.span, around: day) == self.period ? nil : day
    }
}

extension CalendarDate {
    func limited(to days: ClosedRange<CalendarDate>) -> CalendarDate {
        min(max(self, days.lowerBound), days.upperBound)
    }
}
