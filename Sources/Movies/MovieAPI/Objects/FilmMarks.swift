import HTTPServer
import MovieDomain

/// The user's marks on the films of a response: the members `isFavourite`, `isOnWatchlist` and `myRating`.
enum FilmMarks: Sendable {
    private enum CodingKeys: String, CodingKey {
        case isFavourite, isOnWatchlist, myRating
    }

    /// No marks: the response is the same for all clients.
    case absent
    /// Slots for the client's marks; ``EncodedResponse/filled(forAll:_:)`` fills them in the encoded response.
    case slots
    /// The given marks; unknown for other films.
    case known([MovieID: Marks])

    /// Encodes a film's marks into its object. Unknown marks are null; an unknown rating is absent: null means none.
    func encode(of id: MovieID, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .absent: break
        case .slots:
            // Ids have no characters that JSON escapes.
            try container.encode(EncodedResponse.slotText(id.description), forKey: .isFavourite)
        case .known(let marks):
            let marks = marks[id] ?? .unknown
            try container.encode(marks.isFavourite, forKey: .isFavourite)
            try container.encode(marks.isOnWatchlist, forKey: .isOnWatchlist)
            switch marks.rated {
            case .unknown: break
            case .none: try container.encodeNil(forKey: .myRating)
            case .rating(let rating): try container.encode(rating.value, forKey: .myRating)
            }
        }
    }

    /// The text that replaces the slot of a film with these marks.
    static func text(of marks: Marks) -> String {
        let lists = "\(Self.text(marks.isFavourite)),\"isOnWatchlist\":\(Self.text(marks.isOnWatchlist))"
        return switch marks.rated {
        case .unknown: lists
        case .none: "\(lists),\"myRating\":null"
        case .rating(let rating): "\(lists),\"myRating\":\(Self.number(rating))"
        }
    }

    private static func text(_ isMarked: Bool?) -> String {
        isMarked.map(String.init) ?? "null"
    }

    /// In the encoder's format: `9`, `8.5`.
    private static func number(_ rating: Rating) -> String {
        "\(rating.halves / 2)" + (rating.halves.isMultiple(of: 2) ? "" : ".5")
    }
}
