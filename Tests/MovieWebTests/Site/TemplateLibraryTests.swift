import MovieDomain
import Testing

@testable import MovieWeb

struct TemplateLibraryTests {
    private static let texts = "key\tko\ten\tja\nhello\t안녕 <b>\thello <b>\tこんにちは <b>\nvalue\t{x}\t{x}\t{x}"

    private func library(_ templates: [String: String]) throws -> TemplateLibrary {
        try TemplateLibrary(templates, texts: try TranslatedTexts(Self.texts))
    }

    private func render(_ template: String, _ model: Model = [:], in language: Language = .english) throws -> String {
        try self.library(["a": template]).render("a", model, in: language).description
    }

    @Test func textsAreThoseOfTheLanguageAndEscaped() throws {
        #expect(try self.render("<p>{{t.hello}}</p>", in: .korean) == "<p>안녕 &lt;b&gt;</p>")
        #expect(try self.render("{{t.hello}}|{{t.hello}}") == "hello &lt;b&gt;|hello &lt;b&gt;")
    }

    @Test(arguments: ["{{t.unknown}}", "{{t.value}}", "{{#open}}"])
    func aTemplateThatCannotBeUsedIsNamed(template: String) throws {
        let malformed = #expect(throws: TemplateLibrary.Malformed.self) { try self.library(["broken": template]) }
        #expect(try #require(malformed).description.contains("broken"))
    }

    @Test func valuesAreEscapedInSectionsListsAndPartials() throws {
        let hostile = "\"\u{301}<script>"
        let escaped = "&quot;\u{301}&lt;script&gt;"
        let library = try self.library([
            "a": "{{x}}|{{#one}}{{x}}{{/one}}|{{#list}}{{.}}{{/list}}|{{> b}}", "b": "{{x}}",
        ])
        let rendered = library.render(
            "a", ["x": hostile, "one": ["x": hostile] as Model, "list": [hostile]], in: .english)
        #expect(rendered.description == Array(repeating: escaped, count: 4).joined(separator: "|"))
    }

    @Test(arguments: ["{{t.hello}}", "{{{x}}}", "{{> b}}", "{{#x}}"])
    func valuesAreNeverReadAsTemplates(value: String) throws {
        #expect(try self.render("{{x}}", ["x": value]) == ScalarHTML.escape(value))
    }

    @Test func markupStaysAsItIs() throws {
        #expect(try self.render("{{{xHTML}}}", ["xHTML": Markup(html: "<b>\"</b>")]) == "<b>\"</b>")
        #expect(try self.render("{{#x}}{{{.}}}{{/x}}", ["x": [Markup(html: "<i>"), Markup("<")]]) == "<i>&lt;")
    }

    @Test func whatIsNilOrEmptyIsLeftOut() throws {
        let template = "{{#x}}yes {{.}}{{/x}}{{^x}}no{{/x}}"
        #expect(try self.render(template, ["x": nil]) == "no")
        #expect(try self.render(template, ["x": String?.none]) == "no")
        #expect(try self.render(template, ["x": ""]) == "no")
        #expect(try self.render(template, ["x": Markup.empty]) == "no")
        #expect(try self.render(template, ["x": [Model]()]) == "no")
        #expect(try self.render(template, ["x": false]) == "no")
        #expect(try self.render(template, [:]) == "no")
        #expect(try self.render(template, ["x": "a"]) == "yes a")
        #expect(try self.render("{{x}}|{{#x}}1{{/x}}", ["x": nil]) == "|")
    }

    @Test func aValueThatIsNilIsNotLookedForInTheModelOutside() throws {
        let model: Model = ["url": "/outer", "rows": [["url": "/a"], ["url": nil]] as [Model]]
        #expect(try self.render("{{#rows}}{{#url}}[{{.}}]{{/url}}{{^url}}none{{/url}}{{/rows}}", model) == "[/a]none")
    }
}
