package import MovieDomain
import SearchText
package import UpstreamClient

/// The App Store of a country.
package struct ITunesAppStore: AppStoreRepository {
    /// Search terms of the day, in rotation.
    private static let todayTerms = ["movies", "photo editor", "music", "reading", "travel", "games", "weather"]
    /// Featured apps of the day, in rotation.
    package static let featuredApps = [361_309_726, 361_285_480, 361_304_891, 408_709_785, 377_298_193].compactMap {
        StoreAppID(source: .itunes, key: String($0))
    }
    private static let todayCount = 5
    private static let limits = 1...200
    /// The maximal length of a term in characters.
    private static let maxTermLength = 200
    private static let lifetime: Duration = .seconds(6 * 3600)

    private let client: UpstreamClient
    private let country: ITunesCountry
    private let featured: [StoreAppID]

    package var source: MovieSource { .itunes }

    package init(
        _ client: UpstreamClient, country: ITunesCountry = .korea, featured: [StoreAppID] = ITunesAppStore.featuredApps
    ) {
        self.client = client
        self.country = country
        self.featured = featured
    }

    /// Returns the best matches after the first `offset`. The store sends no total: a full page may have successors.
    ///
    /// Without results, the normalised term is searched once, within the time for supplements.
    package func search(
        _ term: String, offset: Int, limit: Int, language: LanguagePreference
    ) async throws -> StoreResults {
        let found = try await self.found(term, offset: offset, limit: limit, language: language)
        guard found.apps.isEmpty, !found.hasMore, let meant = NormalisedQuery.text(of: term) else { return found }
        do {
            return try await Supplement.ask {
                if offset > 0 {
                    // If the term itself has results, reaching their end does not start another search.
                    let first = try await self.found(term, offset: 0, limit: limit, language: language)
                    guard first.apps.isEmpty else { return found }
                }
                return try await self.found(meant, offset: offset, limit: limit, language: language)
            }
        } catch is SourceFailure {
            return found
        }
    }

    private func found(
        _ term: String, offset: Int, limit: Int, language: LanguagePreference
    ) async throws -> StoreResults {
        let limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
        var query = [
            (name: "term", value: String(term.prefix(Self.maxTermLength))), ("media", "software"),
            ("country", self.country.description), ("limit", "\(limit)"),
        ]
        if offset > 0 { query.append(("offset", "\(offset)")) }
        let request = Self.request("/search", query, language)
        return try await self.client.get(request) { answer in
            let results = try ITunesResults(answer.body)
            // A count without rows would make clients request one page after another.
            return StoreResults(
                apps: Array(results.apps.prefix(limit)), hasMore: !results.rows.isEmpty && results.count >= limit)
        } ?? StoreResults(apps: [], hasMore: false)
    }

    /// - Returns: `nil` if the country's store has no such app.
    package func app(_ id: StoreAppID, language: LanguagePreference) async throws -> StoreApp? {
        guard id.source == .itunes else { return nil }
        let query = [(name: "id", value: id.key), ("country", self.country.description)]
        let request = Self.request("/lookup", query, language)
        let apps = try await self.client.get(request) { try ITunesResults($0.body).apps } ?? []
        return apps.first { $0.id == id }
    }

    /// The featured app and the search term of the day in Seoul; the first app found is featured if that app is
    /// unavailable.
    package func today(language: LanguagePreference) async throws -> StoreToday {
        let day = self.client.now().dateInSeoul.dayNumber
        let featured = try await self.featured(
            self.featured.isEmpty ? nil : self.featured[day % self.featured.count], language)
        let term = Self.todayTerms[day % Self.todayTerms.count]
        let found = try await self.found(term, offset: 0, limit: Self.todayCount + 1, language: language).apps
        let large = featured ?? found.first
        return StoreToday(featured: large, list: Array(found.filter { $0.id != large?.id }.prefix(Self.todayCount)))
    }

    private static func request(
        _ path: String, _ query: [(name: String, value: String)], _ language: LanguagePreference
    ) -> UpstreamRequest {
        let spoken = ITunesLanguage(language)
        let all = query + (spoken.map { [(name: "lang", value: $0.tag)] } ?? [])
        return UpstreamRequest(path, query: all, language: spoken?.language, lifetime: Self.lifetime)
    }

    /// `nil` if the app is not sold or the store fails: the search for the list reports the failure.
    private func featured(_ id: StoreAppID?, _ language: LanguagePreference) async throws -> StoreApp? {
        guard let id else { return nil }
        do {
            return try await self.app(id, language: language)
        } catch is SourceFailure {
            return nil
        }
    }
}

/// A country's store, by ISO 3166-1 alpha-2 code.
package struct ITunesCountry: Hashable, Sendable, LosslessStringConvertible {
    package static let korea = ITunesCountry(code: "KR")

    package let description: String

    private init(code: String) { self.description = code }

    /// Reads a code; not case-sensitive.
    package init?(_ description: String) {
        guard description.utf8.count == 2, description.utf8.allSatisfy({ (97...122).contains($0 | 32) }) else {
            return nil
        }
        self.init(code: description.uppercased())
    }
}
