import Testing

@testable import MovieDomain

struct FoldedTitleTests {
    @Test(
        "titles that differ in how they are written only are one",
        arguments: [
            ("살인의 추억", "살인의추억"), ("The Matrix", "THE  MATRIX"), ("범죄도시 2", "범죄도시２"), ("Amélie", "Ame\u{301}lie"),
            ("Spider-Man: No Way Home", "Spider Man No Way Home"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
            ("ＡＫＩＲＡ", "Akira"), ("M*A*S*H", "MASH"), ("…!", "…!"),
        ])
    func same(_ left: String, _ right: String) {
        #expect(FoldedTitle(left) == FoldedTitle(right))
    }

    @Test(
        "others are not",
        arguments: [
            ("기생충", "기생충 흑백판"), ("Alien", "Aliens"), ("범죄도시 2", "범죄도시 3"), ("Amelie", "Amélie"), ("!", "?"), ("", "a"),
        ])
    func different(_ left: String, _ right: String) {
        #expect(FoldedTitle(left) != FoldedTitle(right))
    }
}
