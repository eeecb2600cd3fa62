import HTTPSemantics
import MovieDomain
import Testing

@testable import MovieWeb

struct ProblemWordsTests {
    private let texts: TranslatedTexts

    init() throws { self.texts = try WebResources().texts }

    private func words(
        _ kind: Problem.Kind, retryAfter seconds: Int? = nil, source: MovieSource? = nil, limit: Int? = nil,
        in language: Language = .english
    ) -> ProblemWords {
        ProblemWords(
            Problem(kind, "page must be a whole number", retryAfterSeconds: seconds), source: source, limit: limit,
            requestID: "id-1", PageFormats(table: self.texts, language: language))
    }

    @Test(arguments: Problem.Kind.allCases)
    func everyProblemHasWordsInEveryLanguage(kind: Problem.Kind) {
        for language in TranslatedTexts.languages {
            let words = self.words(kind, retryAfter: 3, source: .tmdb, limit: 500, in: language)
            let all = [words.heading, words.text ?? "", words.detail ?? ""]
            #expect(!words.heading.isEmpty)
            for text in all { #expect(!text.contains("{") && !text.hasPrefix("error"), "\(kind): \(text)") }
        }
    }

    @Test func whatIsUnknownIsNamed() {
        #expect(self.words(.unknownMovie).heading == "There is no such film")
        #expect(self.words(.unknownPerson).heading == "There is no such person")
        #expect(self.words(.unknownCollection).heading == "There is no such series")
        #expect(self.words(.unknownApp).heading == "There is no such app")
        #expect(self.words(.notFound).heading == "There is no such page" && !self.words(.notFound).isPassing)
        #expect(self.words(.notFound).detail == nil, "the sentence is about paths of programs")
    }

    @Test(arguments: [Problem.Kind.sourceUnavailable, .sourceTooSlow, .sourceBusy])
    func aSourceThatFailsIsNamedAndMayAnswerAgain(kind: Problem.Kind) {
        let words = self.words(kind, source: .tmdb)
        #expect(words.heading == "TMDB cannot be reached" && words.isPassing)
        #expect(self.words(kind, source: .kobis, in: .korean).heading.hasPrefix("KOBIS"))
    }

    @Test func whatIsSwitchedOffIsNotTriedAgain() {
        let words = self.words(.sourceOff, source: .kobis)
        #expect(words.text == "KOBIS is not switched on at this server." && !words.isPassing)
    }

    @Test func aServerThatIsBusyItselfSaysItsOwnName() {
        #expect(self.words(.overloaded).heading == "OneSheet cannot be reached")
        #expect(self.words(.storageFailed).isPassing)
    }

    @Test func whoAsksTooOftenLearnsHowLongToWait() {
        #expect(self.words(.tooManyRequests, retryAfter: 1).text == "Try again in 1 second.")
        #expect(self.words(.tooManyRequests, retryAfter: 7).text == "Try again in 7 seconds.")
        #expect(self.words(.tooManyRequests).text == nil)
    }

    @Test func anAddressThatCannotBeReadLeadsToTheSearch() {
        for kind in [Problem.Kind.invalidParameter, .invalidID] {
            let words = self.words(kind)
            #expect(words.heading == "That request was not understood" && words.parameter == nil)
            #expect(words.text?.hasPrefix("The address may be misspelled") == true)
            #expect(words.detail == nil, "it is in English, and about programs")
        }
    }

    @Test func theLimitOfAListIsSaid() {
        #expect(self.words(.tooManyFavourites, limit: 500).heading == "That is the limit: 500 films.")
        #expect(self.words(.tooManyFavourites).detail == "page must be a whole number")
    }

    @Test func anUnexpectedFailureHasANumberAndNoCause() {
        let words = self.words(.internalError)
        #expect(words.text?.contains("id-1") == true && words.detail == nil)
    }
}
