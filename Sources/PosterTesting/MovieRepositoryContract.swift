public import MovieDomain

/// What every `MovieRepository` promises, to be run against one that holds films.
///
/// - Parameter movies: Holds at least two films.
/// - Returns: What is broken, in sentences; empty when nothing is.
public func brokenPromises(of movies: some MovieRepository) async throws -> [String] {
    var broken: [String] = []
    let all = try await movies.movies(limit: 1000)
    if all.count < 2 { broken.append("holds fewer than two films") }
    if Set(all.map(\.id)).count != all.count { broken.append("lists a film twice") }
    if try await movies.movies(limit: 1) != Array(all.prefix(1)) { broken.append("a limit changes order or content") }
    if try await !movies.movies(limit: 0).isEmpty { broken.append("a limit of 0 still lists films") }
    for movie in all where try await movies.movie(movie.id) != movie {
        broken.append("finds another \(movie.id.rawValue) than it lists")
    }
    if try await movies.movie(Movie.ID(rawValue: "no-such-film-1000")!) != nil {
        broken.append("finds what is not there")
    }
    if try await movies.movie(Movie.ID(rawValue: "' OR 1=1 --")!) != nil { broken.append("reads ids as SQL") }
    return broken
}
