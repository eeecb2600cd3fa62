/// A part of what is shown of a film or an app; they are shown in their order, and empty ones are left out.
public enum DetailSection: Hashable, Sendable {
    /// What it is, at a glance.
    case top(TopSection)
    /// Facts beside one another.
    case summary([SummaryItem])
    /// Pictures, with their places in the gallery from 1.
    case gallery([GalleryPicture])
    /// What it is about.
    case description(String)
    /// What is new in a version.
    case releaseNotes(version: String, notes: String)
    /// The best known parts.
    case cast([Credits.CastMember])
    /// What else there is to know.
    case information([InformationItem])
    /// The latest ones.
    case reviews([Review])

    /// Whether there is nothing to show in it.
    public var isEmpty: Bool {
        switch self {
        case .top: false
        case .summary(let items): items.isEmpty
        case .gallery(let pictures): pictures.isEmpty
        case .description(let text): text.isEmpty
        case .releaseNotes(_, let notes): notes.isEmpty
        case .cast(let members): members.isEmpty
        case .information(let items): items.isEmpty
        case .reviews(let reviews): reviews.isEmpty
        }
    }
}

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

/// A number as stores show it: `950`, `1.2K`, `3.4M`.
public struct AbbreviatedCount: Hashable, Sendable, CustomStringConvertible {
    /// Rounded down, so that it claims no more than there is.
    public let description: String

    /// - Parameter count: Negative ones are taken for 0.
    public init(_ count: Int) {
        let count = max(0, count)
        let units = [(1_000_000_000, "B"), (1_000_000, "M"), (1000, "K")]
        guard let (unit, name) = units.first(where: { count >= $0.0 }) else {
            self.description = "\(count)"
            return
        }
        let tenths = count / (unit / 10)
        self.description = tenths % 10 == 0 ? "\(tenths / 10)\(name)" : "\(tenths / 10).\(tenths % 10)\(name)"
    }
}

/// A score as five stars.
public struct StarRating: Hashable, Sendable {
    /// Such as `★★★★☆`.
    public let text: String

    /// - Parameter score: From 0 to 5, rounded to whole stars; what is outside is taken for the nearest within.
    public init(outOfFive score: Double) {
        // What is no number is not above 0.
        let full = score > 0 ? Int(min(score, 5).rounded()) : 0
        self.text = String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
    }
}
