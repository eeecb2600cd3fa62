import HTTPSemantics
import PosterCodec
import PosterPipeline

/// The badges that a URL requests, before their scores are known.
struct BadgeRequest: Hashable, Sendable {
    static let names = ["badges", "text"] + Self.settings
    /// The maximum number of sources.
    static let sourceLimit = Badges.limit
    private static let settings = ["badge-position", "badge-style", "badge-colours"]

    /// In the order of drawing, without repetition; empty for ``text`` alone.
    let sources: [BadgeSource]
    let position: Badges.Position
    let style: Badges.Style
    let colours: BadgeColours
    /// The first badge's text; `nil` without one.
    let text: String?

    /// - Parameter isTextAllowed: Whether the signature or the policy allows ``text``.
    /// - Returns: `nil` without badges.
    /// - Throws: ``Problem`` that names the parameter and the accepted values.
    init?(_ parameters: QueryParameters, isTextAllowed: Bool) throws(Problem) {
        let sources = try parameters.value("badges", accepted: Self.lists, Self.sources)
        let text = try parameters.value("text", accepted: BadgeText.forms, BadgeText.accepted)
        let position: Badges.Position? = try parameters.choice("badge-position")
        let style: Badges.Style? = try parameters.choice("badge-style")
        let colours: BadgeColours? = try parameters.choice("badge-colours")
        guard sources != nil || text != nil else {
            if let name = Self.settings.first(where: { parameters[$0] != nil }) {
                throw Problem(
                    .invalidParameter, "\(name) requires badges or text", parameter: Problem.Parameter(name))
            }
            return nil
        }
        guard text == nil || isTextAllowed else {
            throw Problem(
                .urlNotAllowed, "text is allowed neither by --badge-text nor a signature",
                parameter: Problem.Parameter("text"))
        }
        if let text { try Self.checkFonts(for: text) }
        self.sources = sources ?? []
        guard self.sources.count + (text == nil ? 0 : 1) <= Badges.limit else {
            throw Problem(
                .invalidParameter,
                "badges must be at most \(Badges.limit - 1) sources beside text: a picture has \(Badges.limit) badges",
                parameter: Problem.Parameter("badges"))
        }
        self.position = position ?? .bottom
        self.style = style ?? .pill
        self.colours = colours ?? .value
        self.text = text
    }

    private static func checkFonts(for text: String) throws(Problem) {
        let missing: [Character]
        do throws(CodecError) {
            missing = try BadgeFonts.shared.missingCharacters(in: text)
        } catch {
            throw Problem(PosterError(error))
        }
        guard missing.isEmpty else {
            throw Problem(
                .invalidParameter,
                "text has characters that no font of this server has: \(String(missing)); --badge-font adds fonts",
                parameter: Problem.Parameter("text"))
        }
    }

    /// The badges as drawn: the text first, then the sources that have a score; `nil` if there are none.
    func badges(_ scores: [BadgeSource: BadgeScore]) -> Badges? {
        let text = self.text.map { Badges.Badge(text: $0, colour: BadgeColours.text) }
        let drawn = self.sources.compactMap { source in
            scores[source].map { score in
                Badges.Badge(text: source.text(of: score), colour: self.colours.colour(of: score, at: source))
            }
        }
        return Badges([text].compactMap(\.self) + drawn, position: self.position, style: self.style)
    }

    private static let lists =
        "1 to \(Badges.limit) of \(BadgeSource.allCases.map(\.rawValue).joined(separator: ", ")), each once, "
        + "separated by commas"

    private static func sources(_ text: String) -> [BadgeSource]? {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count <= Badges.limit else { return nil }
        let sources = parts.compactMap { part in
            BadgeSource.allCases.first { $0.rawValue.utf8.elementsEqual(part) }
        }
        return sources.count == parts.count && Set(sources).count == sources.count ? sources : nil
    }
}
