import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import Testing

struct SQLiteFavouritesTests {
    private let owner = Owner.device(id: "d")

    private func favourite(_ number: Int) -> Favourite {
        Favourite(movie: .whole(MovieID("film-\(number)")!), addedAt: Instant(secondsSince1970: Int64(number)))
    }

    @Test("keep their promises in a file and in memory", arguments: StoredList.allCases)
    func promises(_ list: StoredList) async throws {
        let library = LibraryFile()
        #expect(try await checkContract(of: SQLiteFavourites(try library.open(), list: list)) == [])
        #expect(try await checkContract(of: SQLiteFavourites(try LibraryDatabase(), list: list)) == [])
    }

    @Test(
        "every location of a poster is stored",
        arguments: [
            PictureLocation.packaged(file: "a b.jpg", version: "1"), .web(url: "http://a.test/?b=\"c\""),
            .tmdb(file: "d.jpg"),
        ])
    func posters(_ location: PictureLocation) async throws {
        let favourites = SQLiteFavourites(try LibraryDatabase())
        for poster in [PosterReference(location), .init(location, size: PictureSize(width: 1, height: 2))] {
            let movie = MovieSummary.whole(MovieID("a")!, poster: poster)
            _ = try await favourites.put(
                Favourite(movie: movie, addedAt: Instant(secondsSince1970: 1)), of: self.owner, limit: 9)
            #expect(try await favourites.favourite(movie.id, of: self.owner)?.movie == movie)
        }
        let bare = try #require(MovieSummary(id: MovieID("b")!, title: "B"))
        _ = try await favourites.put(
            Favourite(movie: bare, addedAt: Instant(secondsSince1970: -1)), of: self.owner, limit: 9)
        #expect(try await favourites.favourite(bare.id, of: self.owner)?.movie == bare)
    }

    @Test func putsOfTheSameFilmAtOnceAreOneRow() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        let answers = try await withThrowingTaskGroup(of: Bool?.self) { group in
            for _ in 0..<40 {
                group.addTask { try await favourites.put(self.favourite(1), of: self.owner, limit: 5) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == true }.count == 1)
        #expect(answers.filter { $0 == nil }.isEmpty)
        #expect(try library.count("favourite") == 1)
    }

    @Test func putsOfManyFilmsAtOnceStayWithinTheLimit() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        let answers = try await withThrowingTaskGroup(of: Bool?.self) { group in
            for number in 0..<40 {
                group.addTask { try await favourites.put(self.favourite(number), of: self.owner, limit: 7) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == true }.count == 7)
        #expect(answers.filter { $0 == nil }.count == 33)
        #expect(try library.count("favourite") == 7)
    }

