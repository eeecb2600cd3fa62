public import MovieDomain

/// What every `MovieRepository` promises, to be run against one that holds these films.
///
/// - Parameters:
///   - known: Ids that it knows.
///   - unknown: An id of its source that it does not know.
/// - Returns: What is broken, in sentences; empty when nothing is.
public func checkContract(
    of movies: some MovieRepository, known: [MovieID], unknown: MovieID
) async throws -> [String] {
    var broken: [String] = []
    let language = LanguagePreference([.english])
    for id in known {
        guard let movie = try await movies.movie(id, language: language) else {
            broken.append("does not find \(id)")
            continue
        }
        if movie.id != id { broken.append("finds \(movie.id) for \(id)") }
        if movie.summary.title.isEmpty { broken.append("\(id) has no title") }
        if try await movies.credits(of: id, language: language) == nil { broken.append("\(id) has no credits") }
        guard let reviews = try await movies.reviews(of: id, page: 1, language: language) else {
            broken.append("\(id) has no page of reviews")
            continue
        }
        if reviews.results.isEmpty != (reviews.totalResults == 0) {
            broken.append("the first page of reviews of \(id) is empty, but there are \(reviews.totalResults)")
        }
        let behind = try await movies.reviews(of: id, page: reviews.totalPages + 1, language: language)
        if behind?.results.isEmpty != true { broken.append("\(id) has reviews behind the last page") }
        guard let similar = try await movies.similar(to: id, page: 1, language: language) else {
            broken.append("\(id) has no page of similar films")
            continue
        }
        if similar.results.contains(where: { $0.id == id }) { broken.append("\(id) is similar to itself") }
    }
    if try await movies.movie(unknown, language: language) != nil { broken.append("finds what is not there") }
    if try await movies.credits(of: unknown, language: language) != nil { broken.append("credits of nothing") }
    if try await movies.reviews(of: unknown, page: 1, language: language) != nil {
        broken.append("reviews of nothing")
    }
    if try await movies.similar(to: unknown, page: 1, language: language) != nil {
        broken.append("films similar to nothing")
    }
    return broken
}
