import EmbeddedCatalogue
import MovieDomain
import Testing

struct EmbeddedPeopleTests {
    private static let hangul: ClosedRange<Unicode.Scalar> = "가"..."힣"
    private static let kana: ClosedRange<Unicode.Scalar> = "ぁ"..."ヿ"
    private static let kanji: ClosedRange<Unicode.Scalar> = "一"..."龯"

    /// The names of all credits of all films, each once.
    private static func names(_ movies: EmbeddedMovies, in language: LanguagePreference) async throws -> Set<String> {
        var names: Set<String> = []
        for film in try await movies.all(limit: 1000, language: language) {
            let credits = try #require(try await movies.credits(of: film.id, language: language))
            names.formUnion(credits.cast.map(\.name) + credits.crew.map(\.name))
        }
        return names
    }

    @Test func everyPersonHasAKoreanAndAJapaneseName() async throws {
        let movies = try EmbeddedFixture().movies
        let inKorean = try await Self.names(movies, in: LanguagePreference([.korean]))
        let inJapanese = try await Self.names(movies, in: LanguagePreference([try #require(Language("ja"))]))
        #expect(inKorean.count == 312 && inJapanese.count == 312)
        for name in inKorean { #expect(name.unicodeScalars.contains { Self.hangul.contains($0) }, "\(name)") }
        for name in inJapanese {
            #expect(
                name.unicodeScalars.contains { Self.kana.contains($0) || Self.kanji.contains($0) }, "\(name)")
        }
    }
}
