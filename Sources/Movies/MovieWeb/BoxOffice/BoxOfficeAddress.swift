import HTTPSemantics
import MovieDomain

/// The parameters in the address of a box office page.
struct BoxOfficeAddress: Hashable, Sendable {
    enum View: String, Hashable, Sendable, CaseIterable {
        case list
        case posters
    }

    static let path = "/box-office"
    /// In their order in addresses.
    static let parameters = ["date", "span", "origin", "view"]

    /// `nil` for the latest day.
    var day: CalendarDate?
    /// `nil` for a single day.
    var span: BoxOfficePeriod.Span?
    /// `nil` for all films.
    var origin: BoxOfficeFilter.Origin?
    var view: View = .list

    init() {}

    /// - Throws: ``Problem`` with the accepted values.
    init(_ query: QueryParameters) throws(Problem) {
        self.day = try query.value("date", accepted: "a valid date, as YYYY-MM-DD") { CalendarDate($0) }
        self.span = try query.choice("span")
        self.origin = try query.choice("origin")
        self.view = try query.choice("view") ?? .list
    }

    /// The parameters without defaults.
    var query: [(name: String, value: String)] {
        let values = [
            self.day?.description, self.span?.rawValue, self.origin?.rawValue,
            self.view == .list ? nil : self.view.rawValue,
        ]
        return zip(Self.parameters, values).compactMap { name, value in value.map { (name, $0) } }
    }

    func on(_ day: CalendarDate?) -> BoxOfficeAddress {
        var address = self
        address.day = day
        return address
    }

    /// The address with another span. Keeps the requested day, or replaces it by the span's nearest one.
    ///
    /// - Parameter days: The days of `span`.
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
