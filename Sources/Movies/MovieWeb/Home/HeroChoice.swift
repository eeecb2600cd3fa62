import HTTPSemantics
import HTTPServer
import MovieDomain

/// The film at the top of the home page: a different one each day.
struct HeroChoice: Sendable {
    /// The number of a list's films to choose from.
    private static let candidateLimit = 5
    /// The lists to choose from, in order of preference.
    private static let lists: [MovieList] = [.nowPlaying, .popular]

    let film: MovieSummary
    let list: MovieList
    let scene: PosterObject

    /// - Parameter backdrop: The backdrop of a film; returns `nil` if it has none.
    /// - Returns: `nil` if no film has a backdrop.
    init?(
        _ sections: [ShowHome.Section], on day: CalendarDate,
        backdrop: (MovieSummary) throws(Problem) -> PosterObject?
    ) throws(Problem) {
        for list in Self.lists {
            guard let section = sections.first(where: { $0.list == list }),
                case .success(let page) = section.movies
            else { continue }
            var candidates: [(film: MovieSummary, scene: PosterObject)] = []
            for film in page.results where candidates.count < Self.candidateLimit {
                if let scene = try backdrop(film) { candidates.append((film, scene)) }
            }
            guard !candidates.isEmpty else { continue }
            let place = day.dayNumber % candidates.count
            let chosen = candidates[place < 0 ? place + candidates.count : place]
            self.film = chosen.film
            self.list = list
            self.scene = chosen.scene
            return
        }
        return nil
    }
}
