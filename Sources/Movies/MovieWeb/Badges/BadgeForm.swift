import HTTPServer
import MovieDomain
import MovieHTTP

/// The form of the page about badges: a film, badges and a width.
struct BadgeForm: Sendable {
    static let filmParameter = "film"
    private static let sourceParameter = "badge"
    private static let positionParameter = "position"
    private static let textParameter = "text"
    private static let widthParameter = "width"
    /// The default width, unless the server's widths are others, in pixels.
    private static let usualWidth = 342

    /// The page's parameters.
    ///
    /// - Parameter limit: Maximum number of badges.
    static func parameters(limit: Int) -> [String] {
        [Self.filmParameter] + (1...limit).map { "\(Self.sourceParameter)\($0)" }
            + [Self.positionParameter, "style", "colours", Self.widthParameter, Self.textParameter]
    }

    /// The badges in the form; `nil` for none.
    let badges: PictureBadges?
    let width: Int
    /// The text as entered; `nil` for none.
    let text: String?
    private let choices: BadgeChoices
    private let words: BadgeWords

    /// Reads the address without unknown values. By default the visitor's setting, or else the scores of the catalogue's
    /// source.
    init(_ request: PageRequest) {
        let choices = request.site.pictures.urls.badgeChoices
        let text = choices.allowsTexts ? request[Self.textParameter] : nil
        let sources = (1...choices.limit).compactMap { request["\(Self.sourceParameter)\($0)"] }
        // Forms have a position always.
        if sources.isEmpty, text == nil, request[Self.positionParameter] == nil {
            let own = request.site.services.catalogue.source.rawValue
            let usual = choices.sources.contains(own) ? own : choices.sources.first
            self.badges =
                request.badges
                ?? choices.badges([usual].compactMap(\.self), position: nil, style: nil, colours: nil)
        } else {
            self.badges = choices.badges(
                sources, position: request[Self.positionParameter], style: request["style"],
                colours: request["colours"], text: text)
        }
        let width = request[Self.widthParameter].flatMap { Int($0) }
        self.width =
            choices.widths.first { $0 == width } ?? choices.widths.first { $0 >= Self.usualWidth }
            ?? choices.widths.last ?? Self.usualWidth
        self.text = text
        self.choices = choices
        self.words = BadgeWords(request.formats)
    }

    /// Whether the text was refused.
    var hasRefusedText: Bool { self.text.map { !self.choices.accepts($0) } ?? false }

    /// The values of the template, besides the film's.
    var model: Model {
        let places = (1...self.choices.limit).map { place -> Model in
            let sources = self.badges?.sources ?? []
            return self.field(
                "\(Self.sourceParameter)\(place)", label: self.words.formats("badgesPlace", ["number": String(place)]),
                [""] + self.choices.sources, chosen: sources.count >= place ? sources[place - 1] : "",
                self.words.source)
        }
        let others = [
            self.field(
                Self.positionParameter, label: self.words.formats("badgesPosition"), self.choices.positions,
                chosen: self.badges?.position, self.words.value),
            self.field(
                "style", label: self.words.formats("badgesStyle"), self.choices.styles, chosen: self.badges?.style,
                self.words.value),
            self.field(
                "colours", label: self.words.formats("badgesColours"), self.choices.colours,
                chosen: self.badges?.colours, self.words.value),
            self.field(
                Self.widthParameter, label: self.words.formats("badgesWidth"), self.choices.widths.map(String.init),
                chosen: String(self.width)
            ) { $0 },
        ]
        return [
            "fields": places + others,
            "text": self.choices.allowsTexts
                ? ["value": self.text, "limit": self.choices.textLimit] as Model : nil,
        ]
    }

    /// - Parameter chosen: `nil` for the first value.
    private func field(
        _ name: String, label: String, _ values: [String], chosen: String?, _ text: (String) -> String
    ) -> Model {
        let chosen = chosen ?? values.first
        return [
            "name": name, "label": label,
            "options": values.map { value -> Model in
                ["value": value, "text": text(value), "isChosen": value == chosen]
            },
        ]
    }
}