    @Test func aRowThatCannotBeReadIsLeftOutUntilItIsPutAgain() async throws {
        let (library, warnings) = (LibraryFile(), WarningCounter())
        let favourites = SQLiteFavourites(try LibraryDatabase(path: library.path, logger: warnings.logger))
        for number in 1...5 { _ = try await favourites.put(self.favourite(number), of: self.owner, limit: 9) }
        for (number, snapshot) in [(1, "{"), (2, "{}"), (3, #"{"title": ""}"#), (4, #"{"title": 4}"#)] {
            try library.change(
                "UPDATE favourite SET snapshot = ? WHERE movie = ?", [snapshot, "film-\(number)"])
        }
        let page = try await favourites.favourites(of: self.owner, page: 1, size: 20)
        #expect(page.results.map(\.movie.id.key) == ["film-5"])
        #expect(page.totalResults == 5)
        #expect(warnings.count == 1, "however often it is read")
        #expect(try await favourites.favourite(self.favourite(1).movie.id, of: self.owner) == nil)
        #expect(try await favourites.put(self.favourite(1), of: self.owner, limit: 9) == false)
        #expect(try await favourites.favourite(self.favourite(1).movie.id, of: self.owner) == self.favourite(1))

        try library.change("UPDATE favourite SET movie = 'NO/FILM' WHERE movie = 'film-5'")
        #expect(try await favourites.favourites(of: self.owner, page: 1, size: 20).results == [self.favourite(1)])
    }

    @Test func rowsOfLaterAndEarlierProgramsAreRead() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        _ = try await favourites.put(self.favourite(1), of: self.owner, limit: 9)
        let sql = "UPDATE favourite SET snapshotFormat = ?, snapshot = ?"
        try library.change(sql, [9, #"{"title": "Heat", "year": 1995, "novelty": {"a": [1]}, "cast": null}"#])
        let later = try await favourites.favourite(MovieID("film-1")!, of: self.owner)?.movie
        #expect(later == MovieSummary(id: MovieID("film-1")!, title: "Heat", year: 1995))
        try library.change(sql, [0, #"{"title": "Heat"}"#])
        let earlier = try await favourites.favourite(MovieID("film-1")!, of: self.owner)?.movie
        #expect(earlier == MovieSummary(id: MovieID("film-1")!, title: "Heat"))
    }

    @Test func ofAFilmOfTMDBOnlyTheNameIsKeptForLonger() async throws {
        let (library, clock) = (LibraryFile(), ManualTimeOfDay())
        let favourites = SQLiteFavourites(try library.open(), now: clock.now)
        let (foreign, own) = (try #require(MovieID("tmdb:603")), try #require(MovieID("film-1")))
        func put(_ id: MovieID) async throws {
            let favourite = Favourite(movie: .whole(id), addedAt: clock.now(), language: .korean)
            _ = try await favourites.put(favourite, of: self.owner, limit: 9)
        }
        for id in [foreign, own] { try await put(id) }
        clock.advance(seconds: 180 * 86_400 - 1)
        #expect(try await favourites.favourite(foreign, of: self.owner)?.movie == .whole(foreign))
        clock.advance(seconds: 1)
        let whole = MovieSummary.whole(foreign)
        let name = MovieSummary(id: foreign, title: whole.title, year: whole.year)
        let expired = try await favourites.favourite(foreign, of: self.owner)
        #expect(expired?.movie == name && expired?.language == nil, "what is missing is requested again")
        let old = try library.text("SELECT snapshot FROM favourite WHERE movie = 'tmdb:603'")
        #expect(old?.contains("overview") == true, "nobody has looked yet")
        clock.advance(seconds: 3600)
        let page = try await favourites.favourites(of: self.owner, page: 1, size: 20)
        #expect(Set(page.results.map(\.movie)) == [name, .whole(own)])
        let kept = try library.text("SELECT snapshot FROM favourite WHERE movie = 'tmdb:603'")
        #expect(kept?.contains("overview") == false && kept?.contains(whole.title) == true)
        try await put(foreign)
        #expect(try await favourites.favourite(foreign, of: self.owner)?.movie == whole, "put again, it is as new")
    }

    @Test func unreachableFavouritesAreDeletedBeforeAnyIsRefused() async throws {
        let database = try LibraryDatabase()
        let favourites = SQLiteFavourites(database, totalLimit: 3)
        let sessions = SQLiteSessions(database, key: SecretKey(), now: ManualTimeOfDay().now)
        let known = Owner.device(id: "known")
        try await sessions.keep(
            Session(owner: known, upstream: nil, expiresAt: Instant(secondsSince1970: 9999)), under: AccessToken())
        let elsewhere = Owner.account(.tmdb, id: "1")
        for owner in [known, .device(id: "lost"), elsewhere] {
            #expect(try await favourites.put(self.favourite(1), of: owner, limit: 9) == true)
        }
        #expect(try await favourites.put(self.favourite(2), of: known, limit: 9) == true)
        #expect(try await favourites.favouriteIDs(among: [self.favourite(1).movie.id], of: .device(id: "lost")).isEmpty)
        #expect(try await favourites.favouriteIDs(among: [self.favourite(1).movie.id], of: elsewhere).count == 1)
        let failure = await #expect(throws: StorageFailure.self) {
            try await favourites.put(self.favourite(3), of: known, limit: 9)
        }
        #expect(failure?.reason == "the limit of 3 favourites is reached")
        #expect(try await favourites.put(self.favourite(2), of: known, limit: 9) == false, "nothing is added")
        try await favourites.remove(self.favourite(2).movie.id, of: known)
        #expect(try await favourites.put(self.favourite(3), of: known, limit: 9) == true)
    }

    @Test func thoseOfADeviceThatAGuestUsesAreReachable() async throws {
        let database = try LibraryDatabase()
        let favourites = SQLiteFavourites(database, totalLimit: 2)
        let sessions = SQLiteSessions(database, key: SecretKey(), now: ManualTimeOfDay().now)
        try await sessions.keep(
            Session(
                owner: .account(.embedded, id: "g"),
                upstream: UpstreamSession(source: .embedded, secret: "s", accountID: "g"), device: "d",
                expiresAt: Instant(secondsSince1970: 9999)), under: AccessToken())
        for owner in [self.owner, .device(id: "lost")] {
            _ = try await favourites.put(self.favourite(1), of: owner, limit: 9)
        }
        #expect(try await favourites.put(self.favourite(2), of: self.owner, limit: 9) == true)
        #expect(try await favourites.favourites(of: self.owner, page: 1, size: 9).totalResults == 2)
    }

    @Test func thoseThatNoSessionReachesEndWithTheLastGuest() async throws {
        let database = try LibraryDatabase()
        let favourites = SQLiteFavourites(database)
        let clock = ManualTimeOfDay()
        let sessions = SQLiteSessions(database, key: SecretKey(), now: clock.now)
        let tokens = (0...2).map { _ in AccessToken() }
        let end = Instant(secondsSince1970: 9999)
        func guest(_ id: String, of device: String) -> Session {
            Session(
                owner: .account(.embedded, id: id),
                upstream: UpstreamSession(source: .embedded, secret: "s", accountID: id), device: device, expiresAt: end
            )
        }
        try await sessions.keep(guest("a", of: "a"), under: tokens[0])
        try await sessions.keep(guest("b", of: "a"), under: tokens[1])
        try await sessions.keep(Session(owner: self.owner, upstream: nil, expiresAt: end), under: AccessToken())
        try await sessions.keep(guest("c", of: "d"), under: tokens[2])
        let shared = Owner.device(id: "a")
        for owner in [shared, self.owner] { _ = try await favourites.put(self.favourite(1), of: owner, limit: 9) }
        for (token, remaining) in [(tokens[0], 1), (tokens[1], 0), (tokens[1], 0)] {
            _ = try await sessions.end(token, at: clock.now())
            #expect(try await favourites.favourites(of: shared, page: 1, size: 9).totalResults == remaining)
        }
        _ = try await sessions.end(tokens[2], at: clock.now())
        #expect(try await favourites.favourites(of: self.owner, page: 1, size: 9).totalResults == 1, "its device's")
    }

    @Test func whenNothingCanGoItIsNotLookedForEveryTime() async throws {
        let favourites = SQLiteFavourites(try LibraryDatabase(), totalLimit: 2)
        let lasting = Owner.account(.tmdb, id: "1")
        for number in 1...2 { _ = try await favourites.put(self.favourite(number), of: lasting, limit: 9) }
        func isPut() async throws -> Bool {
            do {
                return try await favourites.put(self.favourite(3), of: lasting, limit: 9) == true
            } catch is StorageFailure {
                return false
            }
        }
        #expect(try await !isPut())
        try await favourites.remove(self.favourite(2).movie.id, of: lasting)
        _ = try await favourites.put(self.favourite(2), of: self.owner, limit: 9)
        for _ in 0..<1000 { #expect(try await !isPut()) }
        #expect(try await isPut(), "then what nobody can reach goes")
    }

    @Test("of a film that both owners have, the newer snapshot is kept", arguments: [true, false])
    func snapshotsOfBoth(isMovedNewer: Bool) async throws {
        let (library, clock) = (LibraryFile(), ManualTimeOfDay())
        let favourites = SQLiteFavourites(try library.open(), now: clock.now)
        let (id, account) = (try #require(MovieID("tmdb:603")), Owner.account(.tmdb, id: "1"))
        for owner in isMovedNewer ? [account, self.owner] : [self.owner, account] {
            let movie = try #require(MovieSummary(id: id, title: owner == account ? "account" : "device"))
            _ = try await favourites.put(Favourite(movie: movie, addedAt: clock.now()), of: owner, limit: 9)
            clock.advance(seconds: 1)
        }
        #expect(try await favourites.move(from: self.owner, to: account, limit: 9) == 0)
        let kept = try #require(try await favourites.favourite(id, of: account))
        #expect(kept.movie.title == (isMovedNewer ? "device" : "account"))
        #expect(kept.addedAt == Instant(secondsSince1970: clock.now().secondsSince1970 - 2), "the day is the earlier")
        #expect(try library.count("favourite") == 1)
        #expect(try library.text("SELECT snapshotAt FROM favourite") == "\(clock.now().secondsSince1970 - 1)")
    }

    @Test func anExpiredSnapshotIsOlderThanAny() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        let account = Owner.account(.tmdb, id: "1")
        for owner in [self.owner, account] { _ = try await favourites.put(self.favourite(1), of: owner, limit: 9) }
        try library.change(
            "UPDATE favourite SET snapshotAt = NULL, snapshot = '{\"title\": \"Old\"}' WHERE owner = 'tmdb:1'")
        #expect(try await favourites.move(from: self.owner, to: account, limit: 9) == 0)
        #expect(try await favourites.favourite(self.favourite(1).movie.id, of: account) == self.favourite(1))
    }

    @Test("linked ids are the same film, whichever owner has which", arguments: [0, 1, 2], [0, 1, 2])
    func linked(moved: Int, kept: Int) async throws {
        let database = try LibraryDatabase()
        let (links, favourites) = (SQLiteFilmLinks(database), SQLiteFavourites(database))
        let ids = try ["tmdb:301", "kobis:20228555", "kmdb:K12345"].map { try #require(MovieID($0)) }
        for film in ids.dropFirst() {
            try await links.keep(
                FilmLink(
                    film: film, counterpart: ids[0], reason: "same title", linkedAt: Instant(secondsSince1970: 1)))
        }
        let account = Owner.account(.tmdb, id: "1")
        for (owner, id, seconds) in [(self.owner, ids[moved], Int64(5)), (account, ids[kept], 9)] {
            let favourite = Favourite(movie: .whole(id), addedAt: Instant(secondsSince1970: seconds))
            _ = try await favourites.put(favourite, of: owner, limit: 9)
        }
        #expect(try await favourites.move(from: self.owner, to: account, limit: 9) == 0)
        #expect(try await favourites.favourites(of: self.owner, page: 1, size: 9).totalResults == 0)
        let one = try await favourites.favourites(of: account, page: 1, size: 9).results
        #expect(one.map(\.movie.id) == [ids[kept]] && one.first?.addedAt == Instant(secondsSince1970: 5))
    }

    @Test(
        "of several ids of a film the earliest day is kept, and the texts of the same id",
        arguments: [[3, 5, 7], [3, 7, 5], [5, 3, 7], [7, 3, 5], [5, 7, 3], [7, 5, 3]], [9, 1] as [Int64])
    func severalIDs(days: [Int64], keptDay: Int64) async throws {
        let (database, clock) = (try LibraryDatabase(), ManualTimeOfDay())
        let (links, favourites) = (SQLiteFilmLinks(database), SQLiteFavourites(database, now: clock.now))
        let ids = try ["tmdb:301", "kobis:20228555", "kmdb:K12345"].map { try #require(MovieID($0)) }
        for film in ids.dropFirst() {
            try await links.keep(
                FilmLink(
                    film: film, counterpart: ids[0], reason: "same title", linkedAt: Instant(secondsSince1970: 1)))
        }
        let account = Owner.account(.tmdb, id: "1")
        func put(_ id: MovieID, _ title: String, day: Int64, of owner: Owner) async throws {
            let favourite = Favourite(
                movie: .whole(id, title: title), addedAt: Instant(secondsSince1970: day))
            #expect(try await favourites.put(favourite, of: owner, limit: 9) == true)
            clock.advance(seconds: 1)
        }
        try await put(ids[0], "kept", day: keptDay, of: account)
        for (id, day) in zip(ids, days) { try await put(id, "moved \(id.source)", day: day, of: self.owner) }
        #expect(try await favourites.move(from: self.owner, to: account, limit: 9) == 0)
        #expect(try await favourites.favourites(of: self.owner, page: 1, size: 9).totalResults == 0)
        let one = try await favourites.favourites(of: account, page: 1, size: 9).results
        #expect(one.map(\.movie.id) == [ids[0]] && one.first?.movie.title == "moved \(MovieSource.tmdb)")
        #expect(one.first?.addedAt == Instant(secondsSince1970: min(3, keptDay)))
    }

    @Test func movingKeepsTheNumberOfAll() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        let account = Owner.account(.tmdb, id: "1")
        for number in 1...5 { _ = try await favourites.put(self.favourite(number), of: self.owner, limit: 9) }
        for number in 4...6 { _ = try await favourites.put(self.favourite(number), of: account, limit: 9) }
        #expect(try await favourites.move(from: self.owner, to: account, limit: 5) == 2)
        #expect(try library.count("favourite") == 6, "2 of 8 were the same film")
        #expect(try library.text("SELECT total FROM favouriteCount") == "6")
    }

    @Test func movesAtOnceMoveEachFilmOnce() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        let account = Owner.account(.tmdb, id: "1")
        for number in 1...9 { _ = try await favourites.put(self.favourite(number), of: self.owner, limit: 9) }
        let moved = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await favourites.move(from: self.owner, to: account, limit: 9) }
            }
            return try await group.reduce(0, +)
        }
        #expect(moved == 9)
        #expect(try await favourites.favourites(of: account, page: 1, size: 20).totalResults == 9)
    }

    @Test func aThousandFilmsAreMarkedAtOnce() async throws {
        let favourites = SQLiteFavourites(try LibraryDatabase())
        for number in [3, 700] { _ = try await favourites.put(self.favourite(number), of: self.owner, limit: 9) }
        let ids = (0..<1000).map { self.favourite($0).movie.id } + [MovieID("tmdb:3")!]
        #expect(try await favourites.favouriteIDs(among: ids + ids, of: self.owner) == [ids[3], ids[700]])
    }

    @Test func aDatabaseThatDoesNotWorkIsAFailureOfStorage() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        try library.change("DROP TABLE favourite")
        await #expect(throws: StorageFailure.self) {
            try await favourites.favourites(of: self.owner, page: 1, size: 2)
        }
        await #expect(throws: StorageFailure.self) {
            try await favourites.put(self.favourite(1), of: self.owner, limit: 2)
        }
    }

    @Test func aCancelledCallWritesNothing() async throws {
        let library = LibraryFile()
        let favourites = SQLiteFavourites(try library.open())
        let put = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await favourites.put(self.favourite(1), of: self.owner, limit: 2)
        }
        await #expect(throws: CancellationError.self) { try await put.value }
        #expect(try library.count("favourite") == 0)
    }
}
