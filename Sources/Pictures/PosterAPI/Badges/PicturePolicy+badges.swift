import HTTPServer
import PosterCodec

extension PicturePolicy {
    /// The badges of URLs that this server builds. A text that only a signature would allow is not among them: anyone
    /// could have one signed.
    var badgeChoices: BadgeChoices {
        let text: (@Sendable (String) -> String?)? = self.allowsBadgeTexts ? { @Sendable in BadgeText.accepted($0) } : nil
        return BadgeChoices(
            sources: BadgeSource.allCases.map(\.rawValue), positions: Badges.Position.allCases.map(\.rawValue),
            styles: Badges.Style.allCases.map(\.rawValue), colours: BadgeColours.allCases.map(\.rawValue),
            limit: Badges.limit, widths: self.ladder?.rungs ?? PictureWidths.standard.pixels,
            textLimit: Badges.Badge.maxTextLength, text: text)
    }
}
