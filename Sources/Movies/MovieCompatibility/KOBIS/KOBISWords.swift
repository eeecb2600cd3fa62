import MovieDomain

/// KOBIS' words for genres, countries and age ratings, where they differ from the domain's.
enum KOBISWords {
    private static let korean = LanguagePreference([.korean])

    private static let genres: [GenreID: String] = [
        .adventure: "어드벤처", .erotic: "성인물(에로)", .history: "사극", .horror: "공포(호러)", .romance: "멜로/로맨스",
        .western: "서부극(웨스턴)",
    ]
    private static let countries = ["AU": "호주", "KR": "한국"]
    /// By rating of the Korea Media Rating Board.
    private static let ratings = [
        "ALL": "전체관람가", "12": "12세이상관람가", "15": "15세이상관람가", "18": "청소년관람불가", "RESTRICTED": "제한상영가",
    ]

    static let otherGenre = "기타"
    static let unrated = "등급미정"

    /// - Parameter genre: With its Korean name.
    static func name(of genre: Genre) -> String { Self.genres[genre.id] ?? genre.name }

    static func name(of country: Country) -> String {
        Self.countries[country.code] ?? country.name(in: Self.korean)
    }

    /// KOBIS' word for a Korean rating; otherwise the certificate's label.
    static func name(of certificate: Certificate) -> String {
        guard certificate.system == .kmrb, let word = Self.ratings[certificate.rating] else {
            return certificate.label(in: Self.korean)
        }
        return word
    }
}
