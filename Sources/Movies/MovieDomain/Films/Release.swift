/// A release of a film in a country.
package struct Release: Hashable, Sendable {
    /// The kinds of releases, in the order of TMDB's numbers from 1.
    package enum Kind: String, CaseIterable, Sendable {
        case premiere, limited, theatrical, digital, physical, tv, other
    }

    /// The maximal number of releases per film; further ones are dropped.
    package static let limit = 300

    package let country: Country
    package let date: CalendarDate?
    package let kind: Kind
    package let certificate: Certificate?
    /// A note such as the festival of a premiere; may be empty.
    package let note: String

    package init(
        country: Country, date: CalendarDate?, kind: Kind, certificate: Certificate? = nil, note: String = ""
    ) {
        self.country = country
        self.date = date
        self.kind = kind
        self.certificate = certificate
        self.note = note
    }

    /// Sorts by country, then date; undated releases last.
    package static func sorted(_ releases: [Release]) -> [Release] {
        let key = { (release: Release) in (release.country.code, release.date?.dayNumber ?? .max) }
        return releases.sorted { key($0) < key($1) }
    }
}

extension Movie {
    /// The first cinema release in a country, else its first digital release; `nil` if neither is known.
    package func release(in country: Country) -> Release? {
        let dated = Release.sorted(self.releases.filter { $0.country == country && $0.date != nil })
        return dated.first { $0.kind == .theatrical || $0.kind == .limited } ?? dated.first { $0.kind == .digital }
    }

    /// The age rating in a country, preferably for cinemas; `nil` if unknown.
    package func certificate(in country: Country) -> Certificate? {
        let rated = self.releases.filter { $0.country == country && $0.certificate != nil }
        let own = self.certificate.flatMap { $0.country == country ? $0 : nil }
        return own ?? (rated.first { $0.kind == .theatrical } ?? rated.first)?.certificate
    }
}
