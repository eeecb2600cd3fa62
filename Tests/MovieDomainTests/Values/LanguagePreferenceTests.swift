import MovieDomain
import Testing

struct LanguagePreferenceTests {
    private let texts = ["en": "The Housemaid", "ko": "하녀", "ja": "下女"]

    @Test func whatIsPreferredGoesFirstThenTheOriginalThenEnglishThenAny() throws {
        let french = try #require(Language("fr"))
        let japanese = try #require(Language("ja-JP"))
        #expect(LanguagePreference([japanese]).choice(from: self.texts, original: .korean)?.text == "下女")
        #expect(LanguagePreference([french]).choice(from: self.texts, original: japanese)?.text == "下女")
        #expect(LanguagePreference([french]).choice(from: self.texts, original: nil)?.text == "The Housemaid")
        #expect(LanguagePreference([french]).choice(from: ["ja": "東京物語"], original: nil)?.text == "東京物語")
        #expect(LanguagePreference([french]).choice(from: ["ja": ""], original: nil) == nil)
    }

    @Test func withoutAPreferenceItIsEnglish() {
        #expect(LanguagePreference().first == .english)
        #expect(LanguagePreference().choice(from: self.texts, original: .korean)?.text == "The Housemaid")
    }

    @Test func onlyTheFirstLanguagesCountAndEachOnce() {
        let many = (0..<20).compactMap { Language("a\(Character(UnicodeScalar(97 + UInt8($0 % 10))))") }
        let preference = LanguagePreference(many + many)
        #expect(preference.languages.count == LanguagePreference.limit)
        #expect(Set(preference.languages).count == LanguagePreference.limit)
    }

    @Test(arguments: ["", "x", "1a", "ko!", "korean"]) func whatIsNoLanguageIsNone(tag: String) {
        #expect(Language(tag) == nil)
    }
}
