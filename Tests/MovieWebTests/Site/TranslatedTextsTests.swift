import MovieDomain
import Testing

@testable import MovieWeb

struct TranslatedTextsTests {
    private static let header = "key\tko\ten\tja\n"

    private func table(_ rows: String) throws -> TranslatedTexts { try TranslatedTexts(Self.header + rows) }

    @Test(arguments: [
        ("a\t가\tb\t", "row 2"), ("a\t가\tb", "row 2"), ("a\t가\tb\tc\td", "row 2"),
        ("a\t{x}\t{y}\t{x}", "placeholders"), ("a\t{x}\tb\t{x}", "placeholders"), ("a\t1\t2\t3\na\t1\t2\t3", "twice"),
    ])
    func aFaultOfTheFileIsNamed(rows: String, says: String) throws {
        let malformed = #expect(throws: TranslatedTexts.Malformed.self) { try self.table(rows) }
        #expect(try #require(malformed).description.contains(says))
    }

    @Test func columnsMustBeTheLanguagesInTheirOrder() {
        #expect(throws: TranslatedTexts.Malformed.self) { try TranslatedTexts("key\ten\tko\tja\na\t1\t2\t3") }
        #expect(throws: TranslatedTexts.Malformed.self) { try TranslatedTexts("") }
    }

    @Test func headingsAreNoTexts() throws {
        let table = try self.table("# Heading\na\t가\tb\tc")
        #expect(Array(table.keys) == ["a"])
    }

    @Test func valuesTakeThePlacesOfTheirNames() throws {
        let table = try self.table("a\t{x} 좋다\tgood {x}, {x}\t{x}良い")
        #expect(table.text("a", in: .korean, ["x": "{y}"]) == "{y} 좋다")
        #expect(table.text("a", in: .english, ["x": "1"]) == "good 1, 1")
    }

    @Test func englishChoosesBetweenOneAndOthers() throws {
        let table = try self.table("a\t{count}편\t{count} {count|film|films}\t{count}本")
        #expect(table.text("a", in: .english, count: 1) == "1 film")
        #expect(table.text("a", in: .english, count: 0) == "0 films")
        #expect(table.text("a", in: .english, count: 1234) == "1,234 films")
        #expect(table.text("a", in: .korean, count: 1) == "1편")
    }

    @Test func theFirstLanguageThatTheTableHasIsTheInterfaces() {
        let language = { (codes: [String]) in
            TranslatedTexts.language(for: LanguagePreference(codes.compactMap { Language($0) })).code
        }
        #expect(language(["fr", "ja", "ko"]) == "ja")
        #expect(language(["fr"]) == "en")
        #expect(language([]) == "en")
    }

    @Test func theProgramsTableIsWellFormed() throws {
        let texts = try WebResources().texts
        #expect(texts.keys.count > 250)
        #expect(texts.text("navDiscover", in: .korean) == "둘러보기")
    }
}
