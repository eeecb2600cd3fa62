import MovieDomain

/// The controls of a box office: spans, days, origins and views, each a link or field that keeps the other choices.
struct BoxOfficeControls: Sendable {
    private static let spans: [(span: BoxOfficePeriod.Span?, key: String)] = [
        (nil, "boxOfficeDaily"), (.week, "boxOfficeWeek"), (.weekend, "boxOfficeWeekend"),
        (.weekdays, "boxOfficeWeekdays"),
    ]
    private static let origins: [(origin: BoxOfficeFilter.Origin?, key: String)] = [
        (nil, "boxOfficeAllFilms"), (.korean, "boxOfficeKorean"), (.foreign, "boxOfficeForeign"),
    ]
    private static let views: [(view: BoxOfficeAddress.View, key: String)] = [
        (.list, "boxOfficeList"), (.posters, "boxOfficePosters"),
    ]

    private let address: BoxOfficeAddress
    private let calendar: BoxOfficeCalendar
    private let formats: PageFormats
    private let links: PageLinks

    init(_ address: BoxOfficeAddress, _ calendar: BoxOfficeCalendar, _ formats: PageFormats, _ links: PageLinks) {
        self.address = address
        self.calendar = calendar
        self.formats = formats
        self.links = links
    }

    var period: String {
        let period = self.calendar.period
        guard let week else { return self.formats.withWeekday(period.from) }
        return week + " · " + self.formats.range(period.from, period.to)
    }

    /// The days of the period; short dates if there are two.
    private var dates: String {
        let period = self.calendar.period
        guard period.span != nil else { return self.formats.withWeekday(period.from) }
        return self.formats(
            "dateRange", ["from": self.formats.short(period.from), "to": self.formats.short(period.to)])
    }

    private var week: String? {
        self.calendar.period.week.map {
            self.formats("weekOf", ["y": String($0.year), "n": String($0.number)])
        }
    }

    var range: String {
        let days = self.calendar.days
        return self.formats(
            "boxOfficeRange",
            ["earliest": self.formats.long(days.lowerBound), "latest": self.formats.long(days.upperBound)])
    }

    /// The values of the template `box-office`, without the films and the texts about them.
    ///
    /// - Parameters:
    ///   - days: The days accepted in addresses with a span.
    ///   - origins: Whether films can be filtered by origin.
    func model(days: (BoxOfficePeriod.Span?) -> ClosedRange<CalendarDate>, origins: Bool) -> Model {
        let isDaily = self.address.span == nil
        // The form has its own field for the day.
        let hidden = self.address.on(nil).query + (self.links.language.map { [("language", $0.code)] } ?? [])
        return [
            "heading": self.formats("boxOfficeTitle"), "period": self.period, "week": self.week,
            "dates": self.dates,
            "spans": Self.spans.map { span, key in
                self.choice(key, self.address.of(span, days: days(span)), isHere: span == self.address.span)
            },
            "hidden": hidden.map { ["name": $0.name, "value": $0.value] as Model },
            "date": self.calendar.day.description, "earliest": self.calendar.days.lowerBound.description,
            "latest": self.calendar.days.upperBound.description,
            "previous": self.step(self.calendar.previous, isDaily ? "boxOfficePrevious" : "boxOfficePreviousSpan"),
            "following": self.step(self.calendar.following, isDaily ? "boxOfficeNext" : "boxOfficeNextSpan"),
            "origins": origins ? ["choices": self.originChoices] as Model : nil,
            "views": Self.views.map { view, key in
                self.choice(key, self.address.shown(as: view), isHere: view == self.address.view)
            },
        ]
    }

    private var originChoices: [Model] {
        Self.origins.map { origin, key in
            self.choice(key, self.address.from(origin), isHere: origin == self.address.origin)
        }
    }

    private func choice(_ key: String, _ address: BoxOfficeAddress, isHere: Bool) -> Model {
        ["name": self.formats(key), "url": self.url(address), "isHere": isHere]
    }

    /// - Parameter day: A day of the target period.
    private func step(_ day: CalendarDate?, _ key: String) -> Model? {
        day.map { ["url": self.url(self.address.on($0)), "label": self.formats(key)] }
    }

    private func url(_ address: BoxOfficeAddress) -> String {
        self.links.url(BoxOfficeAddress.path, address.query.map { ($0.name, $0.value) })
    }
}
