import FoundationEssentials
import PosterTesting
import Testing

@testable import MovieDomain

struct CountryTests {
    private static let english = LanguagePreference([.english])

    @Test func everyCountryHasThreeNamesByWhichItIsFound() throws {
        #expect(Country.all.count == 250)
        for country in Country.all {
            for code in ["ko", "en", "ja"] {
                let name = country.name(in: LanguagePreference(codes: code))
                #expect(!name.isEmpty && Country(word: name) == country)
            }
        }
    }

    @Test(
        "words of sources, without regard to case and spaces",
        arguments: [
            ("한국", "KR"), ("대한민국", "KR"), ("남아공", "ZA"), ("소련", "RU"), ("체코슬로바키아", "CZ"), ("서독", "DE"),
            ("United States", "US"), ("usa", "US"), ("UK", "GB"), ("Soviet Union", "RU"), ("Czech  Republic", "CZ"),
            ("日本", "JP"), ("South Korea", "KR"),
        ])
    func words(word: String, code: String) {
        #expect(Country(word: word)?.code == code)
    }

    @Test(
        "former codes are those of the successor",
        arguments: [("SU", "RU"), ("su", "RU"), ("YU", "RS"), ("XC", "CZ"), ("XG", "DE"), ("kr", "KR"), ("XK", "XK")])
    func codes(code: String, current: String) {
        #expect(Country(code: code)?.code == current)
    }

    @Test func unknownCodesAndWordsAreNoCountry() {
        for code in ["", "K", "KOR", "ZZ", "한국"] { #expect(Country(code: code) == nil) }
        for word in ["", "기타", "합작", "다국적", "N/A", "Atlantis"] { #expect(Country(word: word) == nil) }
    }

    @Test func wordsWithoutACountryStayApartAndCountriesAreThereOnce() {
        let (countries, others) = Country.reading(["소련", "러시아", "기타", "한국"])
        #expect(countries.map(\.code) == ["RU", "KR"])
        #expect(others == ["기타"])
    }

    @Test func noWordMeansTwoCountries() {
        var found: [VocabularyWord: Set<String>] = [:]
        for row in (Country.nameTable + "\n" + Country.wordTable).split(separator: "\n") {
            for word in row.dropFirst(3).wordsBetweenBars {
                found[VocabularyWord(word), default: []].insert(String(row.prefix(2)))
            }
        }
        #expect(found.filter { $0.value.count > 1 }.isEmpty)
        #expect(Country.successors.values.allSatisfy { Country(code: $0)?.code == $0 })
    }

    @Test func otherLanguagesHaveTheEnglishName() throws {
        let french = try #require(Language("fr"))
        #expect(Country.korea.name(in: LanguagePreference([french])) == "South Korea")
        #expect(Country.korea.name(in: LanguagePreference([french, .korean])) == "대한민국")
    }

    @Test func everyCountryOfTMDBHasACode() throws {
        guard let samples = UpstreamSamples() else {
            print("skipped: ../shared/upstream is not beside the repository")
            return
        }
        struct Row: Decodable {
            let iso_3166_1: String
        }
        let body = Data(try samples.bytes("tmdb/configuration_countries.json"))
        let rows = try JSONDecoder().decode([Row].self, from: body)
        #expect(rows.count == 251)
        #expect(rows.map(\.iso_3166_1).filter { Country(code: $0) == nil }.isEmpty)
    }
}
