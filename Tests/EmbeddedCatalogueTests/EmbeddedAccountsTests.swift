import EmbeddedCatalogue
import FoundationEssentials
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import Testing

struct EmbeddedAccountsTests {
    private let clock = ManualTimeOfDay()
    private let known = ["metropolis-1927", "the-housemaid-1960", "nosferatu-1922"].map { MovieID($0)! }
    private let unknown = MovieID("no-such-film-1000")!

    private func database() throws -> LibraryDatabase {
        let database = try LibraryDatabase()
        try CatalogueDatabase(database).importCatalogue(CatalogueResource())
        return database
    }

    private func accounts(
        _ database: LibraryDatabase, limits: EmbeddedAccounts.Limits = .init(), movies: (any MovieRepository)? = nil
    ) -> EmbeddedAccounts {
        EmbeddedAccounts(
            database, publicBase: "https://posters.test", movies: movies ?? EmbeddedMovies(CatalogueDatabase(database)),
            limits: limits,
            now: self.clock.now)
    }

    private func signIn(_ accounts: EmbeddedAccounts) async throws -> UpstreamSession {
        let token = try await accounts.requestAuthorization(returningTo: nil).token
        _ = try await accounts.decide(token, approves: true)
        return try await accounts.session(for: token)
    }

    @Test func keepTheirPromises() async throws {
        let accounts = self.accounts(try self.database())
        let broken = try await checkContract(of: accounts, known: self.known, unknown: self.unknown) {
            _ = try await accounts.decide($0, approves: $1)
        }
        #expect(broken == [])
    }

    @Test func aRequestTokenIsApprovedAtAPageOfTheService() async throws {
        let accounts = self.accounts(try self.database())
        let request = try await accounts.requestAuthorization(returningTo: "app://done?a=1")
        #expect(AccessToken(request.token) != nil)
        #expect(request.url == "https://posters.test/auth/approve/\(request.token)")
        #expect(request.expiresAt == Instant(secondsSince1970: 500 + 3600))
        let open = Approval(state: .open, returnTo: "app://done?a=1")
        #expect(try await accounts.approval(of: request.token) == open)
        #expect(try await accounts.approval(of: AccessToken().text) == nil)
        #expect(try await accounts.approval(of: "../../etc") == nil)
        #expect(try await accounts.decide("", approves: true) == nil)
    }

    @Test(arguments: [true, false])
    func theFirstWordHolds(approves: Bool) async throws {
        let accounts = self.accounts(try self.database())
        let token = try await accounts.requestAuthorization(returningTo: nil).token
        for word in [approves, !approves, !approves] {
            #expect(try await accounts.decide(token, approves: word)?.state == (approves ? .approved : .denied))
        }
    }

    @Test func aRequestTokenExpires() async throws {
        let accounts = self.accounts(try self.database())
        let (open, approved) = (
            try await accounts.requestAuthorization(returningTo: nil).token,
            try await accounts.requestAuthorization(returningTo: nil).token
        )
        self.clock.advance(seconds: 3599)
        #expect(try await accounts.decide(approved, approves: true)?.state == .approved)
        self.clock.advance(seconds: 1)
        #expect(try await accounts.approval(of: open) == nil)
        #expect(try await accounts.decide(open, approves: true) == nil)
        for token in [open, approved] {
            await #expect(throws: AuthorizationFailure.unknownToken) { try await accounts.session(for: token) }
        }
    }

