import MovieDomain
import MovieTesting
import Testing

struct FilmIdentitiesTests {
    private static let now = Instant(secondsSince1970: 1000)
    private let id = MovieID("kobis:20228555")!
    private let links = MemoryFilmLinks()
    private let pictures = ScriptedPictures(.kobis)
    private let finder = ScriptedFilmFinder(
        .tmdb, [FoundFilm(id: MovieID("tmdb:301")!, title: "영화", originalTitle: "", year: 2022)])

    private var expected: FilmLink {
        FilmLink(
            film: self.id, counterpart: MovieID("tmdb:301")!, reason: "same title, 2022 in both", linkedAt: Self.now)
    }

    private var terms: PosterSearchTerms {
        get throws { try #require(PosterSearchTerms(id: self.id, titles: ["영화"], year: 2022)) }
    }

    private func identities(finding: Bool = true) throws -> FilmIdentities {
        self.pictures.set(.init(film: try self.terms), for: self.id)
        return FilmIdentities(
            links: self.links, finder: finding ? self.finder : nil, own: [self.pictures], now: { Self.now })
    }

    @Test func aLinkIsSearchedOnce() async throws {
        let identities = try self.identities()
        for _ in 1...3 { #expect(try await identities.link(of: self.id) == self.expected) }
        #expect(self.finder.questionCount == 1)
        #expect(try await self.links.link(of: self.id) == self.expected)
    }

    @Test func storedLinksNeedNoSource() async throws {
        try await self.links.keep(self.expected)
        self.pictures.fail(.tooSlow(.kobis))
        self.finder.set(.failure(.tooSlow(.tmdb)))
        #expect(try await self.identities().link(of: self.id) == self.expected)
        #expect(try await self.identities(finding: false).link(of: self.id) == self.expected)
    }

    @Test func otherSourcesFilmsAreNotSearched() async throws {
        for text in ["film-1", "tmdb:301", "omdb:tt0133093", "itunes:1", "kmdb:K1"] {
            #expect(try await self.identities().link(of: #require(MovieID(text))) == nil)
        }
        #expect(try await self.identities(finding: false).link(of: self.id) == nil)
        #expect(self.finder.questionCount == 0)
    }

    @Test func anUndecidedSearchKeepsTheStoredLink() async throws {
        let identities = try self.identities()
        try await identities.search(self.terms)
        self.finder.set(.success([]))
        #expect(try await identities.search(self.terms) == nil)
        #expect(try await identities.link(of: self.id) == self.expected)
    }

    @Test func failuresOfTheSearchAreReportedAndThoseOfTheLibraryAreNot() async throws {
        let identities = try self.identities()
        self.finder.set(.failure(.tooSlow(.tmdb)))
        await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await identities.link(of: self.id) }
        self.links.fail(with: StorageFailure(reason: "disk"))
        #expect(try await identities.storedLink(of: self.id) == nil)
        self.finder.set(.success([FoundFilm(id: MovieID("tmdb:301")!, title: "영화", originalTitle: "", year: 2022)]))
        #expect(try await identities.search(self.terms) == self.expected, "it cannot be stored, but used")
    }
}
