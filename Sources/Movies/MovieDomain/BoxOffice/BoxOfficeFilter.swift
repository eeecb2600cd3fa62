/// Restricts a box office to a part of the market.
package struct BoxOfficeFilter: Hashable, Sendable {
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case area, origin, films
    }

    package enum Origin: String, Hashable, Sendable, CaseIterable {
        case korean, foreign
    }

    /// Kinds of films in the Korean Film Council's register.
    package enum Films: String, Hashable, Sendable, CaseIterable {
        /// Art-house and independent films.
        case diversity
        case commercial
    }

    /// The area of the cinemas; `nil` for the source's default.
    package var area: BoxOfficeArea?
    package var origin: Origin?
    package var films: Films?

    package init(area: BoxOfficeArea? = nil, origin: Origin? = nil, films: Films? = nil) {
        self.area = area
        self.origin = origin
        self.films = films
    }

    /// The restricting criteria; the area of all Korea does not restrict.
    package var fields: [Field] {
        Field.allCases.filter { field in
            switch field {
            case .area: self.area?.code != nil
            case .origin: self.origin != nil
            case .films: self.films != nil
            }
        }
    }
}

/// An area of Korea by its KOBIS code, such as `0105001` for Seoul, or `all`.
package struct BoxOfficeArea: Hashable, Sendable, LosslessStringConvertible {
    package static let all = BoxOfficeArea(checked: "all")

    /// Seven digits, or `all`.
    package let description: String

    package init?(_ description: String) {
        let isCode = description.utf8.count == 7 && description.utf8.allSatisfy { (48...57).contains($0) }
        guard isCode || description == Self.all.description else { return nil }
        self.init(checked: description)
    }

    private init(checked description: String) { self.description = description }

    /// `nil` for all of Korea.
    package var code: String? { self == .all ? nil : self.description }
}
