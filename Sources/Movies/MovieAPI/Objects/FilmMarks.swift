import HTTPServer
import MovieDomain

/// Which marks of the user the films of a response have: the members `isFavourite` and `myRating`.
enum FilmMarks: Sendable {
    private enum CodingKeys: String, CodingKey {
        case isFavourite, myRating
    }

    /// None: the response is the same for all clients.
    case absent
    /// Those of the client, which ``JSONResponse/filled(_:)`` writes into the encoded response.
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
            try container.encode(JSONResponse.slotText(id.description), forKey: .isFavourite)
        case .known(let marks):
            let marks = marks[id] ?? .unknown
            try container.encode(marks.isFavourite, forKey: .isFavourite)
            switch marks.rated {
            case .unknown: break
            case .none: try container.encodeNil(forKey: .myRating)
            case .rating(let rating): try container.encode(rating.value, forKey: .myRating)
            }
        }
    }

    /// What takes the place of the slot of a film with these marks.
    static func text(of marks: Marks) -> String {
        let isFavourite = marks.isFavourite.map(String.init) ?? "null"
        return switch marks.rated {
        case .unknown: isFavourite
        case .none: "\(isFavourite),\"\(CodingKeys.myRating.rawValue)\":null"
        case .rating(let rating): "\(isFavourite),\"\(CodingKeys.myRating.rawValue)\":\(Self.number(rating))"
        }
    }

    /// As the encoder writes it: `9`, `8.5`.
    private static func number(_ rating: Rating) -> String {
        "\(rating.halves / 2)" + (rating.halves.isMultiple(of: 2) ? "" : ".5")
    }
}
