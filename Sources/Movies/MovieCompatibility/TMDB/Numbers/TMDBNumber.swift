import MovieDomain

/// Numbers in The Movie Database's format. The embedded catalogue's are derived from keys, and constant.
enum TMDBNumber {
    /// The range of derived numbers: above The Movie Database's, but valid as signed 32-bit integers.
    static let derived = 1_000_000_000..<2_000_000_000

    /// `nil` for films of other sources, which this format cannot represent.
    static func number(of id: MovieID) -> Int? {
        switch id.source {
        case .tmdb: Int(id.key)
        case .embedded: self.derivedNumber(from: "movie:\(id.key)")
        case .omdb, .mdblist, .kobis, .kmdb, .kakao, .itunes: nil
        }
    }

    static func number(of id: PersonID) -> Int? {
        switch id.source {
        case .tmdb: Int(id.key)
        case .embedded: self.derivedNumber(from: "person:\(id.key)")
        case .omdb, .mdblist, .kobis, .kmdb, .kakao, .itunes: nil
        }
    }

    /// Derived IMDb ids have eight digits, as IMDb's new ones do, and lie far above those that IMDb has assigned.
    private static let derivedTitles: Range<UInt64> = 90_000_000..<100_000_000

    /// A film's IMDb id, such as `tt0133093`; derived for a film of the embedded catalogue without one.
    ///
    /// - Returns: `nil` for other films without one.
    static func title(of movie: Movie) -> String? { movie.imdbID ?? self.title(of: movie.id) }

    /// The derived IMDb id of a film of the embedded catalogue; `nil` for other films.
    static func title(of id: MovieID) -> String? {
        guard id.source == .embedded else { return nil }
        let number = self.hash("title:\(id.key)") % UInt64(self.derivedTitles.count)
        return "tt\(self.derivedTitles.lowerBound + number)"
    }

    /// An account's number at The Movie Database; derived for other sources.
    static func number(of account: Account) -> Int {
        let own = account.source == .tmdb ? Int(account.id) : nil
        return own ?? self.derivedNumber(from: "account:\(account.id)")
    }

    static func id(of review: Review) -> String { self.digits("review:\(review.id)") }

    /// - Parameter part: A role or a job.
    static func creditID(_ film: MovieID, _ person: PersonID, _ part: String) -> String {
        self.digits("credit:\(film)/\(person)/\(part)")
    }

    /// 24 hexadecimal digits, the form of ids of credits and reviews.
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
