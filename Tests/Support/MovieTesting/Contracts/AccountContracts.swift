package import MovieDomain

/// Checks the contract of `AccountRepository`.
///
/// - Parameters:
///   - known: At least two ids of films of its source.
///   - unknown: An id of its source without a film.
///   - decide: Approves or denies a request token, as the user does on the approval page.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(
    of accounts: some AccountRepository, known: [MovieID], unknown: MovieID,
    decide: (_ requestToken: String, _ approves: Bool) async throws -> Void
) async throws -> [String] {
    var check = AccountCheck(accounts: accounts, known: known, unknown: unknown)
    let denied = try await accounts.requestAuthorization(returningTo: nil).token
    let token = try await accounts.requestAuthorization(returningTo: "https://app.test/done").token
    check.check(denied != token && !token.isEmpty, "every request has a token of its own")
    for _ in 1...2 { try await check.checkRefusal(token, .notApproved) }
    try await decide(denied, false)
    for _ in 1...2 { try await check.checkRefusal(denied, .denied) }
    try await check.checkRefusal("no such token", .unknownToken)
    try await decide(token, true)
    let session = try await accounts.session(for: token)
    try await check.checkRefusal(token, .unknownToken)
    try await check.checkRatings(session)
    try await check.checkWatchlist(session)
    try await accounts.end(session)
    try await accounts.end(session)
    try await check.checkEnd(of: session)
    return check.broken
}

private struct AccountCheck<Accounts: AccountRepository> {
    let accounts: Accounts
    let known: [MovieID]
    let unknown: MovieID
    var broken: [String] = []

    mutating func check(_ isKept: Bool, _ promise: String) {
        if !isKept { self.broken.append(promise) }
    }

    mutating func checkRefusal(_ token: String, _ failure: AuthorizationFailure) async throws {
        do {
            _ = try await self.accounts.session(for: token)
            self.broken.append("a request token makes a session where it should be \(failure)")
        } catch let error as AuthorizationFailure {
            self.check(error == failure, "a request token is \(error) where it should be \(failure)")
        }
    }

    mutating func checkRatings(_ session: UpstreamSession) async throws {
        let account = try await self.accounts.account(of: session)
        self.check(account.source == self.accounts.source && session.source == account.source, "it is of its source")
        self.check(account.id == session.accountID && !account.username.isEmpty, "whom it acts for has a name")
        let (first, second) = (self.known[0], self.known[1])
        let (seven, nine) = (Rating(7.5)!, Rating(9)!)
        self.check(try await self.accounts.rating(of: first, with: session) == nil, "nothing is rated at first")
        for _ in 1...2 {
            self.check(try await self.accounts.rate(first, seven, with: session), "a film is rated")
            self.check(try await self.accounts.rating(of: first, with: session) == seven, "and its rating is known")
        }
        self.check(try await self.accounts.rate(second, seven, with: session), "so is another")
        let some = try await self.accounts.ratings(of: [second, self.unknown, first, first], with: session)
        self.check(some == [first: seven, second: seven], "the ratings of several films are those of the rated ones")
        do {
            _ = try await self.accounts.rating(of: self.unknown, with: session)
            self.broken.append("the rating of an unknown film is one")
        } catch is UnknownMovie {
            // Expected.
        }
        self.check(try await self.accounts.rate(first, nine, with: session), "and the first anew")
        self.check(try await self.accounts.rate(self.unknown, nine, with: session) == false, "what is not there is not")
        let page = try await self.accounts.ratings(page: 1, language: LanguagePreference(), with: session)
        self.check(page.results.map(\.movie.id) == [first, second], "the latest rating is first, each film once")
        self.check(page.results.map(\.rating) == [nine, seven] && page.totalResults == 2, "with what was said last")
        let behind = try await self.accounts.ratings(page: 2, language: LanguagePreference(), with: session)
        self.check(behind.results.isEmpty, "there is nothing behind the last page")
        for _ in 1...2 {
            self.check(try await self.accounts.unrate(first, with: session), "a rating is forgotten, also twice")
        }
        self.check(try await self.accounts.unrate(self.unknown, with: session) == false, "of no film there is none")
        self.check(try await self.accounts.rating(of: first, with: session) == nil, "what is forgotten is gone")
        let rest = try await self.accounts.ratings(page: 1, language: LanguagePreference(), with: session)
        self.check(rest.results.map(\.movie.id) == [second], "and not in the list")
    }

