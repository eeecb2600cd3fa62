/// An app store as a source of apps.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol AppStoreRepository: Sendable {
    var source: MovieSource { get }
    /// The ids of all apps of a store that is small enough to list them; empty by default.
    var ids: [StoreAppID] { get }

    /// Searches apps, the best match first.
    ///
    /// - Parameters:
    ///   - term: The search text; not empty.
    ///   - offset: The number of best matches to skip.
    ///   - limit: The maximal number of apps, 1 to 200.
    ///   - language: The preferred language of texts, as far as the store has it.
    func search(_ term: String, offset: Int, limit: Int, language: LanguagePreference) async throws -> StoreResults

    func app(_ id: StoreAppID, language: LanguagePreference) async throws -> StoreApp?

    func today(language: LanguagePreference) async throws -> StoreToday
}

extension AppStoreRepository {
    package var ids: [StoreAppID] { [] }
}

/// A range of a store's search results.
package struct StoreResults: Hashable, Sendable {
    /// The best match first.
    package let apps: [StoreApp]
    package let hasMore: Bool

    package init(apps: [StoreApp], hasMore: Bool) {
        self.apps = apps
        self.hasMore = hasMore
    }
}

/// The featured apps of the day.
package struct StoreToday: Hashable, Sendable {
    /// The app that is shown large; `nil` if it is unavailable.
    package let featured: StoreApp?
    /// The apps that are shown small.
    package let list: [StoreApp]

    package init(featured: StoreApp?, list: [StoreApp]) {
        self.featured = featured
        self.list = list
    }
}

/// A search for apps.
package struct AppQuery: Hashable, Sendable {
    /// The maximal length of a term in characters.
    package static let maxLength = MovieQuery.maxLength
    package static let offsets = 0...1000
    package static let limits = 1...50
    package static let defaultLimit = 20

    /// Not empty, without leading or trailing white space, at most ``maxLength`` characters.
    package let term: String
    package let offset: Int
    package let limit: Int

    /// - Returns: `nil` if the term is empty or too long, or a number is outside ``offsets`` or ``limits``.
    package init?(_ term: String, offset: Int = 0, limit: Int = AppQuery.defaultLimit) {
        guard let term = MovieQuery(term)?.text, Self.offsets.contains(offset), Self.limits.contains(limit) else {
            return nil
        }
        self.term = term
        self.offset = offset
        self.limit = limit
    }
}

/// Searches apps.
package struct SearchApps: Sendable {
    private let store: any AppStoreRepository

    package init(store: any AppStoreRepository) {
        self.store = store
    }

    /// Returns the best matches first.
    package func callAsFunction(_ query: AppQuery, language: LanguagePreference) async throws -> StoreResults {
        let results = try await self.store.search(
            query.term, offset: query.offset, limit: query.limit, language: language)
        // Results after the last valid offset cannot be requested.
        let hasMore = results.hasMore && AppQuery.offsets.contains(query.offset + query.limit)
        return StoreResults(apps: Array(results.apps.prefix(query.limit)), hasMore: hasMore)
    }
}

/// Returns an app and the sections of its details.
package struct ShowApp: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        case unknownApp(StoreAppID)
    }

    private let store: any AppStoreRepository
    private let options: [MovieSource: String]

    /// - Parameter options: The options that would configure missing stores.
    package init(store: any AppStoreRepository, off options: [MovieSource: String] = [:]) {
        self.store = store
        self.options = options
    }

    /// - Throws: ``Failure``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(
        _ id: StoreAppID, language: LanguagePreference
    ) async throws -> (app: StoreApp, sections: [DetailSection]) {
        // Only ids of the store's own source may be passed to it.
        guard id.source == self.store.source else {
            if let option = self.options[id.source] { throw SourceFailure.off(id.source, option: option) }
            throw Failure.unknownApp(id)
        }
        guard let app = try await self.store.app(id, language: language) else { throw Failure.unknownApp(id) }
        return (app, app.sections(in: language))
    }
}
