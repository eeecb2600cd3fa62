/// A fact with a name, as tables show it.
public struct InformationItem: Hashable, Sendable {
    /// What it is, in lower camel case, such as `runtime` or `minimumOSVersion`: clients translate it.
    public let name: String
    /// For people.
    public let value: String

    /// A fact with a name.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
