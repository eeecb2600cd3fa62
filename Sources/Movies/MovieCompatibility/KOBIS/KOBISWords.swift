import MovieDomain

/// KOBIS' words for genres, countries and age ratings, for which the domain has its own.
enum KOBISWords {
    private static let korean = LanguagePreference([.korean])

    /// Those that differ from the domain's Korean names.
    private static let genres: [GenreID: String] = [
        .adventure: "어드벤처", .erotic: "성인물(에로)", .history: "사극", .horror: "공포(호러)", .romance: "멜로/로맨스",
        .western: "서부극(웨스턴)",
    ]
    private static let countries = ["AU": "호주", "KR": "한국"]
    /// By rating of the Korea Media Rating Board.
    private static let ratings = [
        "ALL": "전체관람가", "12": "12세이상관람가", "15": "15세이상관람가", "18": "청소년관람불가", "RESTRICTED": "제한상영가",
    ]

    /// Of a film without a known genre.
    static let otherGenre = "기타"
    /// Of a film without an age rating.
    static let unrated = "등급미정"

    /// - Parameter genre: Named in Korean.
    static func name(of genre: Genre) -> String { Self.genres[genre.id] ?? genre.name }

    static func name(of country: Country) -> String {
        Self.countries[country.code] ?? country.name(in: Self.korean)
    }

    /// In the words of another system where it is none of Korea's.
    static func name(of certificate: Certificate) -> String {
        guard certificate.system == .kmrb, let word = Self.ratings[certificate.rating] else {
            return certificate.label(in: Self.korean)
        }
        return word
    }
}
