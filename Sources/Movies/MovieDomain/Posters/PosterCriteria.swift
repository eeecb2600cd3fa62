/// Decides whether a candidate may be a film's poster, without I/O.
package struct PosterCriteria: Sendable {
    /// The judgement of a candidate by its source's description.
    enum Opinion: Hashable {
        case acceptable
        /// The picture has to be inspected first.
        case unclear
        case rejected(reason: String)
    }

    /// The largest difference between the years of one film in two sources: festivals precede the first public showing.
    package static let yearTolerance = 1

    /// The film that needs a poster.
    private let film: PosterSearchTerms
    private let titles: Set<FoldedTitle>

    init(_ film: PosterSearchTerms) {
        self.film = film
        self.titles = Set(film.titles.map(FoldedTitle.init))
    }

    /// Whether there are candidates of the film's title, and all of them are of its year.
    func areCertain(_ candidates: [PosterCandidate]) -> Bool {
        guard let year = self.film.year else { return false }
        let namesakes = candidates.filter { candidate in
            [candidate.title, candidate.originalTitle].contains { !$0.isEmpty && self.titles.contains(FoldedTitle($0)) }
        }
        return !namesakes.isEmpty
            && namesakes.allSatisfy { $0.year.map { abs($0 - year) <= Self.yearTolerance } ?? false }
    }

    /// Judges a candidate by its source's description.
    func opinion(of candidate: PosterCandidate) -> Opinion {
        let titles = [candidate.title, candidate.originalTitle].filter { !$0.isEmpty }.map(FoldedTitle.init)
        if !titles.isEmpty, self.titles.isDisjoint(with: titles) {
            return .rejected(reason: "it is of a film with another title")
        }
        if let year = self.film.year, let other = candidate.year, abs(year - other) > Self.yearTolerance {
            return .rejected(reason: "it is of a film of \(other), not of \(year)")
        }
        if let size = candidate.size, let reason = Self.objection(to: size, from: candidate.source) {
            return .rejected(reason: reason)
        }
        // TMDB accepts only posters of 2:3; other sources' sizes are verified.
        if case .tmdb = candidate.location { return .acceptable }
        return .unclear
    }

    /// Judges a picture by its size.
    /// - Returns: Why it is no poster, as a clause; nil when it may be one.
    static func objection(to size: PictureSize, from source: MovieSource) -> String? {
        let ratio = Double(size.height) / Double(size.width)
        guard self.ratios(of: source).contains(ratio) else {
            return "it is \(size.width) by \(size.height), which is not a poster's shape"
        }
        return nil
    }

    /// The accepted ratios of height to width. Kakao's image search returns any picture; posters of Korean films have 1.4 to 1.5.
    private static func ratios(of source: MovieSource) -> ClosedRange<Double> {
        source == .kakao ? 1.3...1.6 : 1.2...3
    }
}

extension PosterSearchTerms {
    /// Whether a candidate is not rejected by its source's description.
    package func allows(_ candidate: PosterCandidate) -> Bool {
        if case .rejected = PosterCriteria(self).opinion(of: candidate) { return false }
        return true
    }
}

/// A title without what sources write differently: case, white space, punctuation, full-width forms.
struct FoldedTitle: Hashable {
    /// The most scalars of a title that are compared, the first.
    private static let scalarLimit = 512

    /// Compared by canonical equivalence (Unicode 3.11), like all Swift strings.
    private let text: String

    init(_ title: String) {
        var scalars = String.UnicodeScalarView()
        let title = title.unicodeScalars.prefix(Self.scalarLimit)
        for scalar in title {
            let narrow = Self.narrow(scalar)
            if Self.counts(narrow) { scalars.append(narrow) }
        }
        // A title of punctuation alone is not folded.
        self.text = String(scalars.isEmpty ? String.UnicodeScalarView(title) : scalars).lowercased()
    }

    /// Halfwidth and Fullwidth Forms, U+FF01 to U+FF5E, map to ASCII.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Letters, their marks, and numbers.
    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
