import Mustache

/// The values of a template, by name.
///
/// Nil and empty texts are nothing: their sections are left out, and a name of an outer model does not take their place, as it
/// does for names that a model does not have.
struct Model: MustacheParent, ExpressibleByDictionaryLiteral, Sendable {
    /// Ends the search for a name at the model that has it as nil.
    private struct Nothing: MustacheCustomRenderable, Sendable {
        var renderText: String { "" }
        var isNull: Bool { true }
    }

    private var values: [String: any Sendable] = [:]

    init(dictionaryLiteral elements: (String, (any Sendable)?)...) {
        for (name, value) in elements { self[name] = value }
    }

    subscript(name: String) -> (any Sendable)? {
        get { self.values[name] }
        set {
            switch newValue {
            case .some(let text as String) where text.isEmpty: self.values[name] = Nothing()
            case .some(let markup as Markup) where markup.isEmpty: self.values[name] = Nothing()
            case .some(let value): self.values[name] = value
            case nil: self.values[name] = Nothing()
            }
        }
    }

    func child(named name: String) -> Any? { self.values[name] }
}
