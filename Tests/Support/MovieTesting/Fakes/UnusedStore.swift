package import MovieDomain

/// A store that is not configured: every call fails.
package struct UnusedStore: AppStoreRepository {
    package let source = MovieSource.embedded

    package init() {}

    package func search(
        _ term: String, offset: Int, limit: Int, language: LanguagePreference
    ) async throws -> StoreResults {
        throw SourceFailure.off(self.source, option: "")
    }

    package func app(_ id: StoreAppID, language: LanguagePreference) async throws -> StoreApp? {
        throw SourceFailure.off(self.source, option: "")
    }

    package func today(language: LanguagePreference) async throws -> StoreToday {
        throw SourceFailure.off(self.source, option: "")
    }
}
