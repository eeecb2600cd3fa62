import ArgumentParser
import MovieAPI
import MovieDomain
import OneSheetConfiguration

/// `onesheet boxoffice --date 2024-05-05`
struct BoxOfficeCommand: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "boxoffice",
        abstract: "Shows the box office of a day, or of a part of a week.",
        discussion: """
            Korea's with --kobis-key, else simulated for the embedded catalogue. --json prints the response of GET \
            /box-office/daily or /box-office/weekly.
            """)

    @Option(help: "YYYY-MM-DD, in Seoul. Default: yesterday")
    var date: String?

    @Option(
        help: "week, weekend or weekdays of the week of the day. Default: the day alone",
        completion: .list(["week", "weekend", "weekdays"]))
    var span: String?

    @Flag(help: .jsonResult)
    var json = false

    private static let columns: [(title: String, alignment: TerminalTable.Alignment)] = [
        ("#", .right), ("±", .right), ("Title", .left), ("Audience", .right), ("Total", .right), ("Sales ₩", .right),
        ("Screens", .right), ("ID", .left),
    ]

    func validate() throws {
        guard self.date.map({ CalendarDate($0) != nil }) ?? true else {
            throw ValidationError("--date must be a valid date, as YYYY-MM-DD.")
        }
        guard self.span.map({ BoxOfficePeriod.Span(rawValue: $0) != nil }) ?? true else {
            let names = BoxOfficePeriod.Span.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--span must be one of \(names).")
        }
    }

    func run(_ given: [String: [String]]) async throws {
        let part = self.span.flatMap { BoxOfficePeriod.Span(rawValue: $0) }
        let date = self.date.flatMap { CalendarDate($0) }
        try await SourceCommand.run(given, isJSON: self.json) { responses in
            try await responses.boxOffice(part, date: date)
        } lines: { boxOffice, width in
            Self.lines(boxOffice, width)
        }
    }

    static func lines(_ boxOffice: BoxOffice, _ width: Int?) -> [String] {
        let period = boxOffice.period
        let days = period.from == period.to ? "\(period.from)" : "\(period.from) to \(period.to)"
        guard !boxOffice.entries.isEmpty else { return ["There are no figures for \(days)."] }
        var table = TerminalTable(Self.columns)
        for entry in boxOffice.entries {
            table.add([
                "\(entry.rank)", Self.change(entry), entry.title, NumberText.grouped(entry.audience.value),
                NumberText.grouped(entry.audience.total), NumberText.grouped(entry.sales.value), "\(entry.screens)",
                entry.movieID.description,
            ])
        }
        let source = boxOffice.source.name + (boxOffice.source == .embedded ? " (simulated)" : "")
        return ["\(source), \(days)", ""] + table.lines(limit: width)
    }

    private static func change(_ entry: BoxOfficeEntry) -> String {
        if entry.isNew { return "new" }
        return entry.rankChange == 0 ? "" : entry.rankChange > 0 ? "+\(entry.rankChange)" : "\(entry.rankChange)"
    }
}