    mutating func checkWatchlist(_ session: UpstreamSession) async throws {
        let accounts = self.accounts
        func list(_ page: Int = 1) async throws -> [MovieID] {
            try await accounts.watchlist(page: page, language: LanguagePreference(), with: session).results.map(\.id)
        }
        self.check(try await list().isEmpty, "nothing is on the watchlist at first")
        guard accounts.hasWatchlists else {
            let change = try await accounts.setOnWatchlist(self.known[0], true, with: session)
            self.check(change == .unknownMovie, "a source without watchlists takes no film")
            self.check(try await !accounts.isOnWatchlist(self.known[0], with: session), "and has none")
            self.check(try await accounts.watchlistIDs(among: self.known, with: session) == [], "among several too")
            return
        }
        for (id, isNew) in [(self.known[0], true), (self.known[1], true), (self.known[0], false)] {
            let change = try await accounts.setOnWatchlist(id, true, with: session)
            self.check(change == .done(isNew: isNew), "a film is new on the watchlist once")
            self.check(try await accounts.isOnWatchlist(id, with: session), "and is on it then")
        }
        let refused = try await accounts.setOnWatchlist(self.unknown, true, with: session)
        self.check(refused == .unknownMovie, "what is not there is not put on it")
        self.check(try await !accounts.isOnWatchlist(self.unknown, with: session), "and is not on it")
        self.check(try await list() == [self.known[1], self.known[0]], "the latest is first")
        self.check(try await list(2).isEmpty, "there is nothing behind the last page of it")
        let both = try await accounts.watchlistIDs(among: [self.unknown] + self.known, with: session)
        self.check(both == Set(self.known.prefix(2)), "those on it are known among several")
        for _ in 1...2 {
            let change = try await accounts.setOnWatchlist(self.known[0], false, with: session)
            self.check(change == .done(isNew: false), "a film is removed from the watchlist, also twice")
        }
        self.check(try await list() == [self.known[1]], "what is removed from the watchlist is gone")
    }

    mutating func checkEnd(of session: UpstreamSession) async throws {
        let (accounts, id, rating) = (self.accounts, self.known[0], Rating(5)!)
        let uses: [(String, () async throws -> Void)] = [
            ("account", { _ = try await accounts.account(of: session) }),
            ("rate", { _ = try await accounts.rate(id, rating, with: session) }),
            ("unrate", { _ = try await accounts.unrate(id, with: session) }),
            ("rating", { _ = try await accounts.rating(of: id, with: session) }),
            ("ratings of", { _ = try await accounts.ratings(of: [id], with: session) }),
            ("ratings", { _ = try await accounts.ratings(page: 1, language: LanguagePreference(), with: session) }),
        ]
        for (name, use) in uses {
            do {
                try await use()
                self.broken.append("\(name) works with a session that is over")
            } catch is SessionExpired {
                // Expected.
            }
        }
    }
}

