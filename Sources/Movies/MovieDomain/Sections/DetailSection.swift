/// A section of the details of a film or an app. Sections are ordered; empty ones are omitted.
package enum DetailSection: Hashable, Sendable {
    case top(TopSection)
    case summary([SummaryItem])
    /// Pictures; their numbers in the gallery start at 1.
    case gallery([GalleryPicture])
    /// Trailers and other videos, the best first.
    case videos([Video])
    case description(String)
    case releaseNotes(version: String, notes: String)
    case cast([Credits.CastMember])
    case information([InformationItem])
    case reviews([Review])

    package var isEmpty: Bool {
        switch self {
        case .top: false
        case .summary(let items): items.isEmpty
        case .gallery(let pictures): pictures.isEmpty
        case .videos(let videos): videos.isEmpty
        case .description(let text): text.isEmpty
        case .releaseNotes(_, let notes): notes.isEmpty
        case .cast(let members): members.isEmpty
        case .information(let items): items.isEmpty
        case .reviews(let reviews): reviews.isEmpty
        }
    }
}

/// Title, subtitle and category of a film or an app.
package struct TopSection: Hashable, Sendable {
    /// Never empty.
    package let title: String
    /// A film's tagline or original title, or an app's developer; empty if there is none.
    package let subtitle: String
    /// The first genre, or the app's category; empty if unknown.
    package let category: String
    /// An app's price for display, in English `GET` if it is free; `nil` for films.
    package let price: String?

    package init(title: String, subtitle: String, category: String, price: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.category = category
        self.price = price
    }
}

/// A fact in three lines; app stores show such facts side by side.
package struct SummaryItem: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case ratings
        case age
        case runtime
        case release
        case developer
        case language
    }

    package let kind: Kind
    /// Texts to display, such as `1.2K RATINGS`, `4.5`, `★★★★☆`; each may be empty.
    package let topLabel, middleLabel, bottomLabel: String

    package init(kind: Kind, topLabel: String, middleLabel: String, bottomLabel: String) {
        self.kind = kind
        self.topLabel = topLabel
        self.middleLabel = middleLabel
        self.bottomLabel = bottomLabel
    }
}

/// A number with one decimal, such as `7.9`.
struct OneDecimal: CustomStringConvertible {
    let description: String

    init(_ number: Double) { self.init(tenths: Int((number * 10).rounded())) }

    init(tenths: Int) { self.description = "\(tenths / 10).\(tenths % 10)" }
}

extension Int {
    /// Formats with a comma before every three digits: `63,000,000`.
    package var groupedByThousands: String {
        let digits = Array(String(self))
        return digits.indices.map { index in
            (index > 0 && (digits.count - index).isMultiple(of: 3) ? "," : "") + String(digits[index])
        }.joined()
    }
}

/// A score as five stars.
package struct StarRating: Hashable, Sendable {
    package let text: String

    /// - Parameter score: From 0 to 5, rounded to whole stars; other values are clamped.
    package init(outOfFive score: Double) {
        // NaN is not above 0.
        let full = score > 0 ? Int(min(score, 5).rounded()) : 0
        self.text = String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
    }
}
