/// A fact in three lines, as stores show them beside one another.
public struct SummaryItem: Hashable, Sendable {
    /// What the fact is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case ratings
        case age
        case runtime
        case release
        case developer
        case language
    }

    /// What it is about.
    public let kind: Kind
    /// Such as `1.2K RATINGS`, `4.5`, `★★★★☆`, for people; each may be empty.
    public let topLabel, middleLabel, bottomLabel: String

    /// A fact in three lines.
    public init(kind: Kind, topLabel: String, middleLabel: String, bottomLabel: String) {
        self.kind = kind
        self.topLabel = topLabel
        self.middleLabel = middleLabel
        self.bottomLabel = bottomLabel
    }
}
