import EmbeddedCatalogue
import FoundationEssentials
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

struct EmbeddedStoreTests {
    private let clock = ManualTimeOfDay(1_750_000_000)

    private let language = LanguagePreference([.korean])

    private func store() throws -> EmbeddedAppStore {
        try EmbeddedAppStore(CatalogueResource(), now: self.clock.now)
    }

    /// All apps: a term of one letter matches all of them.
    private func all(_ language: Language = .korean) async throws -> [StoreApp] {
        try await self.store().search("a", offset: 0, limit: 200, language: LanguagePreference([language])).apps
    }

    @Test func keepsTheRepositorysPromises() async throws {
        let broken = try await checkContract(
            of: self.store(), known: try await self.all().map(\.id), unknown: StoreAppID("app-nothing")!, term: "film",
            nonsense: "qqqqqq")
        #expect(broken == [])
    }

    @Test(arguments: [Language.korean, .english])
    func holdsAppsWithAllThatIsShownOfThem(language: Language) async throws {
        let catalogue = try CatalogueResource()
        let apps = try await self.all(language)
        #expect(apps.count >= 24)
        for app in apps {
            #expect(app.currency == "KRW" && app.formattedPrice.isEmpty == (app.price == 0))
            #expect(!app.category.isEmpty && !app.contentRating.isEmpty && !app.languages.isEmpty, "\(app.id)")
            #expect(!app.version.isEmpty && !app.minimumOSVersion.isEmpty && !app.seller.isEmpty, "\(app.id)")
            #expect(!app.developer.isEmpty && app.releaseDate != nil && app.byteCount != nil, "\(app.id)")
            #expect(app.description.count > 20 && (2...4).contains(app.screenshots.count), "\(app.id)")
            #expect((app.averageRating == nil) == (app.ratingCount == 0), "\(app.id)")
            for location in try [#require(app.icon).location] + app.screenshots.map(\.location) {
                guard case .packaged(let file, _) = location else {
                    Issue.record("\(app.id) has a picture at \(location)")
                    continue
                }
                #expect(FileManager.default.fileExists(atPath: catalogue.path(of: file)), "\(app.id)")
            }
        }
        #expect(
            apps.contains { $0.ratingCount > 1_000_000 } && apps.contains { (1000...9999).contains($0.ratingCount) })
        #expect(apps.contains { $0.ratingCount == 0 } && apps.contains { $0.releaseNotes.isEmpty })
        #expect(apps.first { $0.id.key == "app-storyboard-pad" }?.formattedPrice == "₩12,000")
        #expect(apps.filter { $0.price == 0 }.count > apps.count / 2)
    }

    @Test func noFilmIsCalledLikeAnApp() async throws {
        let database = CatalogueDatabase(try LibraryDatabase())
        try database.importCatalogue(CatalogueResource())
        let films = try await EmbeddedMovies(database).all(limit: 1000, language: LanguagePreference([.korean]))
        #expect(films.allSatisfy { !$0.id.key.hasPrefix("app-") })
        #expect(try await self.all().allSatisfy { $0.id.key.hasPrefix("app-") })
    }

    @Test(
        "search finds by name, maker, category and description, the best first",
        arguments: [
            ("Nickelodeon", "app-nickelodeon"), ("nickel", "app-nickelodeon"), ("NICKELODEON!", "app-nickelodeon"),
            ("니켈로디언", "app-nickelodeon"), ("영화", "app-cine-news"), ("오늘영화", "app-oneul-yeonghwa"),
            ("오늘 영화", "app-oneul-yeonghwa"), ("filmtoday", "app-oneul-yeonghwa"), ("matinée", "app-matinee"),
            ("double   bill", "app-double-bill"), ("Reel Nine", "app-benshi"), ("게임", "app-benshi"),
            ("animatic", "app-storyboard-pad"), ("스톱 모션", "app-frame-by-frame"), ("umbrella moon", "app-moon-rocket"),
        ])
    func search(_ term: String, first: String) async throws {
        #expect(
            try await self.store().search(term, offset: 0, limit: 5, language: self.language).apps.first?.id.key
                == first)
    }

    @Test(
        "terms without a letter find nothing, and none is too long",
        arguments: ["", " ", "!!!", "\"'*%_", "\u{0}", "🎬", String(repeating: "가나다 ", count: 10_000)])
    func hostile(_ term: String) async throws {
        #expect(try await self.store().search(term, offset: -5, limit: 0, language: self.language).apps.isEmpty)
    }

    @Test func textsAreInTheLanguageAskedFor() async throws {
        let id = try #require(StoreAppID("app-nickelodeon"))
        let store = try self.store()
        func app(_ code: String) async throws -> StoreApp {
            try #require(
                try await store.app(id, language: LanguagePreference([Language(code)].compactMap { $0 })))
        }
        let (korean, english, french) = (try await app("ko"), try await app("en"), try await app("fr"))
        #expect(korean.name != english.name && korean.description != english.description)
        #expect(korean.category != english.category)
        #expect(french == english, "apps have no language of their own")
        let today = try await store.today(language: LanguagePreference([.english]))
        let first = try #require(today.list.first)
        #expect(try await store.app(first.id, language: LanguagePreference([.english])) == first)
    }

    @Test func everyDayHasItsOwnAndAllHaveTheirTurn() async throws {
        let store = try self.store()
        var featured: Set<StoreAppID> = []
        let count = try await self.all().count
        for _ in 0..<count {
            let today = try await store.today(language: self.language)
            #expect(today.list.count == EmbeddedAppStore.listLength)
            featured.insert(try #require(today.featured).id)
            self.clock.advance(seconds: 86_400)
        }
        #expect(featured.count == count)
    }

    @Test func daysBeginInSeoul() async throws {
        let midnight = ManualTimeOfDay(CalendarDate("2025-06-01")!.secondsInSeoul)
        let store = try EmbeddedAppStore(CatalogueResource(), now: midnight.now)
        let day = try await store.today(language: self.language)
        midnight.advance(seconds: 86_399)
        #expect(try await store.today(language: self.language) == day)
        midnight.advance(seconds: 1)
        #expect(try await store.today(language: self.language) != day)
    }

    @Test func saysWhichFileIsMissing() throws {
        let folder = TemporaryFolder()
        for (name, text) in [
            ("catalogue.json", #"{"version": 1, "films": []}"#),
            ("names.json", #"{"genres": {}, "words": {}, "people": {}}"#),
            ("reviews.json", #"{"reviews": {}}"#),
            ("originals/manifest.json", #"{"posters": {}}"#), ("scenes/manifest.json", #"{"scenes": {}}"#),
        ] {
            let url = URL(filePath: folder.path).appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let catalogue = try CatalogueResource(directory: folder.path)
        let failure = #expect(throws: CatalogueResource.Failure.self) {
            try EmbeddedAppStore(catalogue, now: self.clock.now)
        }
        #expect(failure.map { "\($0)".contains("/apps.json cannot be read") } == true)
    }
}

extension CalendarDate {
    fileprivate var secondsInSeoul: Int64 { Int64(self.dayNumber) * 86_400 - 9 * 3600 }
}
