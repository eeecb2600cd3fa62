import MovieDomain
import Mustache

/// The parsed templates, one set for each language of the interface.
struct TemplateLibrary: Sendable {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private let libraries: [Language: MustacheLibrary]

    /// - Parameters:
    ///   - templates: By name, without folder and suffix.
    ///   - texts: The texts that replace `{{t.key}}`.
    init(_ templates: [String: String], texts: TranslatedTexts) throws(Malformed) {
        MustacheContentTypes.register(ScalarHTML(), named: ScalarHTML.name)
        var libraries: [Language: MustacheLibrary] = [:]
        for language in TranslatedTexts.languages {
            var library = MustacheLibrary()
            for (name, template) in templates {
                do {
                    // Partials start with the package's own content type, so each of them sets this one.
                    let text = "{{% CONTENT_TYPE: \(ScalarHTML.name)}}" + (try Self.baked(template, texts, language))
                    try library.register(text, named: name)
                } catch {
                    throw Malformed(description: "template \(name) (\(language)): \(error)")
                }
            }
            libraries[language] = library
        }
        self.libraries = libraries
    }

    /// - Returns: The rendered template; empty if it does not exist, which a test rules out.
    func render(_ template: String, _ model: Model, in language: Language) -> Markup {
        let library = self.libraries[language] ?? self.libraries[.english]
        return Markup(html: library?.render(model, withTemplate: template) ?? "")
    }

    /// The template with the language's texts for `{{t.key}}`.
    private static func baked(
        _ template: String, _ texts: TranslatedTexts, _ language: Language
    ) throws(Malformed) -> String {
        var baked = ""
        var rest = Substring(template)
        while let mark = rest.firstRange(of: "{{t.") {
            guard let end = rest[mark.upperBound...].firstRange(of: "}}") else { break }
            let key = String(rest[mark.upperBound..<end.lowerBound])
            guard let text = texts.text(key, in: language), !text.contains("{") else {
                throw Malformed(description: "the text \(key) is missing or has placeholders")
            }
            baked += rest[..<mark.lowerBound] + ScalarHTML.escape(text)
            rest = rest[end.upperBound...]
        }
        return baked + rest
    }
}
