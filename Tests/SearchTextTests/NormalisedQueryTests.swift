import SearchText
import Testing

struct NormalisedQueryTests {
    @Test(arguments: [
        ("gksu", "하녀"), ("Rmrwkd", "극장"), ("TKFDLS", "살인"), ("dhRcl", "옦치"), ("tkfdlsdml cndjr", "살인의추억"),
        ("ㅡㄷㅅ개", "metro"), ("Ｍａｔｒｉｘ!!", "matrix"), ("Amélie.", "amelie"),
        ("spider-man", "spider man"), ("ｼﾈﾏ", "シネマ"),
    ])
    func isWhatMayHaveBeenMeant(query: String, meant: String) {
        #expect(NormalisedQuery.text(of: query) == meant)
    }

    @Test(arguments: ["Matrix", "the  matrix ", "하녀", "살인의 추억", "!!!", "", "東京物語"])
    func isNoneWhenASourceWouldFindTheSame(query: String) {
        #expect(NormalisedQuery.text(of: query) == nil)
    }
}
