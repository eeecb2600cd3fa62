package import MovieDomain
package import UpstreamClient

/// KMDb's posters for films of other sources.
package struct KMDbPosters: PosterFinder {
    /// The maximal numbers of films per search, posters per film, and candidates.
    private static let filmLimit = 10
    private static let postersPerFilm = 4
    private static let limit = 20
    /// The maximal number of titles to search for, until one has results.
    private static let titleLimit = 2

    private let client: UpstreamClient

    package var source: MovieSource { .kmdb }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    /// The posters of films with one of the titles, the likeliest first.
    package func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate] {
        for title in film.titles.uniqued.prefix(Self.titleLimit) {
            let found = try await self.client.kmdbFilms(self.query(title, year: film.year))
            let candidates = Self.candidates(in: found, for: film)
            if !candidates.isEmpty { return candidates }
        }
        return []
    }

    private func query(_ title: String, year: Int?) -> [(name: String, value: String)] {
        var query = [(name: "title", value: title), ("listCount", "\(Self.filmLimit)")]
        if let year { query += [("releaseDts", "\(year - 1)0101"), ("releaseDte", "\(year + 1)1231")] }
        return query
    }

    /// Each thumbnail follows its presumed full-size picture as a fallback.
    static func candidates(in films: [KMDbFilm], for film: PosterSearchTerms) -> [PosterCandidate] {
        let candidates = films.flatMap { found -> [PosterCandidate] in
            let urls = found.posters.prefix(Self.postersPerFilm).flatMap { url in
                [KMDbPicture.fullSize(of: url), url].compactMap { $0 }
            }
            return urls.uniqued.map {
                PosterCandidate(
                    source: .kmdb, location: .web(url: $0), title: found.title(for: film), year: found.year(for: film),
                    size: nil)
            }
        }
        return Array(candidates.prefix(Self.limit))
    }
}

extension KMDbFilm {
    /// The title that the search terms contain, else the first.
    fileprivate func title(for film: PosterSearchTerms) -> String {
        let titles = [self.titles["ko"], self.titles["en"], self.originalTitle].compactMap { $0 }.filter { !$0.isEmpty }
        return titles.first { film.titles.contains($0) } ?? titles.first ?? ""
    }

    /// The year nearest to the search terms' year.
    fileprivate func year(for film: PosterSearchTerms) -> Int? {
        let years = [self.releaseDate?.year, self.productionYear].compactMap { $0 }
        guard let wanted = film.year else { return years.first }
        return years.min { abs($0 - wanted) < abs($1 - wanted) }
    }
}

/// KMDb's pictures: URLs joined with `|`.
enum KMDbPicture {
    private static let limit = 30

    /// The absolute URLs in their order, without duplicates; other texts are dropped.
    static func urls(in text: String?) -> [String] {
        let urls = PlainText.parts(of: text, separator: "|").filter { WebURL.isValid($0) }
        return Array(urls.uniqued.prefix(Self.limit))
    }

    /// The URL of a thumbnail's full-size picture: `…/thm/02/99/18/94/tn_DPF031047.jpg` belongs to
    /// `…/poster/99/18/94/DPF031047_01.jpg`, and `…/thm/01/copy/00/56/24/tn_DST714548.jpg` to
    /// `…/still/copy/00/56/24/DST714548.jpg`; KMDb's own responses contain both forms.
    ///
    /// The rule may not hold for every picture: use the thumbnail as a fallback.
    ///
    /// - Returns: `nil` if the URL is not such a thumbnail.
    static func fullSize(of url: String) -> String? {
        for (thumbnails, pictures, suffix) in [("/thm/02/", "/poster/", "_01"), ("/thm/01/copy/", "/still/copy/", "")] {
            let parts = url.split(separator: thumbnails, omittingEmptySubsequences: false)
            guard parts.count == 2, let slash = parts[1].lastIndex(of: "/") else { continue }
            let file = parts[1][parts[1].index(after: slash)...]
            guard file.hasPrefix("tn_"), let dot = file.lastIndex(of: "."), file.dropFirst(3).startIndex < dot else {
                continue
            }
            let name = file.dropFirst(3)[..<dot]
            return "\(parts[0])\(pictures)\(parts[1][...slash])\(name)\(suffix)\(file[dot...])"
        }
        return nil
    }
}
