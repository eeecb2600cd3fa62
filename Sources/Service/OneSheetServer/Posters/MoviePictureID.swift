import MovieDomain
import PosterAPI
import PosterPipeline

/// The id of a picture of a film or app: its poster, as in `tmdb:603`; one of several posters, as in `tmdb:603~ja`,
/// `tmdb:603~textless` and `tmdb:603~textless-ja`; or another picture, as in `tmdb:603~2`.
struct MoviePictureID: Hashable {
    enum Part: Hashable {
        /// The default poster of lists and pages.
        case poster
        case choice(PosterChoice)
        /// A picture of the gallery, counted from 1.
        case gallery(Int)
    }

    static let numbers = 1...50

    let film: MovieID
    let part: Part

    /// - Returns: `nil` if the id belongs to no film or app.
    init?(_ id: PosterID) {
        guard let source = MovieSource(rawValue: id.source) else { return nil }
        let parts = id.key.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count <= 2, let film = MovieID(source: source, key: parts[0]),
            let part = parts.count == 2 ? Part(parts[1]) : .poster
        else { return nil }
        self.film = film
        self.part = part
    }
}

extension MoviePictureID.Part {
    /// Each picture has one name: a number has no sign and no leading zeros, a language is in lower case.
    fileprivate init?(_ text: String) {
        if let number = Int(text) {
            guard MoviePictureID.numbers.contains(number), String(number) == text else { return nil }
            self = .gallery(number)
            return
        }
        let textless = PosterLanguages.textless
        guard text != textless else {
            self = .choice(PosterChoice(isTextless: true))
            return
        }
        let isTextless = text.hasPrefix(textless + "-")
        let code = isTextless ? String(text.dropFirst(textless.count + 1)) : text
        guard let language = Language(code), language.code == code else { return nil }
        self = .choice(PosterChoice(language: language, isTextless: isTextless))
    }
}
