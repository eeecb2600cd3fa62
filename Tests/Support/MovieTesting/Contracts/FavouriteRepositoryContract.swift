package import MovieDomain

/// Checks the contract of `FavouriteRepository`, starting with an empty one.
///
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(of favourites: some FavouriteRepository) async throws -> [String] {
    var check = FavouriteCheck(favourites: favourites)
    try await check.checkPutting()
    try await check.checkPages()
    try await check.checkLimit()
    try await check.checkRemoval()
    try await check.checkMoving()
    return check.broken
}

private struct FavouriteCheck<Favourites: FavouriteRepository> {
    let favourites: Favourites
    let owner = Owner.account(.tmdb, id: "7")
    // The same id at another source belongs to another owner.
    let others = [Owner.account(.embedded, id: "7"), .device(id: "7")]
    var broken: [String] = []

    private mutating func check(_ isKept: Bool, _ promise: String) {
        if !isKept { self.broken.append(promise) }
    }

    private func id(_ number: Int) -> MovieID { MovieID("film-\(number)")! }

    private func favourite(_ number: Int, title: String = "A film", at seconds: Int64) -> Favourite {
        Favourite(
            movie: .whole(self.id(number), title: title), addedAt: Instant(secondsSince1970: seconds),
            language: number == 4 ? nil : .korean)
    }

    mutating func checkPutting() async throws {
        self.check(try await self.favourites.favourite(self.id(1), of: self.owner) == nil, "an empty one has none")
        let first = self.favourite(1, at: 100)
        self.check(try await self.favourites.put(first, of: self.owner, limit: 9) == true, "the first is new")
        self.check(
            try await self.favourites.favourite(self.id(1), of: self.owner) == first, "all of a film is kept")
        let renamed = self.favourite(1, title: "The film", at: 500)
        self.check(try await self.favourites.put(renamed, of: self.owner, limit: 9) == false, "the second is not")
        let found = try await self.favourites.favourite(self.id(1), of: self.owner)
        self.check(found?.movie.title == "The film", "putting again renews what it looks like")
        self.check(found?.addedAt == first.addedAt, "and keeps when it was added")
        for other in self.others {
            self.check(try await self.favourites.favourite(self.id(1), of: other) == nil, "\(other) has none")
        }
    }

    mutating func checkPages() async throws {
        for (number, seconds) in [(2, 300), (3, 200), (4, 300), (5, 400)] {
            _ = try await self.favourites.put(self.favourite(number, at: Int64(seconds)), of: self.owner, limit: 9)
        }
        let first = try await self.favourites.favourites(of: self.owner, page: 1, size: 2)
        let last = try await self.favourites.favourites(of: self.owner, page: 3, size: 2)
        self.check(first.results.map(\.movie.id) == [self.id(5), self.id(4)], "the latest are first, also of a second")
        self.check(last.results.map(\.movie.id) == [self.id(1)], "the last page holds the rest")
        self.check([first.totalResults, first.totalPages, last.number] == [5, 3, 3], "and pages count")
        for page in [4, 1000, Int.max] {
            let behind = try await self.favourites.favourites(of: self.owner, page: page, size: 2)
            self.check(behind.results.isEmpty && behind.totalResults == 5, "page \(page) is empty, but counts")
        }
        let marked = try await self.favourites.favouriteIDs(
            among: [self.id(1), self.id(9), self.id(5)], of: self.owner)
        self.check(marked == [self.id(1), self.id(5)], "those are marked that are favourites")
        self.check(try await self.favourites.favouriteIDs(among: [], of: self.owner).isEmpty, "of none, none is marked")
        self.check(
            try await self.favourites.favouriteIDs(among: [self.id(1)], of: self.others[0]).isEmpty, "nor of others")
    }

    mutating func checkLimit() async throws {
        let sixth = self.favourite(6, at: 600)
        self.check(
            try await self.favourites.put(sixth, of: self.owner, limit: 5) == nil, "more than allowed are refused")
        self.check(try await self.favourites.favourite(sixth.movie.id, of: self.owner) == nil, "and not kept")
        let fifth = self.favourite(5, at: 600)
        self.check(try await self.favourites.put(fifth, of: self.owner, limit: 5) == false, "one more of a kind is not")
        self.check(try await self.favourites.put(sixth, of: self.others[1], limit: 5) == true, "nor others' first")
    }