    @Test func anApprovedRequestTokenMakesOneSessionHoweverManyAsk() async throws {
        let library = LibraryFile()
        let accounts = self.accounts(try library.open())
        let token = try await accounts.requestAuthorization(returningTo: nil).token
        _ = try await accounts.decide(token, approves: true)
        let sessions = try await withThrowingTaskGroup(of: UpstreamSession?.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    do {
                        return try await accounts.session(for: token)
                    } catch AuthorizationFailure.unknownToken {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sessions.compactMap { $0 }.count == 1)
        #expect(try library.count("localAccount") == 1)
        #expect(try library.count("approvalWish") == 0)
    }

    @Test func everyGuestIsAnotherAccount() async throws {
        let accounts = self.accounts(try self.database())
        let (first, second) = (try await self.signIn(accounts), try await self.signIn(accounts))
        #expect(first.accountID != second.accountID && first.secret != second.secret)
        let guest = try await accounts.account(of: first)
        #expect(guest.username == "guest-" + first.accountID.prefix(4))
        _ = try await accounts.rate(self.known[0], Rating(9)!, with: first)
        #expect(try await accounts.rating(of: self.known[0], with: second) == nil)
        let mixed = UpstreamSession(source: .embedded, secret: first.secret, accountID: second.accountID)
        await #expect(throws: SessionExpired()) { try await accounts.account(of: mixed) }
        let foreign = UpstreamSession(source: .tmdb, secret: first.secret, accountID: first.accountID)
        await #expect(throws: SessionExpired()) { try await accounts.account(of: foreign) }
    }

    @Test func aGuestThatEndsLeavesNothing() async throws {
        let library = LibraryFile()
        let database = try library.open()
        try CatalogueDatabase(database).importCatalogue(CatalogueResource())
        let accounts = self.accounts(database)
        let (guest, other) = (try await self.signIn(accounts), try await self.signIn(accounts))
        for session in [guest, other] {
            _ = try await accounts.rate(self.known[0], Rating(9)!, with: session)
            for list in StoredList.allCases {
                _ = try await SQLiteFavourites(database, list: list).put(
                    Favourite(movie: .whole(self.known[0]), addedAt: self.clock.now()),
                    of: .account(.embedded, id: session.accountID), limit: 9)
            }
        }
        try await accounts.end(guest)
        #expect(try library.count("localAccount") == 1)
        #expect(try library.count("localRating") == 1)
        for list in StoredList.allCases { #expect(try library.count(list.rawValue) == 1) }
        #expect(try await accounts.rating(of: self.known[0], with: other) == Rating(9))
    }

    @Test func requestTokensSessionsAndRatingsSurviveARestart() async throws {
        let library = LibraryFile()
        let first = try library.open()
        try CatalogueDatabase(first).importCatalogue(CatalogueResource())
        let session = try await self.signIn(self.accounts(first))
        _ = try await self.accounts(first).rate(self.known[0], Rating(0.5)!, with: session)
        let token = try await self.accounts(first).requestAuthorization(returningTo: nil).token
        let files = try library.bytes()
        for secret in [token, session.secret] {
            #expect(files.allSatisfy { $0.firstRange(of: Data(secret.utf8)) == nil }, "hashed at rest")
        }
        try first.close()
        let accounts = self.accounts(try library.open())
        #expect(try await accounts.rating(of: self.known[0], with: session) == Rating(0.5))
        #expect(try await accounts.approval(of: token)?.state == .open)
    }

    @Test func theOldestWishesGo() async throws {
        var limits = EmbeddedAccounts.Limits()
        limits.requests = 2
        let accounts = self.accounts(try self.database(), limits: limits)
        var tokens: [String] = []
        for _ in 0..<3 { tokens.append(try await accounts.requestAuthorization(returningTo: nil).token) }
        #expect(try await accounts.approval(of: tokens[0]) == nil)
        for token in tokens.dropFirst() { #expect(try await accounts.approval(of: token) != nil) }
    }

    @Test func guestsWithoutAnyTokenAreDeletedFirst() async throws {
        var limits = EmbeddedAccounts.Limits()
        limits.accounts = 2
        let database = try self.database()
        let accounts = self.accounts(database, limits: limits)
        let sessions = SQLiteSessions(database, key: SecretKey(), now: self.clock.now)
        let held = try await self.signIn(accounts)
        try await sessions.keep(
            Session(
                owner: .account(.embedded, id: held.accountID), upstream: held,
                expiresAt: Instant(secondsSince1970: 9999)), under: AccessToken())
        let lost = try await self.signIn(accounts)
        let latest = try await self.signIn(accounts)
        for session in [held, latest] { _ = try await accounts.account(of: session) }
        await #expect(throws: SessionExpired()) { try await accounts.account(of: lost) }
    }

    @Test func aURLThatIsTooLongIsNoRedirectTarget() async throws {
        let accounts = self.accounts(try self.database())
        let long = "https://a.test/" + String(repeating: "a", count: GuestAccount.maxReturnLength)
        for (url, expected) in [(long, nil), ("", nil), ("https://a.test", "https://a.test")] as [(String, String?)] {
            let token = try await accounts.requestAuthorization(returningTo: url).token
            #expect(try await accounts.approval(of: token)?.returnTo == expected)
        }
    }

    @Test func ratedFilmsAreInTheRequestedLanguageAndOutliveTheCatalogue() async throws {
        let database = try self.database()
        let accounts = self.accounts(database)
        let session = try await self.signIn(accounts)
        for id in self.known { _ = try await accounts.rate(id, Rating(8)!, with: session) }
        _ = try await accounts.rate(self.known[0], Rating(8)!, with: session)
        let japanese = LanguagePreference([Language("ja")!])
        let page = try await accounts.ratings(page: 1, language: japanese, with: session)
        #expect(page.results.map(\.movie.id) == self.known.reversed(), "the same rating again is nothing new")
        #expect(page.results[1].movie.title == "下女")
        for movies in [FilmlessMovies(failure: nil), FilmlessMovies(failure: .tooSlow(.embedded))] {
            let later = self.accounts(database, movies: movies)
            let kept = try await later.ratings(page: 1, language: japanese, with: session)
            #expect(
                kept.results.map(\.movie.title) == ["Nosferatu", "The Housemaid", "Metropolis"],
                "as they were when rated")
        }
        let later = self.accounts(database, movies: FilmlessMovies(failure: nil))
        #expect(try await later.unrate(self.known[0], with: session), "what has gone can be unrated")
        #expect(try await later.unrate(self.known[0], with: session) == false)
        #expect(try await later.rate(self.known[0], Rating(8)!, with: session) == false)
    }

    @Test func aSourceThatFailsIsNoUnknownFilm() async throws {
        let database = try self.database()
        let session = try await self.signIn(self.accounts(database))
        let failing = self.accounts(database, movies: FilmlessMovies(failure: .tooSlow(.embedded)))
        await #expect(throws: SourceFailure.tooSlow(.embedded)) {
            try await failing.rate(self.known[0], Rating(8)!, with: session)
        }
        #expect(try await failing.rate(MovieID("tmdb:603")!, Rating(8)!, with: session) == false, "nobody is asked")
    }

    @Test func aDatabaseThatDoesNotWorkIsAFailureOfStorage() async throws {
        let library = LibraryFile()
        let accounts = self.accounts(try library.open())
        try library.change("DROP TABLE localRating; DROP TABLE localAccount; DROP TABLE approvalWish")
        await #expect(throws: StorageFailure.self) { try await accounts.requestAuthorization(returningTo: nil) }
        await #expect(throws: StorageFailure.self) { try await accounts.session(for: AccessToken().text) }
        await #expect(throws: StorageFailure.self) { try await accounts.approval(of: AccessToken().text) }
    }
}

private struct FilmlessMovies: MovieRepository {
    let failure: SourceFailure?
    let source = MovieSource.embedded

    private func nothing<Value>() throws -> Value? {
        if let failure { throw failure }
        return nil
    }

    func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? { try self.nothing() }

    func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? { try self.nothing() }

    func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try self.nothing()
    }

    func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? { try self.nothing() }
}
