import Testing

@testable import SearchText

struct SearchKeysTests {
    private func keys(_ text: String) -> [SearchKeys.Key] { SearchKeys(FoldedText(text)).keys }

    @Test(arguments: [
        ("하", "하녀"), ("한", "하녀"), ("하ㄴ", "하녀"), ("ㅎ", "하녀"), ("동겨", "동경"), ("오바", "오발탄"), ("오발ㅌ", "오발탄"),
        ("이", "읽다"), ("오", "와"), ("일", "이라"), ("읽", "일기"), ("metro", "Metropolis"), ("ゴジ", "ごじら"),
    ])
    func whatIsTypedIsAPrefixOfTheTextsKeys(query: String, text: String) {
        #expect(self.keys(text).starts(with: self.keys(query)))
    }

    @Test(arguments: [("녀", "하녀"), ("ㅏ", "하녀"), ("항", "하녀"), ("하녀들", "하녀")])
    func whatDoesNotBeginTheTextIsNone(query: String, text: String) {
        #expect(!self.keys(text).starts(with: self.keys(query)))
    }

    @Test func lettersBeginWhereTheirFirstKeyIs() {
        let keys = SearchKeys(FoldedText("7인의 m"))
        #expect(keys.letterStarts == [0, 1, 4, 7] && keys.keys.count == 8)
        #expect(SearchKeys(letters: FoldedText("7인의 m")).keys.count == 4)
    }

    @Test(arguments: [("카사블랑카", "ㅋㅅㅂㄹㅋ"), ("7인의 사무라이", "7ㅇㅇㅅㅁㄹㅇ")])
    func initialsAreTheFirstConsonantsOfSyllables(text: String, initials: String) throws {
        let found = try #require(SearchKeys(initialsOf: FoldedText(text)))
        #expect(found.keys == self.keys(initials))
    }

    @Test(arguments: ["Metropolis", "킹 kong", "羅生門", "1984", ""])
    func otherTextsHaveNoInitials(text: String) {
        #expect(SearchKeys(initialsOf: FoldedText(text)) == nil)
    }

    @Test(arguments: [
        ("gksu", "하녀"), ("zktkqmffkdzk", "카사블랑카"), ("tlals zpdls", "시민케인"), ("Rkcl", "까치"), ("GKSU", "하녀"),
        ("dhkfyd", "와룡"), ("dlfrrl", "읽기"), ("ehd", "동"),
    ])
    func lettersOfTheLatinLayoutAreKeysOfTheKoreanOne(typed: String, meant: String) throws {
        #expect(try #require(KeyboardLayout.hangul(typed: typed)).keys == self.keys(meant))
        #expect(KeyboardLayout.hangulText(typed: typed) == meant)
    }

    @Test(arguments: ["metropolis", "gks-u", "1", "", "kk", "하녀"])
    func whatComposesNoSyllablesIsNotKorean(typed: String) {
        #expect(KeyboardLayout.hangulText(typed: typed) == nil)
    }

    @Test(arguments: [("ㅡㄷㅅ개", "metro"), ("ㅜㅐㄴㄹㄷㄱㅁ셔", "nosferatu")])
    func lettersOfTheKoreanLayoutAreLatinOnes(typed: String, meant: String) {
        #expect(KeyboardLayout.latin(typed: FoldedText(typed)) == FoldedText(meant))
        #expect(KeyboardLayout.latin(typed: FoldedText("metro")) == nil)
    }
}
