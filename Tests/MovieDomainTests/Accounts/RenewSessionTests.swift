import MovieDomain
import MovieTesting
import Testing

struct RenewSessionTests {
    private static let day: Int64 = 86_400
    private let sessions = MemorySessions()
    private let clock = ManualTimeOfDay()

    private func use(_ accounts: ScriptedAccounts = ScriptedAccounts(), days: Int64 = 30) -> RenewSession {
        RenewSession(
            accounts: accounts, sessions: self.sessions, lifetimeSeconds: days * Self.day, now: self.clock.now)
    }

    /// A session that expires after `days` days.
    private func open(_ owner: Owner, device: String? = nil, days: Int64) async throws -> AuthenticatedSession {
        var upstream: UpstreamSession?
        if case .account(let source, let id) = owner {
            upstream = UpstreamSession(source: source, secret: "s", accountID: id)
        }
        let session = Session(owner: owner, upstream: upstream, device: device, expiresAt: self.later(days: days))
        let token = AccessToken()
        try await self.sessions.keep(session, under: token)
        return AuthenticatedSession(token: token, session: session)
    }

    private func later(days: Int64) -> Instant {
        Instant(secondsSince1970: self.clock.now().secondsSince1970 + days * Self.day)
    }

    @Test("sessions are prolonged once a day", arguments: [Owner.device(id: "d"), .account(.embedded, id: "7")])
    func prolonged(owner: Owner) async throws {
        let days: Int64 = owner == .device(id: "d") ? 365 : 30
        let renew = self.use(ScriptedAccounts(source: .embedded, isTemporary: true))
        var holder = try await self.open(owner, days: days)
        self.clock.advance(seconds: Self.day)
        #expect(try await renew(holder) == holder, "not within a day")
        #expect(self.sessions.renewalCount == 0)
        self.clock.advance(seconds: 1)
        holder = try await renew(holder)
        #expect(holder.session.expiresAt == self.later(days: days))
        #expect(try await self.sessions.session(under: holder.token, at: self.clock.now()) == holder.session)
        for _ in 1...3 { #expect(try await renew(holder) == holder) }
        #expect(self.sessions.renewalCount == 1)
    }

    @Test func aSessionOfOneDayIsProlongedAfterHalfOfIt() async throws {
        let renew = self.use(ScriptedAccounts(source: .embedded, isTemporary: true), days: 1)
        let guest = try await self.open(.account(.embedded, id: "7"), days: 1)
        self.clock.advance(seconds: Self.day / 2)
        #expect(try await renew(guest) == guest)
        self.clock.advance(seconds: 1)
        #expect(try await renew(guest).session.expiresAt == self.later(days: 1))
        #expect(self.sessions.renewalCount == 1)
    }

    @Test("the use of a guest's session is one of its device", arguments: [30, 400] as [Int64])
    func device(days: Int64) async throws {
        let renew = self.use(ScriptedAccounts(source: .embedded, isTemporary: true), days: days)
        let device = try await self.open(.device(id: "d"), days: 365)
        let guest = try await self.open(.account(.embedded, id: "7"), device: "d", days: days)
        self.clock.advance(seconds: 2 * Self.day)
        _ = try await renew(guest)
        let renewed = try await self.sessions.session(under: device.token, at: self.clock.now())
        #expect(renewed?.expiresAt == self.later(days: max(365, days)))
        #expect(self.sessions.renewalCount == 1)
    }

    @Test func sessionsOfAccountsThatLastEndWhenTheyWereToEnd() async throws {
        let holder = try await self.open(.account(.tmdb, id: "7"), days: 1)
        #expect(try await self.use()(holder) == holder)
        // Nor are guests' sessions renewed while users sign in elsewhere.
        let guest = try await self.open(.account(.embedded, id: "7"), days: 1)
        #expect(try await self.use()(guest) == guest)
        #expect(self.sessions.renewalCount == 0)
    }

    @Test func afterAFailureNoneIsRenewedForAMinute() async throws {
        let holder = try await self.open(.device(id: "d"), days: 1)
        let renew = self.use()
        self.sessions.failRenewals(with: StorageFailure(reason: "full"))
        #expect(try await renew(holder) == holder, "it is valid all the same")
        self.sessions.failRenewals(with: nil)
        self.clock.advance(seconds: 59)
        #expect(try await renew(holder) == holder)
        #expect(self.sessions.renewalCount == 1)
        self.clock.advance(seconds: 1)
        #expect(try await renew(holder).session.expiresAt == self.later(days: 365))
    }
}
