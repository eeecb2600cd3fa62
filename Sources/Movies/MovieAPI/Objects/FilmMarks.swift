import HTTPServer
import MovieDomain

/// Which marks of the user the films of a response have: the members `isFavourite`, `isOnWatchlist` and `myRating`.
enum FilmMarks: Sendable {
    private enum CodingKeys: String, CodingKey {
        case isFavourite, isOnWatchlist, myRating
    }

    /// None: the response is the same for all clients.
    case absent
    /// Those of the client, which ``EncodedResponse/filled(forAll:_:)`` writes into the encoded response.
    case slots
    /// These; unknown for other films.
    case known([MovieID: Marks])

    /// Encodes the marks of a film into its object. What is unknown is null, or absent for a rating, whose null means that there is none.
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

    /// What takes the place of the slot of a film with these marks.
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

    /// As the encoder writes it: `9`, `8.5`.
    private static func number(_ rating: Rating) -> String {
        "\(rating.halves / 2)" + (rating.halves.isMultiple(of: 2) ? "" : ".5")
    }
}
