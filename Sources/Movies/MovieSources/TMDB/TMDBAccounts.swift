package import MovieDomain
import UpstreamClient

/// Accounts of TMDB; users approve on its website.
///
/// Responses are neither stored nor shared; logs and errors contain no session.
package struct TMDBAccounts: AccountRepository {
    let tmdb: TMDB

    package var source: MovieSource { .tmdb }
    package var approvalOrigin: String? { TMDB.websiteURL }

    package func account(of session: UpstreamSession) async throws -> Account {
        try await self.account(secret: session.secret)
    }

    func account(secret: String) async throws -> Account {
        let answer = try await self.send(UpstreamRequest("/account", secrets: Self.secrets(secret)), of: nil)
        guard answer.status == 200 else { throw self.tmdb.client.failure(byStatusOf: answer) }
        let object = try self.object(answer)
        guard let id = object.integer("id"), let username = object.text("username") else {
            throw SourceFailure.badAnswer(.tmdb, reason: "the account has no id or no name")
        }
        return Account(source: .tmdb, id: String(id), username: username, name: object.text("name") ?? "")
    }

    package func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool {
        guard id.source == .tmdb else { return false }
        let answer = try await self.send(
            UpstreamRequest(
                "/movie/\(id.key)/rating", method: .post, secrets: Self.secrets(session.secret),
                json: Array(#"{"value":\#(rating.value)}"#.utf8)), of: session)
        return try self.isDone(answer) { self.tmdb.ratedFilms.note(rating, of: id, by: session.accountID) }
    }

    package func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool {
        guard id.source == .tmdb else { return false }
        let answer = try await self.send(
            UpstreamRequest("/movie/\(id.key)/rating", method: .delete, secrets: Self.secrets(session.secret)),
            of: session)
        return try self.isDone(answer) { self.tmdb.ratedFilms.note(nil, of: id, by: session.accountID) }
    }

    /// A film's rating, with a single request.
    package func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating? {
        guard let states = try await self.states(of: id, with: session) else { throw UnknownMovie(id) }
        return states.object("rated")?.number("value").flatMap(Self.rating)
    }

    /// The account's rating and lists of a film.
    /// - Returns: `nil` if there is no such film.
    private func states(of id: MovieID, with session: UpstreamSession) async throws -> TolerantObject? {
        guard id.source == .tmdb else { return nil }
        let answer = try await self.send(
            UpstreamRequest("/movie/\(id.key)/account_states", secrets: Self.secrets(session.secret)), of: session)
        guard answer.status != 404 else { return nil }
        guard answer.status == 200 else { throw self.tmdb.client.failure(byStatusOf: answer) }
        return try self.object(answer)
    }

    /// A page of the rated films, the latest ratings first, in the first preferred language.
    package func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie> {
        guard page <= TMDB.pageLimit else { return Page(number: page, results: [], totalPages: 0, totalResults: 0) }
        async let genres = self.tmdb.genreNames(language: language)
        let rows = try await self.listPage(.rated, page, language: language.first, with: session)
        let names = try await genres
        return Page(
            number: max(1, page),
            results: rows.rows.compactMap { row in
                guard let movie = row.summary(names), let rating = row.rating.flatMap(Self.rating) else { return nil }
                return RatedMovie(movie: movie, rating: rating)
            }, hasRows: rows.hasRows, statedPages: rows.totalPages, statedResults: rows.totalResults
        ).limited(to: TMDB.pageSize)
    }

    /// Lists of an account; the raw value is part of the path.
    enum List: String {
        case rated, watchlist
    }

    /// A page of the account's list as received, the latest films first.
    func listPage(
        _ list: List, _ page: Int, language: Language, with session: UpstreamSession
    ) async throws -> TMDBPage {
        guard Self.isAccount(session.accountID) else { throw SessionExpired() }
        let request = UpstreamRequest(
            "/account/\(session.accountID)/\(list.rawValue)/movies",
            query: [
                ("page", String(max(1, page))), ("language", TMDB.tag(language)), ("sort_by", "created_at.desc"),
            ], secrets: Self.secrets(session.secret))
        let answer = try await self.send(request, of: session)
        guard answer.status == 200 else { throw self.tmdb.client.failure(byStatusOf: answer) }
        return try await self.tmdb.client.decoded(answer) { try TMDBPage(decoding: $0) }
    }

    /// Ends a session; a session that has already ended is not an error.
    package func end(_ session: UpstreamSession) async throws {
        self.dropLists(of: session)
        let body = Array(#"{"session_id":"\#(session.secret)"}"#.utf8)
        guard Self.isToken(session.secret) else { return }
        let answer = try await self.tmdb.client.send(
            UpstreamRequest("/authentication/session", method: .delete, json: body))
        guard [200, 401, 404].contains(answer.status) else { throw self.tmdb.client.failure(byStatusOf: answer) }
    }

    package func dropCached(accountID: String) {
        self.tmdb.ratedFilms.forget(accountID)
        self.tmdb.watchlistFilms.forget(accountID)
    }
}

/// The account's watchlist, which users also see at TMDB.
extension TMDBAccounts {
    package var hasWatchlists: Bool { true }

    package func setOnWatchlist(
        _ id: MovieID, _ isOn: Bool, with session: UpstreamSession
    ) async throws -> WatchlistChange {
        guard id.source == .tmdb, let number = Int(id.key) else { return .unknownMovie }
        guard Self.isAccount(session.accountID) else { throw SessionExpired() }
        let body = #"{"media_type":"movie","media_id":\#(number),"watchlist":\#(isOn)}"#
        let answer = try await self.send(
            UpstreamRequest(
                "/account/\(session.accountID)/watchlist", method: .post, secrets: Self.secrets(session.secret),
                json: Array(body.utf8)), of: session)
        // TMDB rejects requests without effect.
        let isDone =
            TMDBStatus.isUnchanged(answer)
            ? true
            : try self.isDone(answer) {}
        guard isDone else { return .unknownMovie }
        self.tmdb.watchlistFilms.note(isOn ? () : nil, of: id, by: session.accountID)
        return .done(isNew: isOn && TMDBStatus.isNew(answer))
    }

    package func watchlist(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<MovieSummary> {
        guard page <= TMDB.pageLimit else { return Page(number: page, results: [], totalPages: 0, totalResults: 0) }
        async let genres = self.tmdb.genreNames(language: language)
        let rows = try await self.listPage(.watchlist, page, language: language.first, with: session)
        return rows.page(max(1, page), try await genres).limited(to: TMDB.pageSize)
    }

    package func isOnWatchlist(_ id: MovieID, with session: UpstreamSession) async throws -> Bool {
        try await self.states(of: id, with: session)?.flag("watchlist") ?? false
    }
}

extension TMDBAccounts {
    /// Whether the text may be a request token or session id; TMDB's are 40 hexadecimal digits so far.
    static func isToken(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy(TMDBPicture.isNameByte)
    }

    /// Whether the id is a number: ids of accounts become part of a path.
    static func isAccount(_ id: String) -> Bool { !id.isEmpty && id.utf8.allSatisfy { (48...57).contains($0) } }

    private func dropLists(of session: UpstreamSession) {
        self.tmdb.ratedFilms.drop(session.accountID)
        self.tmdb.watchlistFilms.drop(session.accountID)
    }

    static func secrets(_ session: String) -> [(name: String, value: String)] { [("session_id", session)] }

    /// The nearest multiple of a half: other clients may have given other values.
    static func rating(_ value: Double) -> Rating? { Rating((value * 2).rounded() / 2) }

    /// - Parameter session: `nil` before its account is known.
    /// - Throws: ``SessionExpired``.
    func send(_ request: UpstreamRequest, of session: UpstreamSession?) async throws -> UpstreamResponse {
        let answer = try await self.tmdb.client.send(request)
        if TMDBStatus.isSessionOver(answer) {
            if let session { self.dropLists(of: session) }
            throw SessionExpired()
        }
        return answer
    }

    /// - Parameter note: Called after a confirmed change.
    /// - Returns: false if there is no such film.
    func isDone(_ answer: UpstreamResponse, _ note: () -> Void) throws -> Bool {
        switch answer.status {
        case 200, 201:
            // Only TMDB's own status counts, not a proxy's page.
            guard TMDBStatus.isDone(answer) else {
                throw SourceFailure.badAnswer(.tmdb, reason: "the response does not confirm the change")
            }
            note()
            return true
        case 404: return false
        default: throw self.tmdb.client.failure(byStatusOf: answer)
        }
    }

    /// The size limit of a response other than a list, in bytes.
    private static let maxByteCount = 64 * 1024

    /// Decodes a response other than a list.
    func object(_ answer: UpstreamResponse) throws -> TolerantObject {
        guard answer.body.count <= Self.maxByteCount else {
            throw SourceFailure.badAnswer(.tmdb, reason: "more than \(Self.maxByteCount) bytes")
        }
        do throws(UnreadableResponse) {
            return try TolerantJSON.object(answer.body)
        } catch {
            throw SourceFailure.badAnswer(.tmdb, reason: error.description)
        }
    }
}
