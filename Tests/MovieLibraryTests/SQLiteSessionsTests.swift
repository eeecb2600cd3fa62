import FoundationEssentials
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

struct SQLiteSessionsTests {
    private let clock = ManualTimeOfDay()
    private let key = SecretKey()
    private let end = Instant(secondsSince1970: 2000)

    private func session(_ account: String, secret: String = "the upstream's own secret") -> Session {
        Session(
            owner: .account(.tmdb, id: account),
            upstream: UpstreamSession(source: .tmdb, secret: secret, accountID: account), expiresAt: self.end)
    }

    private func device(_ id: String, until end: Int64 = 2000) -> Session {
        Session(owner: .device(id: id), upstream: nil, expiresAt: Instant(secondsSince1970: end))
    }

    private func sessions(
        _ database: LibraryDatabase, key: SecretKey? = nil, limits: SQLiteSessions.Limits = .init(),
        _ warnings: WarningCounter = WarningCounter()
    ) -> SQLiteSessions {
        SQLiteSessions(
            database, key: key ?? self.key, limits: limits, logger: warnings.logger, now: self.clock.now)
    }

    @Test func keepTheirPromisesInAFileAndInMemory() async throws {
        let library = LibraryFile()
        #expect(try await checkContract(of: self.sessions(try library.open())) == [])
        #expect(try await checkContract(of: self.sessions(try LibraryDatabase())) == [])
    }

    @Test func neitherTokensNorSecretsAreOnDisk() async throws {
        let library = LibraryFile()
        let database = try library.open()
        let sessions = self.sessions(database)
        let token = AccessToken()
        try await sessions.keep(self.session("548"), under: token)
        let log = try #require(try library.bytes().max { $0.count < $1.count })
        #expect(library.folder.files.contains("library.sqlite-wal"), "the log is looked at too")
        #expect(log.firstRange(of: Data("tmdb:548".utf8)) != nil, "what is not secret is found this way")
        func search() throws {
            let bytes = token.text.utf8.map { UInt8($0) }
            let pairs = stride(from: 0, to: 64, by: 2).map { UInt8(token.text.dropFirst($0).prefix(2), radix: 16)! }
            for file in try library.bytes() {
                for secret in [Data(bytes), Data(pairs), Data("the upstream's own secret".utf8)] {
                    #expect(file.firstRange(of: secret) == nil)
                }
            }
        }
        try search()
        try database.close()
        try search()
    }

    @Test func surviveAReopening() async throws {
        let library = LibraryFile()
        let token = AccessToken()
        let first = try library.open()
        try await self.sessions(first).keep(self.session("1"), under: token)
        try first.close()
        let found = try await self.sessions(try library.open()).session(under: token, at: self.clock.now())
        #expect(found == self.session("1"))
    }

    @Test func aFileOfAnEarlierVersionIsBroughtUpToDate() async throws {
        let library = LibraryFile()
        let token = AccessToken()
        let first = try library.open()
        try await self.sessions(first).keep(self.session("1"), under: token)
        try first.close()
        try library.change(
            """
            DROP INDEX sessionByDevice;
            ALTER TABLE session DROP COLUMN device;
            DELETE FROM grdb_migrations WHERE identifier IN ('devices of sessions', 'sessions by device');
            """)
        let sessions = self.sessions(try library.open())
        #expect(try await sessions.session(under: token, at: self.clock.now()) == self.session("1"))
        #expect(try await checkContract(of: sessions) == [])
    }

    /// Attempts of an attacker with write access to the file and the rows of two sessions.
    @Test(
        "rows that were changed or moved are no sessions",
        arguments: [
            "SET sealedSecret = (SELECT sealedSecret FROM session WHERE accountID = 'b')",
            "SET accountID = 'b'", "SET source = 'kobis'", "SET source = 'nobody'",
            "SET ownerID = 'b', owner = 'tmdb:b'",
            "SET ownerSource = NULL", "SET ownerSource = 'kobis'", "SET ownerSource = 'nobody'",
            "SET sealedSecret = NULL", "SET sealedSecret = x''", "SET sealedSecret = substr(sealedSecret, 1, 20)",
            "SET sealedSecret = zeroblob(60)", "SET accountID = NULL", "SET source = NULL",
        ])
    func changed(_ change: String) async throws {
        let (library, warnings) = (LibraryFile(), WarningCounter())
        let sessions = self.sessions(try library.open(), warnings)
        let tokens = ["a": AccessToken(), "b": AccessToken()]
        for (account, token) in tokens { try await sessions.keep(self.session(account), under: token) }
        try library.change("UPDATE session \(change) WHERE accountID = 'a'")
        for _ in 1...2 {
            let found = try await sessions.session(under: tokens["a"]!, at: self.clock.now())
            #expect(found == nil)
        }
        #expect(warnings.count == 1)
        #expect(try await sessions.session(under: tokens["b"]!, at: self.clock.now()) == self.session("b"))
    }

    @Test func aSessionIsNotFoundUnderTheTokenOfAnother() async throws {
        let library = LibraryFile()
        let sessions = self.sessions(try library.open())
        let tokens = ["a": AccessToken(), "b": AccessToken()]
        for (account, token) in tokens { try await sessions.keep(self.session(account), under: token) }
        try library.change(
            """
            CREATE TABLE swap AS SELECT tokenHash, accountID FROM session;
            UPDATE session SET tokenHash = x'00' WHERE accountID = 'a';
            UPDATE session SET tokenHash = (SELECT tokenHash FROM swap WHERE accountID = 'a') WHERE accountID = 'b';
            UPDATE session SET tokenHash = (SELECT tokenHash FROM swap WHERE accountID = 'b') WHERE accountID = 'a';
            """)
        for token in tokens.values {
            #expect(try await sessions.session(under: token, at: self.clock.now()) == nil)
            #expect(try await sessions.end(token, at: self.clock.now()) == nil)
        }
        #expect(try library.count("session") == 0, "they are ended all the same")
    }

