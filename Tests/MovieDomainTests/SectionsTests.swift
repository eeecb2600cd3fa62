import MovieDomain
import Testing

struct SectionsTests {
    private static func movie() throws -> Movie {
        let id = try #require(MovieID("film-1"))
        return Movie(summary: try #require(MovieSummary(id: id, title: "Film", originalTitle: "映画")))
    }

    @Test func theTopIsAlwaysThereAndTheOriginalTitleStandsInForATagline() throws {
        var movie = try Self.movie()
        #expect(
            movie.sections == [
                .top(TopSection(title: "Film", subtitle: "映画", category: "")),
                .information([InformationItem(name: "originalTitle", value: "映画")]),
            ])
        movie.tagline = "Line"
        #expect(movie.sections.first == .top(TopSection(title: "Film", subtitle: "Line", category: "")))
    }

    @Test func factsAreSummedUpInThreeLines() throws {
        var movie = try Self.movie()
        movie.summary.score = AudienceScore(average: 7.96, count: 1250)
        movie.summary.year = 1953
        movie.certificate = "12"
        movie.runtimeMinutes = 136
        movie.summary.originalLanguage = Language("ja")
        guard case .summary(let items) = movie.sections[1] else {
            Issue.record("no summary")
            return
        }
        #expect(items.map(\.kind) == [.ratings, .age, .runtime, .release, .language])
        #expect(
            items[0] == SummaryItem(kind: .ratings, topLabel: "1.2K RATINGS", middleLabel: "8.0", bottomLabel: "★★★★☆"))
        #expect(items.dropFirst().map(\.middleLabel) == ["12", "136", "1953", "JA"])
    }

    @Test func whatASourceSaysItselfIsNotSaidTwice() throws {
        var movie = try Self.movie()
        movie.information = [
            InformationItem(name: "originalTitle", value: "x"), InformationItem(name: "budget", value: "1"),
        ]
        #expect(
            movie.sections.last
                == .information([
                    InformationItem(name: "originalTitle", value: "映画"), InformationItem(name: "budget", value: "1"),
                ]))
    }

    @Test(arguments: [(-1.0, 0), (0.4, 0), (0.5, 1), (4.4, 4), (4.5, 5), (9, 5), (.nan, 0), (.infinity, 5)])
    func starsAreFive(score: Double, full: Int) {
        let text = Stars(outOfFive: score).text
        #expect(text.count == 5 && text.filter { $0 == "★" }.count == full)
    }
}
