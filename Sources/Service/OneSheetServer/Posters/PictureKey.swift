import MovieDomain
import PosterPipeline

/// A picture of a film or an app by its id: its poster, as in `tmdb:603`, or one beside it, as in `tmdb:603~2`.
struct PictureKey: Hashable {
    /// The numbers that pictures beside a poster have.
    static let numbers = 1...50

    let film: MovieID
    /// nil for the poster.
    let number: Int?

    /// - Returns: nil when it is no film's or app's picture.
    init?(_ id: PosterID) {
        guard let source = MovieSource(rawValue: id.source) else { return nil }
        let parts = id.key.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        var number: Int?
        if parts.count > 1 {
            // One picture has one name: no sign, no zero before it.
            guard parts.count == 2, let given = Int(parts[1]), Self.numbers.contains(given), String(given) == parts[1]
            else { return nil }
            number = given
        }
        guard let film = MovieID(source: source, key: parts[0]) else { return nil }
        self.film = film
        self.number = number
    }
}
