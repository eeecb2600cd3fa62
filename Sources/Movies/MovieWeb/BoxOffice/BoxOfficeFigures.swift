import MovieDomain

/// A film's box office figures, formatted for a language.
struct BoxOfficeFigures: Sendable {
    /// The largest change shown, in percent: larger ones of films with hardly any showings before are meaningless.
    private static let maxPercent = 9999.0

    private let entry: BoxOfficeEntry
    private let text: PageFormats

    init(_ entry: BoxOfficeEntry, _ text: PageFormats) {
        self.entry = entry
        self.text = text
    }

    var move: String {
        let change = self.entry.rankChange
        if self.entry.isNew { return self.text("boxOfficeNew") }
        if change == 0 { return self.text("boxOfficeSame") }
        return self.text(change > 0 ? "boxOfficeUp" : "boxOfficeDown", count: Int(change.magnitude))
    }

    /// The CSS class of ``move``.
    var moveClass: String {
        if self.entry.isNew { return "new" }
        return self.entry.rankChange == 0 ? "same" : self.entry.rankChange > 0 ? "up" : "down"
    }

    /// Tickets sold.
    var audience: String { self.text.count(self.entry.audience.value) }

    /// The change of ``audience`` in whole percent; `nil` for new films, and if unknown.
    var change: String? {
        guard !self.entry.isNew, let percent = self.entry.audience.changePercent, abs(percent) <= Self.maxPercent
        else { return nil }
        let whole = Int(percent.rounded(.toNearestOrAwayFromZero))
        return (whole > 0 ? "+" : "") + self.text.count(whole) + "%"
    }

    /// Tickets sold since the film opened.
    var total: String { self.text.count(self.entry.audience.total) }

    /// In won.
    var sales: String { self.text("boxOfficeWon", ["amount": self.text.count(self.entry.sales.value)]) }

    /// The share of all sales, with one decimal; `nil` if unknown.
    var share: String? {
        guard let share = self.entry.salesShare, (0...100).contains(share) else { return nil }
        return self.text.score(share) + "%"
    }

    var screens: String? { self.entry.screens > 0 ? self.text.count(self.entry.screens) : nil }

    /// The text below a poster.
    var summary: String { [self.audience, self.change ?? self.move].joined(separator: " · ") }
}
