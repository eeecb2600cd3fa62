/// The part of a market that a box office is of.
package struct BoxOfficeFilter: Hashable, Sendable {
    /// What films and figures are chosen by.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case area, origin, films
    }

    /// Where films are made.
    package enum Origin: String, Hashable, Sendable, CaseIterable {
        case korean, foreign
    }

    /// Kinds of films by the Korean Film Council's register.
    package enum Films: String, Hashable, Sendable, CaseIterable {
        /// Art-house and independent ones.
        case diversity
        case commercial
    }

    /// Of the cinemas; nil for the source's default.
    package var area: BoxOfficeArea?
    /// nil for all.
    package var origin: Origin?
    /// nil for all.
    package var films: Films?

    package init(area: BoxOfficeArea? = nil, origin: Origin? = nil, films: Films? = nil) {
        self.area = area
        self.origin = origin
        self.films = films
    }

    /// What it chooses by: all of Korea is no choice.
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

/// A part of Korea by KOBIS' code, such as `0105001` for Seoul, or `all` of it.
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

    /// nil for all of Korea.
    package var code: String? { self == .all ? nil : self.description }
}
