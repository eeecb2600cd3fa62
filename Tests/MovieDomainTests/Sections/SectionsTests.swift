import MovieDomain
import Testing

struct SectionsTests {
    private static let english = LanguagePreference([.english])

    private static func movie() throws -> Movie {
        let id = try #require(MovieID("film-1"))
        return Movie(summary: try #require(MovieSummary(id: id, title: "Film", originalTitle: "映画")))
    }

    @Test func theTopIsAlwaysThereAndTheOriginalTitleStandsInForATagline() throws {
        var movie = try Self.movie()
        #expect(
            movie.sections(in: Self.english) == [
                .top(TopSection(title: "Film", subtitle: "映画", category: "")),
                .information([InformationItem(name: .originalTitle, value: "映画")]),
            ])
        movie.tagline = "Line"
        #expect(
            movie.sections(in: Self.english).first == .top(TopSection(title: "Film", subtitle: "Line", category: "")))
    }

    @Test func factsAreSummedUpInThreeLines() throws {
        var movie = try Self.movie()
        movie.summary.score = AudienceScore(average: 7.96, count: 1250)
        movie.summary.year = 1953
        movie.certificate = Certificate("PG-13", in: .unitedStates)
        movie.runtimeMinutes = 136
        movie.summary.originalLanguage = Language("ja")
        guard case .summary(let items) = movie.sections(in: Self.english)[1] else {
            Issue.record("no summary")
            return
        }
        #expect(items.map(\.kind) == [.ratings, .age, .runtime, .release, .language])
        #expect(
            items[0] == SummaryItem(kind: .ratings, topLabel: "1.3K RATINGS", middleLabel: "8.0", bottomLabel: "★★★★☆"))
        #expect(items.dropFirst().map(\.middleLabel) == ["PG-13", "136", "1953", "JA"])
    }

    @Test(
        "labels are in the first language that there are some in, else in English",
        arguments: [
            (["ko"], ["1,250개의 평가", "연령", "상영 시간", "개봉", "언어"], "분"),
            (["ja", "ko"], ["1,250件の評価", "年齢", "上映時間", "公開", "言語"], "分"),
            (["fr", "ja"], ["1,250件の評価", "年齢", "上映時間", "公開", "言語"], "分"),
            (["en"], ["1.3K RATINGS", "AGE", "RUNTIME", "RELEASE", "LANGUAGE"], "MINUTES"),
            (["fr", "de"], ["1.3K RATINGS", "AGE", "RUNTIME", "RELEASE", "LANGUAGE"], "MINUTES"),
        ])
    func labels(codes: [String], top: [String], minutes: String) throws {
        var movie = try Self.movie()
        movie.summary.score = AudienceScore(average: 7.96, count: 1250)
        movie.summary.year = 1953
        movie.certificate = Certificate("PG-13", in: .unitedStates)
        movie.runtimeMinutes = 136
        movie.summary.originalLanguage = Language("ja")
        guard case .summary(let items) = movie.sections(in: LanguagePreference(codes.compactMap { Language($0) }))[1]
        else {
            Issue.record("no summary")
            return
        }
        #expect(items.map(\.topLabel) == top)
        #expect(items[2].bottomLabel == minutes)
        movie.summary.score = AudienceScore(average: 7.96, count: 1)
        guard case .summary(let one) = movie.sections(in: Self.english)[1] else { return }
        #expect(one[0].topLabel == "1 RATING")
    }

    @Test func whatASourceSaysItselfIsNotSaidTwice() throws {
        var movie = try Self.movie()
        movie.information = [
            InformationItem(name: .originalTitle, value: "x"), InformationItem(name: .budget, value: "1"),
        ]
        #expect(
            movie.sections(in: Self.english).last
                == .information([
                    InformationItem(name: .originalTitle, value: "映画"), InformationItem(name: .budget, value: "1"),
                ]))
    }

    @Test(arguments: [(-1.0, 0), (0.4, 0), (0.5, 1), (4.4, 4), (4.5, 5), (9, 5), (.nan, 0), (.infinity, 5)])
    func starsAreFive(score: Double, full: Int) {
        let text = StarRating(outOfFive: score).text
        #expect(text.count == 5 && text.filter { $0 == "★" }.count == full)
    }

    @Test(arguments: [(1, "MINUTE"), (2, "MINUTES"), (136, "MINUTES")])
    func minutesAreCountedInSingularAndPlural(count: Int, label: String) throws {
        var movie = try Self.movie()
        movie.runtimeMinutes = count
        guard case .summary(let items) = movie.sections(in: Self.english)[1] else {
            Issue.record("no summary")
            return
        }
        #expect(items[0].middleLabel == "\(count)" && items[0].bottomLabel == label)
    }

    @Test(
        "facts are in the language of the labels",
        arguments: [
            ("ko", ["대한민국, 합작", "15세 이상", "개봉"]), ("en", ["South Korea, 합작", "15", "Released"]),
            ("ja", ["韓国, 합작", "15", "公開済み"]),
        ])
    func facts(code: String, values: [String]) throws {
        var movie = try Self.movie()
        movie.countries = [.korea]
        movie.otherCountries = ["합작"]
        movie.certificate = Certificate("15세이상관람가", in: .korea)
        movie.status = .released
        guard case .information(let items) = movie.sections(in: LanguagePreference(codes: code)).last else {
            Issue.record("no information")
            return
        }
        #expect(items.map(\.name) == [.originalTitle, .countries, .certificate, .status])
        #expect(items.dropFirst().map(\.value) == values)
    }

    @Test func directorsAreTheFirstOfTheCrewInTheirOrder() {
        let crew = ["Editor", "Director", "Writer", "Co-Director"].map {
            Credits.CrewMember(name: $0, sourceJob: $0)
        }
        let names = Credits(cast: [], crew: crew).crew.map(\.name)
        #expect(names == ["Director", "Co-Director", "Editor", "Writer"])
    }
}
