import Testing

@testable import MovieWeb

struct MinifiedCSSTests {
    @Test(arguments: [
        ("a { b: c; }", "a{b:c}"), ("/* x */a{}/* y", "a{}"), ("a  >  b,\n c { d : e }", "a>b,c{d :e}"),
        ("a :hover { width: calc(1px + 2px) }", "a :hover{width:calc(1px + 2px)}"),
        (".x::before { content: \"a ;  b\"; }", ".x::before{content:\"a ;  b\"}"),
        (
            "@media (min-width: 40rem) and (hover: hover) { a { b: c } }",
            "@media (min-width:40rem) and (hover:hover){a{b:c}}"
        ),
        ("font: 1px 'A B', serif;", "font:1px 'A B',serif;"),
    ])
    func blanksThatMeanNothingAreLeftOut(sheet: String, minified: String) {
        #expect(MinifiedCSS(sheet).description == minified)
    }

    @Test func theSheetOfAllPagesIsSmallAndWhole() throws {
        let sheet = String(decoding: try #require(WebResources().assets["onesheet.css"]), as: UTF8.self)
        let minified = MinifiedCSS(sheet).description
        #expect(minified.utf8.count < sheet.utf8.count)
        #expect(!minified.contains("/*") && !minified.contains("\n"))
        #expect(minified.filter { $0 == "{" }.count == minified.filter { $0 == "}" }.count)
        #expect(!minified.contains("</"))
    }
}
