import MovieDomain
import MovieTesting
import Testing

struct SignInTests {
    private let accounts = ScriptedAccounts(known: [MovieID("tmdb:603")!])
    private let sessions = MemorySessions()
    private let favourites = MemoryFavourites()
    private let now: @Sendable () -> Instant = { Instant(secondsSince1970: 1000) }

    /// A session repository that fails to store.
    private struct FullSessions: SessionRepository {
        func keep(_ session: Session, under token: AccessToken) async throws { throw StorageFailure(reason: "full") }
        func session(under token: AccessToken, at now: Instant) async throws -> Session? { nil }
        func renew(_ token: AccessToken, until end: Instant, deviceUntil deviceEnd: Instant) async throws {}
        func end(_ token: AccessToken, at now: Instant) async throws -> Session? { nil }
    }

    private func signIn() async throws -> AuthenticatedSession {
        self.accounts.decide("token", .success(()))
        return try await self.use.complete(requestToken: "token").session
    }

    private var use: SignIn {
        SignIn(
            accounts: self.accounts, sessions: self.sessions, favourites: self.favourites,
            watchlist: MemoryFavourites(), now: self.now)
    }

    private var authenticated: AuthenticatedAccounts {
        AuthenticatedAccounts(accounts: self.accounts, sessions: self.sessions, now: self.now)
    }

    @Test func redirectsToScriptsAreRefused() async throws {
        await #expect(throws: SignIn.Failure.unacceptableAddress) {
            try await self.use.begin(returningTo: "javascript:alert(1)")
        }
        #expect(self.accounts.returnAddresses.isEmpty)
        _ = try await self.use.begin(returningTo: "app://done")
        #expect(self.accounts.returnAddresses == ["app://done"])
    }

    @Test func aRequestTokenCanBeTriedAgainUntilItIsDecided() async throws {
        for _ in 0..<2 {
            await #expect(throws: AuthorizationFailure.notApproved) {
                try await self.use.complete(requestToken: "token")
            }
        }
        let holder = try await self.signIn()
        #expect(holder.session.owner == .account(.tmdb, id: "7"))
        #expect(holder.session.expiresAt.secondsSince1970 == 1000 + 30 * 86_400)
        #expect(try await self.sessions.session(under: holder.token, at: self.now()) == holder.session)
        await #expect(throws: AuthorizationFailure.unknownToken) { try await self.use.complete(requestToken: "token") }
        self.accounts.decide("other", .failure(.denied))
        await #expect(throws: AuthorizationFailure.denied) { try await self.use.complete(requestToken: "other") }
    }

    @Test(arguments: ["", "a b", "ü", String(repeating: "a", count: 513)])
    func whatIsNoTokenIsNotAskedAbout(token: String) async throws {
        self.accounts.fail(with: .tooSlow(.tmdb))
        await #expect(throws: AuthorizationFailure.unknownToken) { try await self.use.complete(requestToken: token) }
    }

    @Test func whatCannotBeKeptIsGivenBack() async throws {
        self.accounts.decide("token", .success(()))
        let full = SignIn(
            accounts: self.accounts, sessions: FullSessions(), favourites: self.favourites,
            watchlist: MemoryFavourites(), now: self.now)
        await #expect(throws: StorageFailure(reason: "full")) { try await full.complete(requestToken: "token") }
        #expect(self.accounts.ended.map(\.accountID) == ["7"])
    }

    @Test func aSessionEndsHereWhateverItsSourceSays() async throws {
        let holder = try await self.signIn()
        self.accounts.fail(with: .tooSlow(.tmdb))
        #expect(try await self.use.end(holder.token) == .tooSlow(.tmdb))
        #expect(try await self.sessions.session(under: holder.token, at: self.now()) == nil)
        #expect(try await self.use.end(holder.token) == nil, "once more is the same as once")
    }

    @Test func aSessionThatTheSourceHasEndedEndsHereToo() async throws {
        let holder = try await self.signIn()
        #expect(try await self.authenticated.account(of: holder).username == "ada")
        self.accounts.forgetSessions()
        await #expect(throws: AccountFailure.sessionExpired) { try await self.authenticated.account(of: holder) }
        #expect(self.sessions.count == 0)
    }

    @Test func aSessionOfAnotherSourceMeansNothingUntilThatIsBack() async throws {
        let holder = try await self.signIn()
        let others = ScriptedAccounts(source: .embedded)
        let elsewhere = AuthenticatedAccounts(accounts: others, sessions: self.sessions, now: self.now)
        await #expect(throws: SessionSourceDisabled(source: .tmdb)) { try await elsewhere.account(of: holder) }
        #expect(self.sessions.count == 1)
        #expect(try await self.authenticated.account(of: holder).username == "ada")
    }

    @Test func aDeviceHasNoAccount() async throws {
        let holder = try await self.use.registerDevice()
        guard case .device(let id) = holder.session.owner else {
            Issue.record("\(holder.session.owner)")
            return
        }
        #expect(id.count == 32 && !holder.token.text.contains(id))
        await #expect(throws: AccountFailure.noAccount) { try await self.authenticated.account(of: holder) }
        #expect(self.sessions.count == 1)
    }

    @Test func onlyFilmsOfTheAccountsSourceAreRated() async throws {
        let holder = try await self.signIn()
        let (matrix, korean) = (try #require(MovieID("tmdb:603")), try #require(MovieID("kobis:20228555")))
        for value in [9, 9, 8.5] {
            try await self.authenticated.rate(matrix, Rating(value), for: holder)
            #expect(try await self.authenticated.rating(of: matrix, for: holder)?.value == value)
        }
        await #expect(throws: AccountFailure.unknownMovie(korean, to: .tmdb)) {
            try await self.authenticated.rate(korean, Rating(9), for: holder)
        }
        for _ in 0..<2 { try await self.authenticated.rate(matrix, nil, for: holder) }
        #expect(try await self.authenticated.rating(of: matrix, for: holder) == nil)
    }
}