/// Checks the contract of `SessionRepository`; the clock must be before 1,000 seconds.
///
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(of sessions: some SessionRepository) async throws -> [String] {
    var broken: [String] = []
    func check(_ isKept: Bool, _ promise: String) {
        if !isKept { broken.append(promise) }
    }
    let (before, end) = (Instant(secondsSince1970: 1999), Instant(secondsSince1970: 2000))
    let upstream = UpstreamSession(source: .tmdb, secret: "s3cret \"é\" 🔑", accountID: "548")
    let account = Session(owner: .account(.tmdb, id: "548"), upstream: upstream, expiresAt: end)
    let device = Session(owner: .device(id: "d-1"), upstream: nil, expiresAt: end)
    let guest = Session(
        owner: .account(.embedded, id: "g"),
        upstream: UpstreamSession(source: .embedded, secret: "s", accountID: "g"), device: "d-1", expiresAt: end)
    let tokens = (account: AccessToken(), device: AccessToken(), unknown: AccessToken())

    try await sessions.keep(account, under: tokens.account)
    try await sessions.keep(device, under: tokens.device)
    check(try await sessions.session(under: tokens.account, at: before) == account, "a session is found, all of it")
    check(try await sessions.session(under: tokens.device, at: before) == device, "a device's too")
    check(try await sessions.session(under: tokens.unknown, at: before) == nil, "nothing is under another token")
    check(try await sessions.session(under: tokens.account, at: end) == nil, "when it is over, it is none")

    check(try await sessions.end(tokens.unknown, at: before) == nil, "ending what is not there has no effect")
    check(try await sessions.end(tokens.account, at: before) == account, "ending says what it was")
    check(try await sessions.end(tokens.account, at: before) == nil, "once")
    check(try await sessions.session(under: tokens.account, at: before) == nil, "what was ended is none")
    check(try await sessions.session(under: tokens.device, at: before) == device, "others go on")
    check(try await sessions.end(tokens.device, at: end) == nil, "what had expired was nothing any more")
    check(try await sessions.session(under: tokens.device, at: before) == nil, "and is ended all the same")

    var renewed = Session(owner: device.owner, upstream: nil, expiresAt: Instant(secondsSince1970: 3000))
    try await sessions.keep(device, under: tokens.unknown)
    try await sessions.keep(renewed, under: tokens.unknown)
    check(try await sessions.session(under: tokens.unknown, at: end) == renewed, "the later of two under a token holds")

    let guestToken = AccessToken()
    try await sessions.keep(guest, under: guestToken)
    check(try await sessions.session(under: guestToken, at: before) == guest, "which device signed in is kept")
    check(try await sessions.session(under: tokens.unknown, at: end) == renewed, "and that lasts longer already")
    let others = (device: AccessToken(), account: AccessToken())
    let other = Session(owner: .device(id: "d-2"), upstream: nil, expiresAt: end)
    try await sessions.keep(other, under: others.device)
    try await sessions.keep(account, under: others.account)
    var longer = guest
    longer.expiresAt = Instant(secondsSince1970: 4000)
    renewed.expiresAt = Instant(secondsSince1970: 5000)
    try await sessions.renew(guestToken, until: longer.expiresAt, deviceUntil: renewed.expiresAt)
    check(try await sessions.session(under: guestToken, at: end) == longer, "a renewed session goes on, as it was")
    check(try await sessions.session(under: tokens.unknown, at: end) == renewed, "and so does that of its device")
    try await sessions.renew(guestToken, until: end, deviceUntil: end)
    check(try await sessions.session(under: guestToken, at: before) == longer, "and is never made shorter")
    check(try await sessions.session(under: tokens.unknown, at: before) == renewed, "nor is that of its device")
    longer.expiresAt = Instant(secondsSince1970: 6000)
    try await sessions.keep(longer, under: guestToken)
    renewed.expiresAt = longer.expiresAt
    check(
        try await sessions.session(under: tokens.unknown, at: before) == renewed,
        "a device is valid for as long as the session that names it")
    try await sessions.renew(tokens.device, until: longer.expiresAt, deviceUntil: longer.expiresAt)
    check(try await sessions.session(under: tokens.device, at: before) == nil, "what was ended is not renewed")
    check(try await sessions.session(under: others.device, at: before) == other, "nor is another device")
    check(try await sessions.session(under: others.account, at: before) == account, "nor another account")
    return broken
}
