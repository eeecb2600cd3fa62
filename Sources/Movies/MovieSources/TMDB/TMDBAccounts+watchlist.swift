package import MovieDomain
import UpstreamClient

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
