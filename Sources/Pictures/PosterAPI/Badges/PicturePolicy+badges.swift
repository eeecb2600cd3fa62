import HTTPServer
import PosterCodec

extension PicturePolicy {
    /// The badges of URLs that this server builds. A text that only a signature would allow is not among them: anyone
    /// could have one signed.
    var badgeChoices: BadgeChoices {
        let accepted: @Sendable (String) -> String? = { BadgeText.accepted($0) }
        return BadgeChoices(
            sources: BadgeSource.allCases.map(\.rawValue), positions: Badges.Position.allCases.map(\.rawValue),
            styles: Badges.Style.allCases.map(\.rawValue), colours: BadgeColours.allCases.map(\.rawValue),
            limit: Badges.limit, widths: self.ladder?.rungs ?? PictureWidths.standard.pixels,
            textLimit: Badges.Badge.maxTextLength, text: self.allowsBadgeTexts ? accepted : nil)
    }
}
