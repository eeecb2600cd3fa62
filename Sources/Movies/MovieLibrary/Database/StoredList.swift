/// Users' lists of films, by table: favourites, and films to watch.
package enum StoredList: String, CaseIterable, Sendable {
    case favourites = "favourite"
    case watchlist = "watchlistFilm"

    /// The table with the total number of rows.
    var countTable: String { "\(self.rawValue)Count" }

    package var words: String {
        switch self {
        case .favourites: "favourites"
        case .watchlist: "films on watchlists"
        }
    }
}
