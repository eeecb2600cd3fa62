import HTTPSemantics
import MovieDomain
import Testing

@testable import MovieWeb

struct ParameterWordsTests {
    private let texts: TranslatedTexts

    init() throws { self.texts = try WebResources().texts }

    private func words(
        _ name: String, _ fault: Problem.Parameter.Fault = .value, in language: Language = .english
    ) -> ParameterWords? {
        ParameterWords(Problem.Parameter(name, fault), PageFormats(table: self.texts, language: language))
    }

    @Test(
        "the sentence names the field and the accepted values",
        arguments: [
            ("genre", "The value of “Genre” is not valid. Up to 5 genres"), ("decade", "such as 1990."),
            ("sort", "Accepted values: popularity, rating, newest, oldest, title"),
            ("page", "“Page” is not valid. It must be a whole number from 1 to 500."), ("year", "from 1888 to 2999."),
            ("date", "such as 2024-05-05."), ("span", "Accepted values: week, weekend, weekdays"),
            ("kind", "scenes, stills, posters, logos"), ("region", "“Country”"), ("q", "At most 200 characters"),
        ])
    func sentences(name: String, part: String) throws {
        let words = try #require(self.words(name))
        #expect(words.name == name && words.sentence.contains(part), "\(words.sentence)")
    }

    @Test func everyParameterOfAPageHasASentenceInEveryLanguage() throws {
        let names = ["genre", "decade", "country", "keyword", "sort", "page", "year", "q", "date", "span", "origin"]
        for name in names + ["view", "kind", "region", "language"] {
            for language in TranslatedTexts.languages {
                for fault in [Problem.Parameter.Fault.value, .repetition, .unsupported] {
                    let words = try #require(self.words(name, fault, in: language))
                    for text in [words.sentence, words.linkText] {
                        #expect(!text.contains("{") && !text.contains(/(accepted|error|field)[A-Z]/), "\(text)")
                    }
                }
            }
        }
    }

    @Test func everyFaultHasItsOwnSentence() {
        #expect(self.words("genre", .repetition)?.sentence == "“Genre” is given more than once.")
        #expect(
            self.words("keyword", .unsupported)?.sentence
                == "The data of this server cannot be filtered by “Keywords”.")
        #expect(self.words("genre", in: .korean)?.linkText == "‘장르’ 조건 없이 보기")
    }

    @Test(arguments: ["return", "part", "row", "<script>", ""])
    func parametersThatPeopleDoNotSetHaveNone(name: String) {
        #expect(self.words(name) == nil)
    }
}
