/// What something is, at a glance.
public struct TopSection: Hashable, Sendable {
    /// Never empty.
    public let title: String
    /// A tagline or an original title of a film, the maker of an app; empty without one.
    public let subtitle: String
    /// Its genre; empty when unknown.
    public let category: String
    /// What an app costs, `GET` when nothing; nil for films.
    public let price: String?

    /// What something is.
    public init(title: String, subtitle: String, category: String, price: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.category = category
        self.price = price
    }
}
