import Mustache

/// The values of a template, by name.
///
/// `nil` and empty texts omit their sections and hide the same name of an outer model. A name missing from a model is
/// looked up in the outer one.
struct Model: MustacheParent, ExpressibleByDictionaryLiteral, Sendable {
    /// Stops the lookup of a name at the model with the value `nil`.
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
