import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// A film's poster in a page: its picture, or a title card if the film is known to have none.
///
/// The card is an element of the page: it needs no request, and is determined by the row that the page already has.
enum FilmPoster: Hashable, Sendable {
    case picture(PosterObject)
    case card(TitleCard)

    var picture: PosterObject? {
        if case .picture(let picture) = self { picture } else { nil }
    }

    /// - Parameter label: As in ``TitleCard/markup(label:)``.
    /// - Returns: `nil` for a picture.
    func card(label: String? = nil) -> Markup? {
        if case .card(let card) = self { card.markup(label: label) } else { nil }
    }
}

extension PageRequest {
    /// The poster, with the visitor's badges.
    ///
    /// - Throws: ``Problem`` if the picture's URLs cannot be signed.
    func poster(of film: MovieSummary) throws(Problem) -> FilmPoster {
        let language = self.language.first
        self.site.titles.keep(film, in: language)
        let picture = try self.site.pictures.poster(of: film, language: language, badges: self.badges)
        if let picture { return .picture(picture) }
        return .card(try self.site.titleCard(of: film, in: language))
    }
}

extension Website {
    /// The card of a film, in a colour of its backdrop if that is known.
    ///
    /// - Throws: ``Problem`` if the backdrop's URLs cannot be signed.
    func titleCard(of film: MovieSummary, in language: Language) throws(Problem) -> TitleCard {
        TitleCard(film, in: language, dominant: try self.pictures.backdrop(of: film)?.color)
    }
}
