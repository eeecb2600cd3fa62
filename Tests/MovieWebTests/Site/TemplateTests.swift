import MovieDomain
import Testing

@testable import MovieWeb

/// Rules for all templates of the program.
struct TemplateTests {
    private let resources: WebResources

    init() throws { self.resources = try WebResources() }

    @Test func everyTemplateParsesInEveryLanguage() throws {
        let library = try TemplateLibrary(self.resources.templates, texts: self.resources.texts)
        for language in TranslatedTexts.languages {
            #expect(library.render("card", ["title": "<", "url": "/"], in: language).description.contains("&lt;"))
        }
        #expect(self.resources.templates.count > 20)
    }

    @Test func whatIsNotEscapedIsMarkupByItsName() {
        for (name, template) in self.resources.templates {
            for match in template.matches(of: /\{\{(\{|&)\s*([^}\s]*)\s*\}/) {
                let value = String(match.output.2)
                #expect(value == "." || value.hasSuffix("HTML") || value.hasSuffix("CSS"), "\(name): \(value)")
            }
            #expect(!template.contains("{{&"), "\(name)")
        }
    }

    @Test func listsThatAreNotEscapedAreKnown() {
        // The items of these lists are Markup; review additions.
        let known: Set<String> = ["film"]
        for (name, template) in self.resources.templates where !known.contains(name) {
            #expect(!template.contains("{{{.}}}"), "\(name)")
        }
    }

    @Test func noTemplateHasAStyleAttributeAHandlerOrAScriptOfItsOwn() {
        for (name, template) in self.resources.templates {
            #expect(!template.contains(/\sstyle=/), "\(name)")
            #expect(!template.contains(/<[^>]*\son[a-z]+=/), "\(name)")
            #expect(!template.contains(/<script(?![^>]*src=)/), "\(name)")
            #expect(!template.contains("javascript:"), "\(name)")
        }
    }

    @Test func everyPartialIsThere() {
        for (name, template) in self.resources.templates {
            for match in template.matches(of: /\{\{>\s*([^}\s]+)\s*\}\}/) {
                #expect(self.resources.templates[String(match.output.1)] != nil, "\(name): \(match.output.1)")
            }
        }
    }

    @Test func addressesOfOtherSitesSayThatTheyAre() {
        for (name, template) in self.resources.templates {
            for match in template.matches(of: /<a [^>]*target=/) { Issue.record("\(name): \(match.output)") }
        }
    }
}
