import MovieDomain
import PosterAPI

extension BadgeSource {
    /// The sites of scores by their names in sources of films.
    private static let sites: [String: BadgeSource] = [
        "Internet Movie Database": .imdb, "Rotten Tomatoes": .rt, "Popcornmeter": .popcorn,
        "Metacritic": .metacritic, "Trakt": .trakt, "Letterboxd": .letterboxd, "MyAnimeList": .mal, "TMDB": .tmdb,
    ]

    /// The sites of the average scores of sources; OMDb's is IMDb's.
    private static let audiences: [MovieSource: BadgeSource] = [.embedded: .sample, .tmdb: .tmdb, .omdb: .imdb]

    /// Whether the score is in the details at the film's own source: further sources need not be asked.
    var isOwn: Bool { self == .tmdb || self == .sample }

    /// The scores that can be drawn. Unreadable ones are left out.
    static func scores(_ film: FilmScores) -> [BadgeSource: BadgeScore] {
        var scores: [BadgeSource: BadgeScore] = [:]
        for other in film.others {
            guard let site = Self.sites[other.name], scores[site] == nil, let fraction = other.fraction else {
                continue
            }
            scores[site] = BadgeScore(fraction: fraction, at: site)
        }
        for (source, score) in film.audience {
            guard let site = Self.audiences[source] else { continue }
            scores[site] = BadgeScore(fraction: score.average / 10, at: site)
        }
        return scores
    }
}
