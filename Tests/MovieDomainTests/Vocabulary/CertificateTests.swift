import MovieDomain
import Testing

struct CertificateTests {
    @Test(
        "words of a country's system",
        arguments: [
            ("15세이상관람가", "KR", "kmrb", "15"), ("12세 이상 관람가", "KR", "kmrb", "12"), ("전체관람가", "KR", "kmrb", "ALL"),
            ("15세관람가(15세이상관람가)", "KR", "kmrb", "15"), ("청소년관람불가", "KR", "kmrb", "18"), ("19", "KR", "kmrb", "18"),
            ("제한상영가", "KR", "kmrb", "RESTRICTED"), ("PG-13", "US", "mpa", "PG-13"), (" R ", "US", "mpa", "R"),
            ("Approved", "US", "mpa", "Approved"), ("TV-MA", "US", "tvpg", "TV-MA"), ("PG", "GB", "bbfc", "PG"),
            ("16", "DE", "fsk", "16"), ("PG12", "JP", "eirin", "PG12"), ("A", "AD", "other", "A"),
            ("기타등급", "KR", "other", "기타등급"),
        ])
    func words(word: String, code: String, system: String, rating: String) throws {
        let country = try #require(Country(code: code))
        let certificate = try #require(Certificate(word, in: country))
        #expect(certificate.system.rawValue == system)
        #expect(certificate.country == country)
        #expect(certificate.rating == rating)
    }

    @Test(arguments: ["", "  ", "N/A", "NR", "Not Rated", "not rated", "Unrated", "등급미정"])
    func unratedFilmsHaveNone(word: String) {
        #expect(Certificate(word, in: .korea) == nil)
        #expect(Certificate(word, in: .unitedStates) == nil)
    }

    @Test(
        "labels",
        arguments: [
            ("전체관람가", "ko", "전체 관람가"), ("전체관람가", "en", "All"), ("전체관람가", "ja", "全年齢"), ("15", "ko", "15세 이상"),
            ("15", "en", "15"), ("18", "ko", "청소년 관람불가"), ("18", "ja", "18"),
        ])
    func labels(word: String, language: String, label: String) throws {
        let preference = LanguagePreference(codes: language)
        #expect(try #require(Certificate(word, in: .korea)).label(in: preference) == label)
    }

    @Test(.timeLimit(.minutes(1)))
    func longWordsAreCut() throws {
        let word = String(repeating: "🇰🇷", count: 20_000)
        #expect(try #require(Certificate(word + " ", in: .unitedStates)).rating == String(word.prefix(50)))
    }

    @Test func otherSystemsAreShownAsTheyAre() throws {
        let certificate = try #require(Certificate("PG-13", in: .unitedStates))
        #expect(certificate.label(in: LanguagePreference([.korean])) == "PG-13")
    }
}
