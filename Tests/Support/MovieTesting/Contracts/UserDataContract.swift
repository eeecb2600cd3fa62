package import MovieDomain

/// The repositories of one library database.
package struct UserDataStores: Sendable {
    package let userData: any UserDataRepository
    package let sessions: any SessionRepository
    package let favourites: any FavouriteRepository
    package let watchlist: any FavouriteRepository

    package init(
        userData: any UserDataRepository, sessions: any SessionRepository, favourites: any FavouriteRepository,
        watchlist: any FavouriteRepository
    ) {
        self.userData = userData
        self.sessions = sessions
        self.favourites = favourites
        self.watchlist = watchlist
    }
}

/// Checks the contract of `UserDataRepository`, starting with empty repositories; their clock must be before 1,000
/// seconds.
///
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(of stores: UserDataStores) async throws -> [String] {
    var check = UserDataCheck(stores: stores)
    try await check.fill()
    try await check.checkAccount()
    try await check.checkGuest()
    try await check.checkOthers()
    return check.broken
}

private struct UserDataCheck {
    private static let end = Instant(secondsSince1970: 2000)
    private static let now = Instant(secondsSince1970: 1000)

    let stores: UserDataStores
    private let account = Owner.account(.tmdb, id: "7")
    // The guest's device, the guest, and unrelated owners: another account, the same id elsewhere, a device with its
    // guest.
    private let device = Owner.device(id: "d-1")
    private let guest = Owner.account(.embedded, id: "g-1")
    private let others = [
        Owner.account(.tmdb, id: "77"), .account(.embedded, id: "7"), .device(id: "7"), .device(id: "d-2"),
        .account(.embedded, id: "g-2"),
    ]
    private var tokens: [Owner: [AccessToken]] = [:]
    var broken: [String] = []

    init(stores: UserDataStores) { self.stores = stores }

    private mutating func check(_ isKept: Bool, _ promise: String) {
        if !isKept { self.broken.append(promise) }
    }

    private func id(_ number: Int) -> MovieID { MovieID("film-\(number)")! }

    private func film(_ number: Int, at seconds: Int64) -> Favourite {
        Favourite(
            movie: .whole(self.id(number), title: "Film \(number)"), addedAt: Instant(secondsSince1970: seconds))
    }

    private mutating func open(_ owner: Owner, device: String? = nil) async throws {
        var upstream: UpstreamSession?
        if case .account(let source, let id) = owner {
            let count = self.tokens[owner]?.count ?? 0
            upstream = UpstreamSession(source: source, secret: "secret \(count) of \(owner.key)", accountID: id)
        }
        let token = AccessToken()
        try await self.stores.sessions.keep(
            Session(owner: owner, upstream: upstream, device: device, expiresAt: Self.end), under: token)
        self.tokens[owner, default: []].append(token)
    }

    private func openCount(of owner: Owner) async throws -> Int {
        var count = 0
        for token in self.tokens[owner] ?? []
        where try await self.stores.sessions.session(under: token, at: Self.now) != nil {
            count += 1
        }
        return count
    }

    mutating func fill() async throws {
        self.check(try await self.stores.userData.data(of: self.account).isEmpty, "nothing is stored at first")
        for _ in 1...2 { try await self.open(self.account) }
        try await self.open(self.device)
        try await self.open(self.guest, device: "d-1")
        for owner in self.others {
            try await self.open(owner, device: owner == .account(.embedded, id: "g-2") ? "d-2" : nil)
        }
        for owner in [self.account, self.device] + self.others {
            for number in 1...2 {
                let film = self.film(number, at: Int64(100 * number))
                _ = try await self.stores.favourites.put(film, of: owner, limit: 9)
            }
            _ = try await self.stores.watchlist.put(self.film(3, at: 300), of: owner, limit: 9)
        }
    }

    mutating func checkAccount() async throws {
        let data = try await self.stores.userData.data(of: self.account)
        self.check(data.owner == self.account && data.isComplete, "it is of the owner, all of it")
        self.check(data.favourites.map(\.film.id) == [self.id(2), self.id(1)], "the latest favourite is first")
        self.check(data.favourites.first?.film.title == "Film 2", "with the title")
        self.check(data.favourites.first?.addedAt == Instant(secondsSince1970: 200), "and when it was added")
        self.check(data.watchlist.map(\.film.id) == [self.id(3)], "the watchlist is another list")
        let session = UserData.StoredSession(owner: self.account, expiresAt: Self.end)
        self.check(data.sessions == [session, session], "every session of the account is there")
        self.check(data.ratings.isEmpty && data.guests.isEmpty, "what its source stores is not")

        let erased = try await self.stores.userData.erase(self.account)
        self.check(erased.favourites == 2 && erased.watchlist == 1, "the films of the lists are erased")
        self.check(erased.sessions == 2, "and the sessions")
        let secrets = (0...1).map { "secret \($0) of tmdb:7" }
        self.check(Set(erased.upstreamSessions.map(\.secret)) == Set(secrets), "whose ends at the source are due")
        self.check(try await self.openCount(of: self.account) == 0, "no token of the account is valid")
        self.check(try await self.stores.userData.data(of: self.account).isEmpty, "nothing is left")
        self.check(
            try await self.stores.favourites.favouriteIDs(among: [self.id(1)], of: self.account).isEmpty,
            "nor is a favourite remembered")
        self.check(try await self.stores.userData.erase(self.account) == ErasedUserData(), "erasing is idempotent")
    }

    mutating func checkGuest() async throws {
        for owner in [self.guest, self.device] {
            let data = try await self.stores.userData.data(of: owner)
            self.check(data.favourites.count == 2 && data.watchlist.count == 1, "a guest has the lists of its device")
            self.check(Set(data.sessions.map(\.owner)) == [self.guest, self.device], "and both have both sessions")
        }
        let erased = try await self.stores.userData.erase(self.guest)
        self.check(erased.favourites == 2 && erased.watchlist == 1, "they are erased with the guest")
        self.check(erased.sessions == 2 && erased.upstreamSessions.isEmpty, "and so are both sessions")
        for owner in [self.guest, self.device] {
            self.check(try await self.openCount(of: owner) == 0, "neither token is valid")
            self.check(try await self.stores.userData.data(of: owner).isEmpty, "and nothing of them is left")
        }
    }

    mutating func checkOthers() async throws {
        for owner in self.others {
            self.check(try await self.openCount(of: owner) == 1, "\(owner.key) is still signed in")
            let page = try await self.stores.favourites.favourites(of: owner, page: 1, size: 9)
            self.check(page.totalResults == 2, "\(owner.key) still has its favourites")
            let wanted = try await self.stores.watchlist.favouriteIDs(among: [self.id(3)], of: owner)
            self.check(wanted == [self.id(3)], "\(owner.key) still has its watchlist")
        }
        let erased = try await self.stores.userData.erase(.device(id: "d-2"))
        self.check(erased.sessions == 2, "a device is erased with its guest")
        self.check(try await self.openCount(of: .account(.embedded, id: "g-2")) == 0, "whose token is invalid then")
    }
}
