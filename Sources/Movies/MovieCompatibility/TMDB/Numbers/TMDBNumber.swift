import MovieDomain

/// The numbers of films and people in The Movie Database's format: its own, or, for those of the embedded catalogue, numbers that are
/// derived from their keys and always the same.
enum TMDBNumber {
    /// Derived numbers lie above those of The Movie Database, and are valid as signed integers of 32 bits.
    static let derived = 1_000_000_000..<2_000_000_000

    /// nil for films of other sources, which have no place in this format.
    static func number(of id: MovieID) -> Int? {
        switch id.source {
        case .tmdb: Int(id.key)
        case .embedded: self.derivedNumber(from: "movie:\(id.key)")
        case .omdb, .kobis, .kmdb, .kakao, .itunes: nil
        }
    }

    static func number(of id: PersonID) -> Int? {
        switch id.source {
        case .tmdb: Int(id.key)
        case .embedded: self.derivedNumber(from: "person:\(id.key)")
        case .omdb, .kobis, .kmdb, .kakao, .itunes: nil
        }
    }

    /// Derived titles of IMDb have eight digits, as new ones at IMDb have; IMDb's own are far below these.
    private static let derivedTitles: Range<UInt64> = 90_000_000..<100_000_000

    /// The title of IMDb, such as `tt0133093`: of a film of the embedded catalogue, which has no such ids, a derived one.
    ///
    /// - Returns: nil for other films without one.
    static func title(of movie: Movie) -> String? { movie.imdbID ?? self.title(of: movie.id) }

    /// The derived title of a film of the embedded catalogue; nil for other films.
    static func title(of id: MovieID) -> String? {
        guard id.source == .embedded else { return nil }
        let number = self.hash("title:\(id.key)") % UInt64(self.derivedTitles.count)
        return "tt\(self.derivedTitles.lowerBound + number)"
    }

    /// Of an account: a number at The Movie Database, derived elsewhere.
    static func number(of account: Account) -> Int {
        let own = account.source == .tmdb ? Int(account.id) : nil
        return own ?? self.derivedNumber(from: "account:\(account.id)")
    }

    static func id(of review: Review) -> String { self.digits("review:\(review.id)") }

    /// - Parameter part: A role, or a job.
    static func creditID(_ film: MovieID, _ person: PersonID, _ part: String) -> String {
        self.digits("credit:\(film)/\(person)/\(part)")
    }

    /// 24 hexadecimal digits, as ids of credits, reviews and the like have them.
    private static func digits(_ text: String) -> String {
        let hash = self.hash(text)
        let digits = String(hash, radix: 16) + String(self.hash(String(hash)), radix: 16)
        return String((digits + String(repeating: "0", count: 24)).prefix(24))
    }

    private static func derivedNumber(from text: String) -> Int {
        self.derived.lowerBound + Int(self.hash(text) % UInt64(self.derived.count))
    }

    /// FNV-1a of 64 bits: the same in all processes and versions.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
