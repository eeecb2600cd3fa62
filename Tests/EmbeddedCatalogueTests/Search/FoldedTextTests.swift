import Testing

@testable import EmbeddedCatalogue

struct FoldedTextTests {
    private func folded(_ text: String) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: FoldedText(text).scalars)
        return String(view)
    }

    @Test(arguments: [
        ("Häxan", "haxan"), ("ＨＡＸＡＮ", "haxan"), ("Safety Last!", "safetylast"), ("キング・コング", "キングコング"),
        ("ｺﾞｼﾞﾗ", "ゴジラ"), ("が", "ガ"), ("か\u{3099}", "ガ"), ("きんぐこんぐ", "キングコング"), ("ぁゖゝゞ", "ァヶヽヾ"), ("ゎー", "ヮー"),
        ("Броненосец «Потёмкин»", "броненосецпотемкин"),
        ("Franz Gnaß", "franzgnass"), ("Ⅶ", "vii"), ("Pandora’s", "pandoras"), ("동경 이야기", "동경이야기"),
        ("\u{1103}\u{1169}\u{11BC}", "동"), ("!!!", ""), ("🎬", ""), ("Sō", "so"), ("m\u{0301}\u{0301}", "m"),
    ])
    func foldsWhatPeopleWriteDifferently(text: String, expected: String) {
        #expect(self.folded(text) == expected)
    }

    @Test func wordsAreApartWhereTheyWere() {
        #expect(FoldedText("Dr. Caligari's  Cabinet-of 7").words.map(\.scalars.count) == [2, 9, 7, 2, 1])
        #expect(FoldedText("D.W. Griffith").words.count == 2)
        #expect(FoldedText("  ").words.isEmpty)
    }

    @Test func isNeverLongerThanItsLimit() {
        #expect(FoldedText(String(repeating: "ﷺ", count: 10_000)).scalars.count <= FoldedText.scalarLimit + 4)
        #expect(FoldedText("a" + String(repeating: "\u{0301}", count: 100_000)).scalars.count == 1)
    }

    @Test(arguments: [
        ("하", "하녀"), ("한", "하녀"), ("하ㄴ", "하녀"), ("ㅎ", "하녀"), ("동겨", "동경"), ("오바", "오발탄"), ("오발ㅌ", "오발탄"),
        ("이", "읽다"), ("오", "와"), ("일", "이라"), ("읽", "일기"),
    ])
    func aQueryInTheMiddleOfASyllableBeginsTheText(query: String, text: String) {
        #expect(SearchMatch(of: FoldedText(query), in: FoldedText(text))?.place == .beginning)
    }

    @Test(arguments: [("녀하", "하녀"), ("ㅏ", "하녀"), ("항", "하녀"), ("하녀들", "하녀"), ("a", "metropolis land")])
    func whatDoesNotBeginItIsNotFound(query: String, text: String) {
        #expect(SearchMatch(of: FoldedText(query), in: FoldedText(text)) == nil)
    }

    @Test func theIndexPromisesNoLessThanTheTextsHold() {
        let texts = ["하녀", "동경 이야기", "와룡", "읽기", "Metropolis", "東京物語", "7인의 사무라이"].map { FoldedText($0) }
        for text in texts {
            let indexed = Set(SearchNGrams.indexed([text]).split(separator: " ").map { "\"\($0)\"" })
            for start in text.scalars.indices {
                for end in (start + 1)...text.scalars.count {
                    var view = String.UnicodeScalarView()
                    view.append(contentsOf: text.scalars[start..<end])
                    let expression = SearchNGrams.expression(for: [FoldedText(String(view))]) ?? ""
                    let asked = Set(expression.split(separator: " ").map { String($0) }).subtracting(["AND"])
                    #expect(!asked.isEmpty && asked.isSubset(of: indexed), "\(String(view))")
                }
            }
        }
    }
}
