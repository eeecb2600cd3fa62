/// Lengths of badges in pixels: proportions of the height of capital letters, which depends on the picture's size.
struct BadgeMetrics: Hashable {
    /// Heights of capital letters, for type of 9.6 to 66 pixels.
    static let capHeights = 7...48
    /// The least width of a picture with more than one badge, in pixels.
    static let widthForSeveral = 154

    /// Height of capital letters: 8/11 of the em in the bundled font.
    let capHeight: Int
    /// Between boxes and the edges of the picture.
    let margin: Int
    private let style: Badges.Style

    /// The lengths for a picture.
    /// - Returns: `nil` if the picture is too small for any badge.
    init?(width: Int, height: Int, style: Badges.Style) {
        let wanted = (width * 11 + 171) / 342
        let margin = max(3, (width * 8 + 171) / 342)
        var capHeight = min(max(wanted, Self.capHeights.lowerBound), Self.capHeights.upperBound)
        while true {
            let metrics = BadgeMetrics(capHeight: capHeight, margin: margin, style: style)
            if metrics.boxHeight + 2 * metrics.outerMargin <= height {
                self = metrics
                return
            }
            guard capHeight > Self.capHeights.lowerBound else { return nil }
            capHeight -= 1
        }
    }

    private init(capHeight: Int, margin: Int, style: Badges.Style) {
        self.capHeight = capHeight
        self.margin = margin
        self.style = style
    }

    /// The lengths with smaller type; `nil` for the smallest.
    var smaller: BadgeMetrics? {
        guard self.capHeight > Self.capHeights.lowerBound else { return nil }
        return BadgeMetrics(capHeight: self.capHeight - 1, margin: self.margin, style: self.style)
    }

    /// Size of the type, in 64ths of a pixel.
    var em: Int { self.capHeight * 64 * 11 / 8 }

    /// A part of the height of capital letters, in elevenths, rounded.
    private func elevenths(_ count: Int) -> Int { (self.capHeight * count + 5) / 11 }

    /// Above and below the capital letters.
    var padding: Int { self.elevenths(8) }
    /// At the left and right of the text.
    var sidePadding: Int { self.elevenths(self.style == .pill ? 10 : 9) }
    var boxHeight: Int { self.capHeight + 2 * self.padding }
    /// Between boxes of a row; within a bar, between a text and the next mark.
    var rowGap: Int { self.elevenths(self.style == .bar ? 15 : 6) }
    /// Between boxes of a column.
    var columnGap: Int { self.style == .bar ? 0 : self.elevenths(6) }

    /// Between the boxes and the edges of the picture: 0 for a bar.
    var outerMargin: Int { self.style == .bar ? 0 : self.margin }

    /// Width of the coloured mark before a text in a bar.
    var markWidth: Int { max(3, self.elevenths(4)) }
    var markGap: Int { self.elevenths(6) }

    var radius: Int {
        switch self.style {
        case .pill: self.boxHeight / 2
        case .square: (self.boxHeight * 15 + 50) / 100
        case .bar: 0
        }
    }

    /// Space for ink above the capital letters and below the baseline.
    private var overhang: Int { min(self.padding - 1, self.elevenths(5)) }
    /// Maximum height of a text's ink.
    var inkHeight: Int { self.capHeight + 2 * self.overhang }

    /// The area of a text's ink in a box, or in the part of a bar that the badge occupies.
    func inkArea(in box: PixelArea) -> PixelArea {
        let (before, after) = self.style == .bar ? (self.markWidth, 0) : (self.sidePadding / 2, self.sidePadding / 2)
        return PixelArea(
            x: box.x + before, y: box.y + self.padding - self.overhang, width: box.width - before - after,
            height: self.inkHeight)
    }

    /// Maximum bytes of the texts' coverage for `count` badges of a picture.
    func coverageBytes(width: Int, count: Int, isColumn: Bool) -> Int {
        let available = max(0, self.availableWidth(of: width, isColumn: isColumn))
        // Texts of a row share its width.
        guard isColumn else { return available * self.inkHeight }
        let area = self.inkArea(in: PixelArea(x: 0, y: 0, width: available, height: self.boxHeight))
        return max(0, area.width) * self.inkHeight * count
    }

    /// Width of a badge without its text.
    var widthBesideText: Int {
        self.style == .bar ? self.markWidth + self.markGap : 2 * self.sidePadding
    }

    /// Width of a badge with a text of a width in pixels. A pill is at least round.
    func badgeWidth(textWidth: Int) -> Int {
        max(textWidth + self.widthBesideText, self.style == .pill ? self.boxHeight : 0)
    }

    /// Space for all badges and the gaps between them in a row, or for one badge in a column.
    func availableWidth(of width: Int, isColumn: Bool) -> Int {
        let whole = width - 2 * (self.style == .bar ? max(self.margin, self.sidePadding) : self.margin)
        guard isColumn else { return whole }
        return min(whole, max(width * Self.columnShare / 100, Self.minColumnWidth))
    }

    /// Maximum width of a column, in hundredths of the picture's width; a small picture has ``minColumnWidth``, which
    /// has room for a word.
    private static let (columnShare, minColumnWidth) = (60, 120)

    /// Space for all badges and the gaps between them in a column.
    func availableHeight(of height: Int) -> Int { height - 2 * self.outerMargin }
}
