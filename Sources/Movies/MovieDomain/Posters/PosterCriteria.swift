/// Whether a picture that somebody offers may be a film's poster. Knows nothing but what it is given.
public struct PosterCriteria: Sendable {
    /// What is to be said of a candidate before anybody has looked at it.
    enum Opinion: Hashable {
        case acceptable
        /// Somebody has to look at it first.
        case unclear
        case rejected(reason: String)
    }

    /// The farthest that the years of one film are apart in two sources: festivals come before the first showing.
    public static let yearTolerance = 1

    /// The film that it is about.
    private let film: PosterSearchTerms
    private let titles: Set<FoldedTitle>

    init(_ film: PosterSearchTerms) {
        self.film = film
        self.titles = Set(film.titles.map(FoldedTitle.init))
    }

    /// By what its source tells of it.
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
        // TMDB takes posters of two by three only; what others say of their pictures is looked at.
        if case .tmdb = candidate.location { return .acceptable }
        return .unclear
    }

    /// By its size.
    ///
    /// - Returns: Why it is no poster, as a clause; nil when it may be one.
    static func objection(to size: PictureSize, from source: MovieSource) -> String? {
        let ratio = Double(size.height) / Double(size.width)
        guard self.ratios(of: source).contains(ratio) else {
            return "it is \(size.width) by \(size.height), which is not a poster's shape"
        }
        return nil
    }

    /// Height by width. A search for images finds everything, and posters of Korean films are of 1 by 1.4 to 1.5.
    private static func ratios(of source: MovieSource) -> ClosedRange<Double> {
        source == .kakao ? 1.3...1.6 : 1.2...3
    }
}

extension PosterSearchTerms {
    /// Whether a picture is not ruled out by what its source tells of it.
    public func allows(_ candidate: PosterCandidate) -> Bool {
        if case .rejected = PosterCriteria(self).opinion(of: candidate) { return false }
        return true
    }
}

/// A title without what the sources of films write differently: case, white space, punctuation, full-width forms.
struct FoldedTitle: Hashable {
    /// Equal texts are canonically equivalent (Unicode 3.11), as Swift's strings are compared.
    private let text: String

    init(_ title: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in title.unicodeScalars {
            let narrow = Self.narrow(scalar)
            if Self.counts(narrow) { scalars.append(narrow) }
        }
        // A title of punctuation alone is what it is.
        self.text = (scalars.isEmpty ? title : String(scalars)).lowercased()
    }

    /// Halfwidth and Fullwidth Forms, U+FF01 to U+FF5E: ASCII, but wider.
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
