import MovieDomain

/// What a box office is chosen with: spans, days, origins and views, each a link or a field that keeps the others.
struct BoxOfficeControls: Sendable {
    private let address: BoxOfficeAddress
    private let calendar: BoxOfficeCalendar
    private let text: PageFormats
    private let link: @Sendable (BoxOfficeAddress) -> String

    /// - Parameter link: The address of a box office with the language of this page.
    init(
        _ address: BoxOfficeAddress, _ calendar: BoxOfficeCalendar, _ text: PageFormats,
        link: @escaping @Sendable (BoxOfficeAddress) -> String
    ) {
        self.address = address
        self.calendar = calendar
        self.text = text
        self.link = link
    }

    /// The period in words.
    var period: String {
        let period = self.calendar.period
        guard let week = period.week else { return self.text.withWeekday(period.from) }
        let number = self.text("weekOf", ["y": String(week.year), "n": String(week.number)])
        return number + " · " + self.text.range(period.from, period.to)
    }

    /// The days that can be chosen, in words.
    var range: String {
        let days = self.calendar.days
        return self.text(
            "boxOfficeRange",
            ["earliest": self.text.long(days.lowerBound), "latest": self.text.long(days.upperBound)])
    }

    /// - Parameter days: That an address of a span may name.
    func spans(_ days: (BoxOfficePeriod.Span?) -> ClosedRange<CalendarDate>) -> [Model] {
        let keys: [(span: BoxOfficePeriod.Span?, key: String)] = [
            (nil, "boxOfficeDaily"), (.week, "boxOfficeWeek"), (.weekend, "boxOfficeWeekend"),
            (.weekdays, "boxOfficeWeekdays"),
        ]
        return keys.map { span, key in
            self.choice(key, self.address.of(span, days: days(span)), isHere: span == self.address.span)
        }
    }

    var origins: [Model] {
        let keys: [(origin: BoxOfficeFilter.Origin?, key: String)] = [
            (nil, "boxOfficeAllFilms"), (.korean, "boxOfficeKorean"), (.foreign, "boxOfficeForeign"),
        ]
        return keys.map { origin, key in
            self.choice(key, self.address.from(origin), isHere: origin == self.address.origin)
        }
    }

    var views: [Model] {
        [(BoxOfficeAddress.View.list, "boxOfficeList"), (.posters, "boxOfficePosters")].map { view, key in
            self.choice(key, self.address.shown(as: view), isHere: view == self.address.view)
        }
    }

    /// nil when there is no period before.
    var previous: Model? {
        let key = self.calendar.period.span == nil ? "boxOfficePrevious" : "boxOfficePreviousSpan"
        return self.calendar.previous.map { ["url": self.link(self.address.on($0)), "label": self.text(key)] }
    }

    /// nil when there is no period after yet.
    var following: Model? {
        let key = self.calendar.period.span == nil ? "boxOfficeNext" : "boxOfficeNextSpan"
        return self.calendar.following.map { ["url": self.link(self.address.on($0)), "label": self.text(key)] }
    }

    private func choice(_ key: String, _ address: BoxOfficeAddress, isHere: Bool) -> Model {
        ["name": self.text(key), "url": self.link(address), "isHere": isHere]
    }
}
