import MovieDomain
import Testing

@testable import MovieWeb

struct BoxOfficeFiguresTests {
    private let texts: TranslatedTexts

    init() throws { self.texts = try WebResources().texts }

    private func figures(_ entry: BoxOfficeEntry, in language: Language = .english) -> BoxOfficeFigures {
        BoxOfficeFigures(entry, PageFormats(table: self.texts, language: language))
    }

    @Test(arguments: [
        (0, false, "No change", "same"), (1, false, "Up 1", "up"), (-12, false, "Down 12", "down"),
        (0, true, "New", "new"),
    ])
    func movementsAreInWords(rankChange: Int, isNew: Bool, words: String, name: String) throws {
        let figures = self.figures(try .sample(rankChange: rankChange, isNew: isNew))
        #expect(figures.move == words && figures.moveClass == name)
    }

    @Test(
        "changes are whole percents with their sign",
        arguments: [
            (14.5, "+15%"), (-14.5, "−15%"), (0.4, "0%"), (-0.4, "0%"), (1234.2, "+1,234%"), (nil, nil),
            (1e30, nil), (-.infinity, nil), (.nan, nil),
        ] as [(Double?, String?)])
    func changes(percent: Double?, text: String?) throws {
        #expect(self.figures(try .sample(changePercent: percent)).change == text)
    }

    @Test func aNewFilmHasNoChange() throws {
        let figures = self.figures(try .sample(isNew: true, changePercent: 100))
        #expect(figures.change == nil && figures.summary == "353,274 · New")
    }

    @Test func numbersAreGrouped() throws {
        let korean = self.figures(try .sample(), in: .korean)
        #expect(korean.audience == "353,274" && korean.total == "5,328,435" && korean.sales == "2,776,060,500원")
        #expect(korean.share == "36.3%" && korean.screens == "697" && korean.summary == "353,274 · −15%")
        #expect(self.figures(try .sample()).sales == "₩2,776,060,500")
    }

    @Test(arguments: [nil, -1, 100.1, .nan] as [Double?])
    func aShareThatIsNoneIsNotShown(share: Double?) throws {
        #expect(self.figures(try .sample(share: share)).share == nil)
    }

    @Test func screensThatAreNotKnownAreNotShown() throws {
        #expect(self.figures(try .sample(screens: 0)).screens == nil)
    }
}

extension BoxOfficeEntry {
    struct NoID: Error {}

    /// A box office entry that has fallen by two ranks.
    static func sample(
        _ id: String = "kobis:2023C165", rank: Int = 1, title: String = "영화", rankChange: Int = -2, isNew: Bool = false,
        changePercent: Double? = -14.5, share: Double? = 36.3, screens: Int = 697
    ) throws -> BoxOfficeEntry {
        guard let id = MovieID(id) else { throw NoID() }
        return BoxOfficeEntry(
            rank: rank, rankChange: rankChange, isNew: isNew, movieID: id, title: title,
            releaseDate: CalendarDate("2024-05-01"),
            audience: Figure(value: 353_274, change: -60_106, changePercent: changePercent, total: 5_328_435),
            sales: Figure(value: 2_776_060_500, change: nil, changePercent: nil, total: 40_541_108_500),
            salesShare: share, screens: screens, showings: 3223)
    }
}
