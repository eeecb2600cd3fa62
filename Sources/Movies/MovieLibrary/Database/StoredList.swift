/// The lists of films that users keep, by their tables: the favourites, and the films that they want to watch.
package enum StoredList: String, CaseIterable, Sendable {
    case favourites = "favourite"
    case watchlist = "watchlistFilm"

    /// The table of the number of all rows.
    var countTable: String { "\(self.rawValue)Count" }

    /// In messages.
    package var words: String {
        switch self {
        case .favourites: "favourites"
        case .watchlist: "films on watchlists"
        }
    }
}