    @Test func withAnotherKeyAccountsSignInAgainAndDevicesGoOn() async throws {
        let (database, warnings) = (try LibraryDatabase(), WarningCounter())
        let tokens = (account: AccessToken(), device: AccessToken())
        try await self.sessions(database).keep(self.session("1"), under: tokens.account)
        try await self.sessions(database).keep(self.device("d"), under: tokens.device)
        let others = self.sessions(database, key: SecretKey(), warnings)
        for _ in 1...3 {
            #expect(try await others.session(under: tokens.account, at: self.clock.now()) == nil)
            #expect(try await others.session(under: tokens.device, at: self.clock.now()) == self.device("d"))
        }
        #expect(warnings.count == 1)
        let found = try await self.sessions(database).session(under: tokens.account, at: self.clock.now())
        #expect(found == self.session("1"), "nothing was lost")
    }

    @Test func theOldestOfAnAccountGo() async throws {
        var limits = SQLiteSessions.Limits()
        limits.perOwner = 2
        let sessions = self.sessions(try LibraryDatabase(), limits: limits)
        let tokens = (0..<4).map { _ in AccessToken() }
        try await sessions.keep(self.session("other"), under: tokens[0])
        for token in tokens.dropFirst() { try await sessions.keep(self.session("1"), under: token) }
        let found = try await self.found(tokens, in: sessions)
        #expect(found == [true, false, true, true])
    }

    @Test func whenThereAreTooManyDevicesGoFirst() async throws {
        var limits = SQLiteSessions.Limits()
        limits.total = 3
        let sessions = self.sessions(try LibraryDatabase(), limits: limits)
        let tokens = (0..<5).map { _ in AccessToken() }
        try await sessions.keep(self.session("1"), under: tokens[0])
        try await sessions.keep(self.device("2"), under: tokens[1])
        try await sessions.keep(self.session("3"), under: tokens[2])
        try await sessions.keep(self.session("4"), under: tokens[3])
        #expect(try await self.found(tokens, in: sessions) == [true, false, true, true, false])
        try await sessions.keep(self.device("5"), under: tokens[4])
        #expect(try await self.found(tokens, in: sessions) == [false, false, true, true, true], "the new one stays")
    }

    @Test("devices without films go before older ones that have some", arguments: StoredList.allCases)
    func devicesWithFilms(_ list: StoredList) async throws {
        var limits = SQLiteSessions.Limits()
        limits.total = 2
        let database = try LibraryDatabase()
        let sessions = self.sessions(database, limits: limits)
        let tokens = (0..<4).map { _ in AccessToken() }
        try await sessions.keep(self.device("0"), under: tokens[0])
        let film = try #require(MovieID("heat-1995").flatMap { MovieSummary(id: $0, title: "Heat") })
        _ = try await SQLiteFavourites(database, list: list)
            .put(Favourite(movie: film, addedAt: self.clock.now()), of: .device(id: "0"), limit: 1)
        for number in 1...3 { try await sessions.keep(self.device("\(number)"), under: tokens[number]) }
        #expect(try await self.found(tokens, in: sessions) == [true, false, false, true])
    }

    @Test func devicesWhoseFavouritesAGuestUsesGoLast() async throws {
        var limits = SQLiteSessions.Limits()
        limits.total = 3
        let sessions = self.sessions(try LibraryDatabase(), limits: limits)
        let tokens = (0..<5).map { _ in AccessToken() }
        func guest(_ device: String, until end: Int64 = 2000) -> Session {
            Session(
                owner: .account(.embedded, id: device),
                upstream: UpstreamSession(source: .embedded, secret: "s", accountID: device), device: device,
                expiresAt: Instant(secondsSince1970: end))
        }
        try await sessions.keep(self.device("0"), under: tokens[0])
        try await sessions.keep(guest("0"), under: tokens[1])
        try await sessions.keep(self.device("2"), under: tokens[2])
        try await sessions.keep(self.device("3"), under: tokens[3])
        #expect(try await self.found(tokens, in: sessions) == [true, true, false, true, false])
        try await sessions.keep(self.session("4"), under: tokens[2])
        #expect(try await self.found(tokens, in: sessions) == [true, true, true, false, false])
        try await sessions.keep(self.session("5"), under: tokens[4])
        #expect(try await self.found(tokens, in: sessions) == [true, false, true, false, true], "after its guest")
        try await sessions.keep(guest("0", until: self.clock.now().secondsSince1970), under: tokens[1])
        #expect(
            try await self.found(tokens, in: sessions) == [false, false, true, false, true],
            "one that is over uses none")
    }

    private func found(_ tokens: [AccessToken], in sessions: SQLiteSessions) async throws -> [Bool] {
        var found: [Bool] = []
        for token in tokens { found.append(try await sessions.session(under: token, at: self.clock.now()) != nil) }
        return found
    }

    @Test func expiredRowsGoWhenOthersCome() async throws {
        let library = LibraryFile()
        let sessions = self.sessions(try library.open())
        for number in 0..<20 {
            try await sessions.keep(self.device("\(number)", until: number < 15 ? 600 : 700), under: AccessToken())
        }
        #expect(try library.count("session") == 20)
        self.clock.advance(seconds: 100)
        try await sessions.keep(self.device("late"), under: AccessToken())
        #expect(try library.count("session") == 6)
        self.clock.advance(seconds: 100)
        try await sessions.keep(self.device("later"), under: AccessToken())
        #expect(try library.count("session") == 2)
    }
}
