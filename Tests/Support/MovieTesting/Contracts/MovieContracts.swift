package import MovieDomain

/// Checks the contract of `MovieRepository`.
///
/// - Parameters:
///   - known: Ids with films or apps.
///   - unknown: An id of its source without a film.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(
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
        broken += try await brokenParts(of: id, in: movies, language)
    }
    if try await movies.movie(unknown, language: language) != nil { broken.append("finds what is not there") }
    if try await movies.credits(of: unknown, language: language) != nil { broken.append("credits of nothing") }
    if try await movies.reviews(of: unknown, page: 1, language: language) != nil {
        broken.append("reviews of nothing")
    }
    if try await movies.similar(to: unknown, page: 1, language: language) != nil {
        broken.append("films similar to nothing")
    }
    if try await movies.videos(of: unknown, language: language) != nil { broken.append("videos of nothing") }
    if try await movies.images(of: unknown) != nil { broken.append("pictures of nothing") }
    if try await movies.recommendations(for: unknown, page: 1, language: language) != nil {
        broken.append("films recommended with nothing")
    }
    if try await movies.offers(of: unknown) != nil { broken.append("offers of nothing") }
    return broken
}

private func brokenParts(
    of id: MovieID, in movies: some MovieRepository, _ language: LanguagePreference
) async throws -> [String] {
    var broken: [String] = []
    let videos = try await movies.videos(of: id, language: language)
    if videos == nil { broken.append("\(id) has no list of videos") }
    if Set((videos ?? []).map(\.id)).count != videos?.count { broken.append("\(id) has a video twice") }
    let images = try await movies.images(of: id)
    if images == nil { broken.append("\(id) has no list of pictures") }
    let places = (images ?? []).compactMap(\.place)
    if !places.isEmpty, places != Array(1...places.count) {
        broken.append("the gallery of \(id) is numbered \(places)")
    }
    let recommended = try await movies.recommendations(for: id, page: 1, language: language)
    if recommended == nil { broken.append("\(id) has no page of recommendations") }
    if recommended?.results.contains(where: { $0.id == id }) == true {
        broken.append("\(id) is recommended to those who like it")
    }
    if try await movies.offers(of: id) == nil { broken.append("\(id) has no list of offers") }
    return broken
}

/// Checks the contract of `MovieCatalogue`.
///
/// - Parameters:
///   - found: A query with results.
///   - notFound: A query without results.
///   - lists: The lists that may be requested.
///   - filters: The filters that may be requested; their fields are the catalogue's.
///   - walksToTheEnd: Whether the last pages and those after them may be requested.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(
    of catalogue: some MovieCatalogue, found: MovieQuery, notFound: MovieQuery,
    lists: [MovieList] = MovieList.allCases, filters: [FilmFilter] = [FilmFilter()], walksToTheEnd: Bool = true
) async throws -> [String] {
    let language = LanguagePreference([.english])
    var broken: [String] = []
    for list in lists {
        broken += try await brokenPages("the list \(list.rawValue)", of: catalogue, walksToTheEnd) {
            try await catalogue.list(list, page: $0, language: language)
        }
    }
    broken += try await brokenPages("the search for \(found.text)", of: catalogue, walksToTheEnd) {
        try await catalogue.search(found, page: $0, language: language)
    }
    for filter in filters {
        let name = "the films of \(filter)"
        broken += try await brokenPages(name, of: catalogue, walksToTheEnd) {
            try await catalogue.discover(filter, page: $0, language: language, region: nil)
        }
        let films = try await catalogue.discover(filter, page: 1, language: language, region: nil).results
        for film in films where !filter.genres.allSatisfy(film.genres.map(\.id).contains) {
            broken.append("\(film.id) in \(name) has another genre")
        }
        for film in films where filter.years.map({ !$0.contains(film.year ?? 0) }) == true {
            broken.append("\(film.id) in \(name) is of another year")
        }
    }
    for period in TrendingPeriod.allCases {
        broken += try await brokenPages("the films of the \(period.rawValue)", of: catalogue, walksToTheEnd) {
            try await catalogue.trending(period, page: $0, language: language)
        }
    }
    if try await catalogue.search(found, page: 1, language: language).results.isEmpty {
        broken.append("finds nothing for \(found.text)")
    }
    let nothing = try await catalogue.search(notFound, page: 1, language: language)
    if !nothing.results.isEmpty || nothing.totalResults != 0 || nothing.totalPages != 0 {
        broken.append("finds something for \(notFound.text)")
    }
    let genres = try await catalogue.genres(language: language)
    if genres.isEmpty { broken.append("has no genres") }
    if Set(genres.map(\.id)).count != genres.count { broken.append("has two genres of one id") }
    for genre in genres where genre.name.isEmpty { broken.append("\(genre) has no name") }
    return broken
}

private func brokenPages(
    _ name: String, of catalogue: some MovieCatalogue, _ walksToTheEnd: Bool,
    _ page: (Int) async throws -> Page<MovieSummary>
) async throws -> [String] {
    var broken: [String] = []
    let first = try await page(1)
    if first.number != 1 { broken.append("the first page of \(name) is numbered \(first.number)") }
    if first.results.isEmpty != (first.totalResults == 0) || (first.totalPages == 0) != first.results.isEmpty {
        broken.append("\(name) has \(first.totalResults) films on \(first.totalPages) pages, but not on the first")
    }
    broken += brokenFilms(first.results, of: name, catalogue.source)
    if first.results.count > catalogue.pageSize { broken.append("the first page of \(name) is longer than a page") }
    guard walksToTheEnd, first.totalPages > 0 else { return broken }
    let last = try await page(min(first.totalPages, catalogue.pageLimit))
    if last.results.isEmpty { broken.append("the last page of \(name) is empty") }
    broken += brokenFilms(last.results, of: name, catalogue.source)
    if first.totalPages > 1, last.results.first?.id == first.results.first?.id {
        broken.append("the last page of \(name) is the first")
    }
    guard first.totalPages < catalogue.pageLimit else { return broken }
    let behind = try await page(first.totalPages + 1)
    if !behind.results.isEmpty { broken.append("\(name) has films behind its last page") }
    return broken
}

private func brokenFilms(_ films: [MovieSummary], of name: String, _ source: MovieSource) -> [String] {
    var broken: [String] = []
    for film in films {
        if film.id.source != source { broken.append("\(name) has \(film.id) of another source") }
        if film.title.isEmpty { broken.append("\(film.id) in \(name) has no title") }
    }
    if Set(films.map(\.id)).count != films.count { broken.append("\(name) has a film twice on a page") }
    return broken
}
