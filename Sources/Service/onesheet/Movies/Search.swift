import ArgumentParser
import MovieAPI
import MovieDomain
import OneSheetConfiguration

/// `onesheet search "query"`
struct Search: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds films by title, person and year.",
        discussion:
            "In the embedded catalogue, or TMDB's with --tmdb-key. --json prints the response of GET /movies/search.")

    @Argument(help: "The query, of one word or several.")
    var words: [String]

    @Option(help: "Year of the first public showing, 1888 to 2999.")
    var year: String?

    @Option(help: "Number of the page, from 1. Default: 1")
    var page: Int?

    @Flag(help: .jsonResult)
    var json = false

    func validate() throws {
        guard self.year == nil || self.yearNumber != nil else {
            throw ValidationError("--year must be from 1888 to 2999.")
        }
        guard self.query != nil else {
            throw ValidationError("The query must have 1 to \(MovieQuery.maxLength) characters.")
        }
        guard (1...500).contains(self.page ?? 1) else { throw ValidationError("--page must be from 1 to 500.") }
    }

    private var yearNumber: Int? {
        self.year.flatMap { Int($0) }.flatMap { (1888...2999).contains($0) ? $0 : nil }
    }

    private var query: MovieQuery? { MovieQuery(self.words.joined(separator: " "), year: self.yearNumber) }

    func run(_ given: [String: [String]]) async throws {
        guard let query else { return }
        let page = self.page ?? 1
        try await SourceCommand.run(given, isJSON: self.json) { responses in
            try await responses.search(query, page: page)
        } lines: { page, width in
            Self.lines(page, width)
        }
    }

    static func lines(_ page: Page<MovieSummary>, _ width: Int?) -> [String] {
        guard !page.results.isEmpty else {
            let isBehind = page.totalPages > 0
            return [isBehind ? "Page \(page.number) has no films; the last is \(page.totalPages)." : "No films found."]
        }
        var table = TerminalTable([
            ("Title", .left), ("Original title", .left), ("Year", .right), ("Directors", .left), ("Score", .right),
            ("ID", .left),
        ])
        for film in page.results {
            table.add([
                film.title, film.originalTitle == film.title ? "" : film.originalTitle,
                film.year.map(String.init) ?? "", film.directors.joined(separator: ", "),
                film.score.map { NumberText.oneDigit($0.average) } ?? "", film.id.description,
            ])
        }
        let rest =
            page.totalPages > 1 ? ["", "Page \(page.number) of \(page.totalPages), \(page.totalResults) films"] : []
        return table.lines(limit: width) + rest
    }
}
