import MovieDomain
import UpstreamClient

/// A film's releases in all countries, with their certificates.
struct TMDBReleases: Sendable {
    /// The releases by country, then date; at most ``Release/limit``.
    let all: [Release]
    /// One certificate per country, preferably of a cinema release; in TMDB's order.
    private let certificates: [Certificate]

    /// - Parameter dates: The member `release_dates`.
    init(_ dates: TolerantObject) {
        let countries = dates.rows("results").compactMap { row in
            row.text("iso_3166_1").flatMap { Country(code: $0) }.map { country in
                row.rows("release_dates").map { Self.release($0, in: country) }
            }
        }
        self.all = Array(Release.sorted(Array(countries.joined())).prefix(Release.limit))
        self.certificates = countries.compactMap { releases in
            let rated = releases.filter { $0.certificate != nil }
            return (rated.first { $0.kind == .limited || $0.kind == .theatrical } ?? rated.first)?.certificate
        }
    }

    /// The certificate for readers of a language: for Japanese of Japan; for languages other than Korean and Japanese
    /// of the United States or the United Kingdom; else of Korea, the United States, or any country. `nil` if there is
    /// none.
    func certificate(for language: Language) -> Certificate? {
        let countries: [Country] =
            switch language.code {
            case "ko": []
            case "ja": [.japan]
            default: [.unitedStates, .unitedKingdom]
            }
        for country in countries + [.korea, .unitedStates] {
            if let certificate = self.certificates.first(where: { $0.country == country }) { return certificate }
        }
        return self.certificates.first
    }

    private static func release(_ row: TolerantObject, in country: Country) -> Release {
        Release(
            country: country, date: row.date("release_date")?.date,
            kind: row.integer("type").flatMap { Self.kinds[$0] } ?? .other,
            certificate: row.text("certification").flatMap { Certificate($0, in: country) },
            note: row.text("note") ?? "")
    }

    private static let kinds: [Int: Release.Kind] = [
        1: .premiere, 2: .limited, 3: .theatrical, 4: .digital, 5: .physical, 6: .tv,
    ]
}
