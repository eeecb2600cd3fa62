import HTTPSemantics
import MovieDomain

/// What the address of a box office page asks for.
struct BoxOfficeAddress: Hashable, Sendable {
    /// How films are shown.
    enum View: String, Hashable, Sendable, CaseIterable {
        case list
        case posters
    }

    static let path = "/box-office"
    /// The parameters, in the order in which addresses have them.
    static let parameters = ["date", "span", "origin", "view"]

    /// nil for the latest.
    var day: CalendarDate?
    /// nil for a single day.
    var span: BoxOfficePeriod.Span?
    /// nil for all films.
    var origin: BoxOfficeFilter.Origin?
    var view: View = .list

    init() {}

    /// - Throws: ``Problem`` that says what is accepted.
    init(_ query: QueryParameters) throws(Problem) {
        self.day = try query.value("date", accepted: "a day that exists, as YYYY-MM-DD") { CalendarDate($0) }
        self.span = try query.choice("span")
        self.origin = try query.choice("origin")
        self.view = try query.choice("view") ?? .list
    }

    /// Without what goes without saying.
    var query: [(name: String, value: String)] {
        let values = [
            self.day?.description, self.span?.rawValue, self.origin?.rawValue,
            self.view == .list ? nil : self.view.rawValue,
        ]
        return zip(Self.parameters, values).compactMap { name, value in value.map { (name, $0) } }
    }

    /// The same with another day.
    func on(_ day: CalendarDate?) -> BoxOfficeAddress {
        var address = self
        address.day = day
        return address
    }

    /// The same in another span: the day that was asked for stays, or is the nearest one that the span has.
    ///
    /// - Parameter days: Those of `span`.
    func of(_ span: BoxOfficePeriod.Span?, days: ClosedRange<CalendarDate>) -> BoxOfficeAddress {
        var address = self.on(self.day?.limited(to: days))
        address.span = span
        return address
    }

    func from(_ origin: BoxOfficeFilter.Origin?) -> BoxOfficeAddress {
        var address = self
        address.origin = origin
        return address
    }

    func shown(as view: View) -> BoxOfficeAddress {
        var address = self
        address.view = view
        return address
    }
}
