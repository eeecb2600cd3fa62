import MovieDomain

/// The period that a box office page shows, and the days around it that have pages.
struct BoxOfficeCalendar: Hashable, Sendable {
    let period: BoxOfficePeriod
    /// The day of the date field: the one that was asked for, else a day of the period.
    let day: CalendarDate
    /// The days that an address may name.
    let days: ClosedRange<CalendarDate>

    /// - Parameters:
    ///   - day: That was asked for; nil for the period's own, and for the nearest one with figures where it has none.
    ///   - days: That an address of this span may name.
    init(_ period: BoxOfficePeriod, day: CalendarDate?, days: ClosedRange<CalendarDate>) {
        self.period = period
        self.day = (day ?? period.to).limited(to: days)
        self.days = days
    }

    /// The calendar of a day without figures: it stands at the nearest day that has some.
    init(_ span: BoxOfficePeriod.Span?, nearest day: CalendarDate, days: ClosedRange<CalendarDate>) {
        self.init(BoxOfficePeriod(span, around: day.limited(to: days)), day: day, days: days)
    }

    /// A day of the period before; nil when there is none with figures.
    var previous: CalendarDate? { self.day(inPeriodAt: -1) }

    /// A day of the period after; nil when there is none with figures yet.
    var following: CalendarDate? { self.day(inPeriodAt: 1) }

    private func day(inPeriodAt step: Int) -> CalendarDate? {
        let length = self.period.span == nil ? 1 : 7
        // The period at the end of the range may have fewer days than the others.
        let day = self.day.adding(days: step * length).limited(to: self.days)
        return BoxOfficePeriod(self.period.span, around: day) == self.period ? nil : day
    }
}

extension CalendarDate {
    /// It, or the nearest day in `days`.
    func limited(to days: ClosedRange<CalendarDate>) -> CalendarDate {
        min(max(self, days.lowerBound), days.upperBound)
    }
}
