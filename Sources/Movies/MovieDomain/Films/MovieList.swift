/// The lists that every catalogue of films has.
public enum MovieList: String, Hashable, Sendable, CaseIterable {
    case nowPlaying = "now_playing"
    case popular
    case topRated = "top_rated"
    case upcoming
}