    mutating func checkRemoval() async throws {
        for _ in 1...2 { try await self.favourites.remove(self.id(5), of: self.owner) }
        self.check(try await self.favourites.favourite(self.id(5), of: self.owner) == nil, "what was removed is gone")
        let page = try await self.favourites.favourites(of: self.owner, page: 1, size: 20)
        self.check(page.results.map(\.movie.id) == [4, 2, 3, 1].map(self.id), "and nothing else")
        try await self.favourites.remove(self.id(6), of: self.owner)
        self.check(
            try await self.favourites.favourite(self.id(6), of: self.others[1]) != nil, "others' favourites stay")
        let again = self.favourite(5, at: 700)
        self.check(try await self.favourites.put(again, of: self.owner, limit: 9) == true, "it is new again")
        let found = try await self.favourites.favourite(self.id(5), of: self.owner)
        self.check(found?.addedAt == again.addedAt, "added when it was put last")
    }

    mutating func checkMoving() async throws {
        let (device, account) = (Owner.device(id: "moved"), Owner.account(.tmdb, id: "moved"))
        func put(_ number: Int, at seconds: Int64, of owner: Owner) async throws {
            _ = try await self.favourites.put(self.favourite(number, at: seconds), of: owner, limit: 9)
        }
        func list(of owner: Owner) async throws -> [MovieID] {
            try await self.favourites.favourites(of: owner, page: 1, size: 20).results.map(\.movie.id)
        }
        for (number, seconds) in [(1, 50), (3, 300), (4, 400)] { try await put(number, at: Int64(seconds), of: device) }
        for (number, seconds) in [(1, 100), (2, 200)] { try await put(number, at: Int64(seconds), of: account) }
        let bystanders = try await self.favourites.favourites(of: self.owner, page: 1, size: 20)

        self.check(
            try await self.favourites.move(from: device, to: account, limit: 9) == 2, "those are counted that are more")
        self.check(try await list(of: account) == [4, 3, 2, 1].map(self.id), "all that one of the two had is there")
        self.check(try await list(of: device).isEmpty, "and moved, not copied")
        let both = try await self.favourites.favourite(self.id(1), of: account)
        self.check(both?.addedAt == Instant(secondsSince1970: 50), "what both had is as old as the older")
        self.check(
            try await self.favourites.favourite(self.id(4), of: account) == self.favourite(4, at: 400), "all of it")
        for _ in 1...2 {
            self.check(try await self.favourites.move(from: device, to: account, limit: 9) == 0, "once more is as once")
        }
        self.check(try await self.favourites.move(from: account, to: account, limit: 9) == 0, "to oneself neither")
        self.check(try await list(of: account) == [4, 3, 2, 1].map(self.id), "nothing is lost then")

        for (number, seconds) in [(5, 500), (6, 600), (1, 700)] {
            try await put(number, at: Int64(seconds), of: device)
        }
        self.check(
            try await self.favourites.move(from: device, to: account, limit: 5) == 1, "only so many are moved as fit")
        self.check(try await list(of: account) == [6, 4, 3, 2, 1].map(self.id), "the latest of them")
        self.check(try await list(of: device) == [self.id(5)], "the others stay, but for those that both have")
        self.check(try await self.favourites.move(from: device, to: account, limit: 3) == 0, "none where none fits")
        self.check(try await list(of: device) == [self.id(5)], "and stay")
        self.check(
            try await self.favourites.favourites(of: self.owner, page: 1, size: 20) == bystanders, "others keep theirs")
    }
}

extension MovieSummary {
    /// A film with all fields set.
    package static func whole(_ id: MovieID, title: String = "A film", poster: PosterReference? = nil) -> MovieSummary {
        MovieSummary(
            id: id, title: title, originalTitle: "어떤 \"영화\" \\ 🎬", originalLanguage: .korean, overview: "Two\nlines.",
            releaseDate: CalendarDate("1960-11-03"), year: 1961, genres: [Genre(id: .drama, name: "드라마")],
            directors: ["김기영"], cast: ["이은심", "김진규"], score: AudienceScore(average: 7.25, count: 12),
            poster: poster ?? PosterReference(.tmdb(file: "a.jpg"), size: PictureSize(width: 2, height: 3)))!
    }
}
