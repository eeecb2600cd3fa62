import MovieDomain
import UpstreamClient

/// The certificates of a film by country, those of theatrical releases preferred.
struct TMDBCertificates {
    /// In TMDB's order.
    private let certificates: [Certificate]

    /// Of `release_dates`; unrated releases are left out.
    init(_ dates: TolerantObject) {
        self.certificates = dates.rows("results").compactMap { row in
            guard let country = row.text("iso_3166_1").flatMap({ Country(code: $0) }) else { return nil }
            let releases = row.rows("release_dates").compactMap { release in
                release.text("certification").flatMap { Certificate($0, in: country) }.map { certificate in
                    (isInCinemas: [2, 3].contains(release.integer("type")), certificate: certificate)
                }
            }
            return (releases.first { $0.isInCinemas } ?? releases.first)?.certificate
        }
    }

    /// That of a country where the language is spoken, else of Korea, of the United States, of any country; nil without one.
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
}
