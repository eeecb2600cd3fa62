package import MovieDomain

/// Checks the contract of `AppStoreRepository`.
///
/// - Parameters:
///   - known: Ids with films or apps.
///   - unknown: An id of its source without a film.
///   - term: A term with at least three results.
///   - nonsense: A term without results.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(
    of store: some AppStoreRepository, known: [StoreAppID], unknown: StoreAppID, term: String, nonsense: String
) async throws -> [String] {
    let language = LanguagePreference()
    var broken: [String] = []
    func check(_ isKept: Bool, _ promise: String) {
        if !isKept { broken.append(promise) }
    }
    for id in known {
        let app = try await store.app(id, language: language)
        check(app?.id == id, "does not find \(id)")
        check(app?.id.source == store.source, "\(id) is not of its source")
    }
    check(try await store.app(unknown, language: language) == nil, "finds what is not there")

    let first = try await store.search(term, offset: 0, limit: 2, language: language)
    let second = try await store.search(term, offset: 1, limit: 2, language: language)
    check(first.apps.count == 2 && first.hasMore, "a search gives what was asked for, and says that there is more")
    check(first.apps.last?.id == second.apps.first?.id, "an offset leaves out the best")
    check(first.apps.first?.id != second.apps.first?.id, "and not none")
    let behind = try await store.search(term, offset: 100_000, limit: 2, language: language)
    check(behind.apps.isEmpty && !behind.hasMore, "behind the last there is nothing")
    let none = try await store.search(nonsense, offset: 0, limit: 20, language: language)
    check(none.apps.isEmpty && !none.hasMore, "nonsense finds nothing")

    let (today, again) = (try await store.today(language: language), try await store.today(language: language))
    check(today == again, "a day has one choice")
    let shown = [today.featured].compactMap { $0 } + today.list
    check(!shown.isEmpty, "there is something every day")
    check(Set(shown.map(\.id)).count == shown.count, "and nothing twice")
    return broken
}
