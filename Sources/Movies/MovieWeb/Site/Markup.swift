import Mustache

/// Text that is already HTML. Only ``TemplateLibrary`` and code that escapes text itself create it.
struct Markup: Hashable, Sendable, CustomStringConvertible {
    static let empty = Markup(html: "")

    let description: String

    init(html: String) { self.description = html }

    /// Escapes `text`.
    init(_ text: String) { self.description = ScalarHTML.escape(text) }

    static func link(_ text: String, to url: String) -> Markup {
        Markup(html: "<a href=\"\(ScalarHTML.escape(url))\">\(ScalarHTML.escape(text))</a>")
    }

    static func outerLink(_ text: String, to url: String) -> Markup {
        Markup(html: "<a href=\"\(ScalarHTML.escape(url))\" rel=\"external noopener\">\(ScalarHTML.escape(text))</a>")
    }

    var isEmpty: Bool { self.description.isEmpty }

    static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.description + right.description) }
}

extension Markup: MustacheCustomRenderable {
    var renderText: String { self.description }
    var isNull: Bool { false }
}

extension Sequence<Markup> {
    func joined(separator: String = "\n") -> Markup {
        Markup(html: self.map(\.description).joined(separator: separator))
    }
}
