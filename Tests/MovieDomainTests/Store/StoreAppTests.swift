import MovieDomain
import MovieTesting
import Testing

struct StoreAppTests {
    private let app = StoreApp(
        id: StoreAppID("itunes:361309726")!, name: "Pages", category: "Productivity", price: 0, formattedPrice: "Free",
        averageRating: 4.46, ratingCount: 3_456_789,
        screenshots: [GalleryPicture(kind: .screenshot, location: .web(url: "https://a.example/1.jpg"))],
        contentRating: "4+", languages: ["ko", "en", "ja"].compactMap { Language($0) }, byteCount: 123_456_789,
        description: "Writes.", releaseNotes: "Faster.", version: "13.1", seller: "Apple", developer: "Apple Inc.",
        minimumOSVersion: "16.0")!

    @Test func sectionsAreShownInOrder() {
        #expect(
            self.app.sections(in: LanguagePreference([.english])) == [
                .top(TopSection(title: "Pages", subtitle: "Apple Inc.", category: "Productivity", price: "GET")),
                .summary([
                    SummaryItem(
                        kind: .ratings, topLabel: "3.5M RATINGS", middleLabel: "4.5", bottomLabel: "★★★★☆"),
                    SummaryItem(kind: .age, topLabel: "AGE", middleLabel: "4+", bottomLabel: "Years Old"),
                    SummaryItem(kind: .developer, topLabel: "DEVELOPER", middleLabel: "", bottomLabel: "Apple Inc."),
                    SummaryItem(kind: .language, topLabel: "LANGUAGE", middleLabel: "KO", bottomLabel: "+ 2 More"),
                ]),
                .gallery(self.app.screenshots), .description("Writes."),
                .releaseNotes(version: "13.1", notes: "Faster."),
                .information([
                    InformationItem(name: .provider, value: "Apple"),
                    InformationItem(name: .size, value: "123.4 MB"),
                    InformationItem(name: .category, value: "Productivity"),
                    InformationItem(name: .compatibility, value: "16.0 or later"),
                    InformationItem(name: .languages, value: "KO, EN, JA"),
                    InformationItem(name: .ageRating, value: "4+"), InformationItem(name: .version, value: "13.1"),
                ]),
            ])
    }

    @Test func emptyOnesAreLeftOut() throws {
        let id = try #require(StoreAppID("bare"))
        let bare = try #require(StoreApp(id: id, name: "Bare"))
        let sections = bare.sections(in: LanguagePreference([.english]))
        #expect(sections.count == 2)
        guard case .summary(let items) = sections[1] else {
            Issue.record("\(sections)")
            return
        }
        #expect(items.map(\.kind) == [.ratings, .age, .developer, .language])
        #expect(items[0].topLabel == "NO RATINGS")
    }

    @Test(arguments: [(0.0, "Free", "GET"), (1.99, "$1.99", "$1.99"), (1100, "", "1100.0 KRW")])
    func whatItCosts(price: Double, formatted: String, label: String) {
        var app = self.app
        (app.price, app.formattedPrice, app.currency) = (price, formatted, "KRW")
        #expect(app.priceLabel(in: LanguagePreference([.english])) == label)
    }

    @Test(
        "labels are in Korean, English or Japanese",
        arguments: [
            ("ko", "받기", ["345.7만개의 평가", "연령", "개발자", "언어"], "세", "외 2개", "16.0 이상"),
            ("en", "GET", ["3.5M RATINGS", "AGE", "DEVELOPER", "LANGUAGE"], "Years Old", "+ 2 More", "16.0 or later"),
            ("ja", "入手", ["345.7万件の評価", "年齢", "デベロッパ", "言語"], "歳", "他2言語", "16.0以降"),
            ("fr", "GET", ["3.5M RATINGS", "AGE", "DEVELOPER", "LANGUAGE"], "Years Old", "+ 2 More", "16.0 or later"),
        ])
    func labels(
        code: String, price: String, top: [String], age: String, languages: String, compatibility: String
    ) throws {
        let language = LanguagePreference(codes: code)
        #expect(self.app.priceLabel(in: language) == price)
        let sections = self.app.sections(in: language)
        guard case .summary(let items) = sections[1], case .information(let facts) = sections.last else {
            Issue.record("\(sections)")
            return
        }
        #expect(items.map(\.topLabel) == top)
        #expect(items[1].bottomLabel == age && items[3].bottomLabel == languages)
        #expect(facts.first { $0.name == .compatibility }?.value == compatibility)
    }

    @Test(arguments: [(1, "1 RATING"), (2, "2 RATINGS"), (0, "NO RATINGS")])
    func ratingsAreCountedInSingularAndPlural(count: Int, label: String) throws {
        let id = try #require(StoreAppID("a"))
        let app = try #require(StoreApp(id: id, name: "A", averageRating: 4, ratingCount: count))
        guard case .summary(let items) = app.sections(in: LanguagePreference([.english]))[1] else { return }
        #expect(items[0].topLabel == label)
    }

    @Test func whatCannotBeAskedForIsNotThere() async throws {
        #expect(AppQuery("  ") == nil && AppQuery("a", limit: 51) == nil && AppQuery("a", offset: -1) == nil)
        #expect(AppQuery(" a ")?.term == "a")
        await #expect(throws: ShowApp.Failure.unknownApp(self.app.id)) {
            try await ShowApp(store: UnusedStore())(self.app.id, language: LanguagePreference())
        }
    }
}
