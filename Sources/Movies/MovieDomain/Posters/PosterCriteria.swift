/// Judges whether a candidate may be a film's poster, without I/O.
package struct PosterCriteria: Sendable {
    enum Opinion: Hashable {
        case acceptable
        /// The picture has to be inspected first.
        case unclear
        case rejected(reason: String)
    }

    /// The largest difference between two sources' years of a film: festivals precede the first public showing.
    package static let yearTolerance = 1

    private let film: PosterSearchTerms
    private let titles: Set<FoldedTitle>

    init(_ film: PosterSearchTerms) {
        self.film = film
        self.titles = Set(film.titles.map(FoldedTitle.init))
    }

    /// Whether some candidates have the film's title, and all of these are of its year.
    func areCertain(_ candidates: [PosterCandidate]) -> Bool {
        guard let year = self.film.year else { return false }
        let namesakes = candidates.filter { candidate in
            [candidate.title, candidate.originalTitle].contains { !$0.isEmpty && self.titles.contains(FoldedTitle($0)) }
        }
        return !namesakes.isEmpty
            && namesakes.allSatisfy { $0.year.map { abs($0 - year) <= Self.yearTolerance } ?? false }
    }

    func opinion(of candidate: PosterCandidate) -> Opinion {
        let titles = [candidate.title, candidate.originalTitle].filter { !$0.isEmpty }.map(FoldedTitle.init)
        if !titles.isEmpty, self.titles.isDisjoint(with: titles) {
            return .rejected(reason: "it belongs to a film with another title")
        }
        if let year = self.film.year, let other = candidate.year, abs(year - other) > Self.yearTolerance {
            return .rejected(reason: "it belongs to a film of \(other), not of \(year)")
        }
        if let size = candidate.size, let reason = Self.objection(to: size, from: candidate.source) {
            return .rejected(reason: reason)
        }
        // TMDB accepts only posters of 2:3; other sources' sizes are verified.
        if case .tmdb = candidate.location { return .acceptable }
        return .unclear
    }

    /// Judges a picture by its size.
    /// - Returns: The objection as a clause; `nil` if it may be a poster.
    static func objection(to size: PictureSize, from source: MovieSource) -> String? {
        let ratio = Double(size.height) / Double(size.width)
        guard self.ratios(of: source).contains(ratio) else {
            return "its size, \(size.width) by \(size.height), does not have a poster's shape"
        }
        return nil
    }

    /// The accepted ratios of height to width. Kakao's image search returns any picture; posters of Korean films have
    /// ratios of 1.4 to 1.5.
    private static func ratios(of source: MovieSource) -> ClosedRange<Double> {
        source == .kakao ? 1.3...1.6 : 1.2...3
    }
}

extension PosterSearchTerms {
    /// Whether the source's description does not rule out a candidate.
    package func allows(_ candidate: PosterCandidate) -> Bool {
        if case .rejected = PosterCriteria(self).opinion(of: candidate) { return false }
        return true
    }
}
