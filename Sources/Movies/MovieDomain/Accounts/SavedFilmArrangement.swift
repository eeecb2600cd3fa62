/// The order of a user's list, and the text that its films have in their titles.
package struct SavedFilmArrangement: Hashable, Sendable {
    package enum Sort: String, Hashable, Sendable, CaseIterable {
        /// The latest first.
        case added
        case title
        /// The newest first.
        case year
        /// The highest first.
        case score
    }

    /// The maximal length of a text in characters; longer ones are truncated.
    package static let textLimit = 200

    package let sort: Sort
    /// Compared without case, white space and punctuation; empty for all films.
    package let text: String

    package init(_ sort: Sort = .added, text: String = "") {
        self.sort = sort
        self.text = text.allSatisfy(\.isWhitespace) ? "" : String(text.prefix(Self.textLimit))
    }

    /// Whether it is the whole list, the latest first.
    package var isDefault: Bool { self.sort == .added && self.text.isEmpty }

    /// Films without the sorted value are last; films of the same value keep their order.
    ///
    /// - Parameter films: The latest first.
    package func callAsFunction(_ films: [SavedFilm]) -> [SavedFilm] {
        let films = self.text.isEmpty ? films : films.filter(self.hasText)
        return switch self.sort {
        case .added: films
        case .title: Self.sorted(films, by: { FoldedTitle($0.title) }, <)
        case .year: Self.sorted(films, by: \.year, >)
        case .score: Self.sorted(films, by: \.score?.average, >)
        }
    }

    private func hasText(_ film: SavedFilm) -> Bool {
        let text = FoldedTitle(self.text)
        return FoldedTitle(film.movie.title).contains(text) || FoldedTitle(film.movie.originalTitle).contains(text)
    }

    private static func sorted<Value>(
        _ films: [SavedFilm], by value: (MovieSummary) -> Value?, _ precedes: (Value, Value) -> Bool
    ) -> [SavedFilm] {
        let rows = films.enumerated().map { (place: $0.offset, film: $0.element, value: value($0.element.movie)) }
        return rows.sorted { left, right in
            switch (left.value, right.value) {
            case (let one?, let other?):
                precedes(one, other) || (!precedes(other, one) && left.place < right.place)
            case (nil, nil): left.place < right.place
            case (let one, _): one != nil
            }
        }.map(\.film)
    }
}
