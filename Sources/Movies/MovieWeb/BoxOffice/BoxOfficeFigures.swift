import MovieDomain

/// The figures of a film in a box office, in words and numbers of a language.
struct BoxOfficeFigures: Sendable {
    /// The largest change that is shown, in percent: of a film that hardly ran before, it says nothing.
    private static let maxPercent = 9999.0

    private let entry: BoxOfficeEntry
    private let text: PageFormats

    init(_ entry: BoxOfficeEntry, _ text: PageFormats) {
        self.entry = entry
        self.text = text
    }

    /// How the rank changed, in words.
    var move: String {
        let change = self.entry.rankChange
        if self.entry.isNew { return self.text("boxOfficeNew") }
        if change == 0 { return self.text("boxOfficeSame") }
        return self.text(change > 0 ? "boxOfficeUp" : "boxOfficeDown", count: Int(change.magnitude))
    }

    /// The class of ``move`` in the style sheet.
    var moveClass: String {
        if self.entry.isNew { return "new" }
        return self.entry.rankChange == 0 ? "same" : self.entry.rankChange > 0 ? "up" : "down"
    }

    /// Tickets sold.
    var audience: String { self.text.count(self.entry.audience.value) }

    /// The change of ``audience`` in whole percent; nil for new films, and when it is unknown.
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

    /// Of all sales, with one decimal; nil when unknown.
    var share: String? {
        guard let share = self.entry.salesShare, (0...100).contains(share) else { return nil }
        return self.text.score(share) + "%"
    }

    /// nil when unknown.
    var screens: String? { self.entry.screens > 0 ? self.text.count(self.entry.screens) : nil }

    /// What stands below a poster.
    var summary: String { [self.audience, self.change ?? self.move].joined(separator: " · ") }
}
