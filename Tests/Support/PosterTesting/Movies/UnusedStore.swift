package import MovieDomain

/// A store that is not configured: every call fails.
package struct UnusedStore: AppStoreRepository {
    /// The embedded catalogue.
    package let source = MovieSource.embedded

    /// A store that is not configured.
    package init() {}

    /// Fails.
    package func search(
        _ term: String, offset: Int, limit: Int, language: LanguagePreference
    ) async throws -> StoreResults {
        throw SourceFailure.off(self.source, option: "")
    }

    /// Fails.
    package func app(_ id: StoreAppID, language: LanguagePreference) async throws -> StoreApp? {
        throw SourceFailure.off(self.source, option: "")
    }

    /// Fails.
    package func today(language: LanguagePreference) async throws -> StoreToday {
        throw SourceFailure.off(self.source, option: "")
    }
}
