import MovieDomain
import MovieTesting
import Testing

struct EraseUserDataTests {
    private let sessions = MemorySessions()
    private let favourites = MemoryFavourites()
    private let end = Instant(secondsSince1970: 2000)

    private func erase(_ accounts: ScriptedAccounts) -> EraseUserData {
        EraseUserData(
            MemoryUserData(sessions: self.sessions, favourites: self.favourites), accounts: accounts,
            sessions: self.sessions, now: { Instant(secondsSince1970: 1000) })
    }

    private func open(
        _ id: String, _ source: MovieSource = .tmdb, secret: String
    ) async throws -> AuthenticatedSession {
        let upstream = UpstreamSession(source: source, secret: secret, accountID: id)
        let holder = AuthenticatedSession(
            token: AccessToken(),
            session: Session(owner: .account(source, id: id), upstream: upstream, expiresAt: self.end))
        try await self.sessions.keep(holder.session, under: holder.token)
        return holder
    }

    @Test func allSessionsOfTheAccountEndHereAndAtItsSource() async throws {
        let accounts = ScriptedAccounts()
        let holder = try await self.open("7", secret: "phone")
        _ = try await self.open("7", secret: "browser")
        let other = try await self.open("8", secret: "other")
        #expect(try await self.erase(accounts)(holder) == nil)
        #expect(Set(accounts.ended.map(\.secret)) == ["phone", "browser"])
        #expect(accounts.dropped == ["7"], "what is cached about the account")
        #expect(self.sessions.all == [other.session])
    }

    @Test func theDeviceBehindTheAccountIsErasedAsWell() async throws {
        var holder = try await self.open("7", secret: "s")
        let device = Session(owner: .device(id: "d"), upstream: nil, expiresAt: self.end)
        let token = AccessToken()
        try await self.sessions.keep(device, under: token)
        holder.device = token
        #expect(try await self.erase(ScriptedAccounts())(holder) == nil)
        #expect(self.sessions.all.isEmpty)
    }

    @Test func whatTheSourceSaysDoesNotKeepTheData() async throws {
        let accounts = ScriptedAccounts()
        accounts.fail(with: .tooSlow(.tmdb))
        let holder = try await self.open("7", secret: "s")
        #expect(try await self.erase(accounts)(holder) == .tooSlow(.tmdb))
        #expect(self.sessions.all.isEmpty)
    }

    @Test func anAccountOfASourceThatIsOffIsErased() async throws {
        let accounts = ScriptedAccounts(source: .embedded, isTemporary: true)
        let holder = try await self.open("7", secret: "s")
        #expect(try await self.erase(accounts)(holder) == nil)
        #expect(self.sessions.all.isEmpty && accounts.ended.isEmpty && accounts.dropped.isEmpty)
    }

    @Test("owners and their keys", arguments: ["tmdb:548", "sample:a:b", "device:0f"])
    func keys(_ key: String) throws {
        #expect(try #require(Owner(key: key)).key == key)
    }

    @Test("no owners", arguments: ["", ":", "tmdb", "tmdb:", ":548", "nobody:1", "::1", "device:"])
    func noKeys(_ text: String) {
        #expect(Owner(key: text) == nil)
    }
}
