package import MovieDomain

/// Checks the contract of `PersonRepository`.
///
/// - Parameters:
///   - known: Ids with people.
///   - unknown: An id of its source without a person.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(
    of people: some PersonRepository, known: [PersonID], unknown: PersonID
) async throws -> [String] {
    var broken: [String] = []
    let language = LanguagePreference([.english])
    for id in known {
        guard let person = try await people.person(id, language: language) else {
            broken.append("does not find \(id)")
            continue
        }
        if person.id != id { broken.append("finds \(person.id) for \(id)") }
        let films = person.films.map(\.movie)
        if Set(films.map(\.id)).count != films.count { broken.append("\(id) has a film twice") }
        for film in films where film.id.source != people.source {
            broken.append("\(id) has the film \(film.id) of another source")
        }
        for part in person.films where part.roles.isEmpty && part.jobs.isEmpty {
            broken.append("\(id) had nothing to do with \(part.movie.id)")
        }
        let years = films.compactMap(\.year)
        if years != years.sorted(by: >) { broken.append("the films of \(id) are of \(years)") }
    }
    if try await people.person(unknown, language: language) != nil { broken.append("finds who is not there") }
    return broken
}

/// Checks the contract of `PersonCatalogue`.
///
/// - Parameters:
///   - found: A query with results.
///   - notFound: A query without results.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(
    of people: some PersonCatalogue, found: MovieQuery, notFound: MovieQuery
) async throws -> [String] {
    var broken: [String] = []
    let language = LanguagePreference([.english])
    let first = try await people.search(found, page: 1, language: language)
    if first.results.isEmpty || first.totalPages == 0 { broken.append("finds nobody for \(found.text)") }
    if Set(first.results.map(\.id)).count != first.results.count { broken.append("finds somebody twice") }
    for person in first.results where person.id.source != people.source {
        broken.append("finds \(person.id) of another source")
    }
    if first.totalPages < people.pageLimit {
        let behind = try await people.search(found, page: first.totalPages + 1, language: language)
        if !behind.results.isEmpty { broken.append("finds people behind the last page") }
    }
    let nobody = try await people.search(notFound, page: 1, language: language)
    if !nobody.results.isEmpty || nobody.totalResults != 0 || nobody.totalPages != 0 {
        broken.append("finds somebody for \(notFound.text)")
    }
    return broken
}
