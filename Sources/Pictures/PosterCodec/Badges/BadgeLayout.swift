/// Places of badges in a picture, in whole pixels, so that edges and baselines are sharp.
struct BadgeLayout {
    /// The place of a badge.
    struct Place: Hashable {
        /// The box; in a bar, the part of the bar that the badge occupies.
        var area: PixelArea
        /// The coloured mark before the text in a bar.
        var mark: PixelArea?
        /// Origin of the text, in 64ths of a pixel.
        var textX = 0
        /// The text's baseline, in pixels.
        var baseline: Int
    }

    /// The box behind all badges of a bar.
    private(set) var bar: PixelArea?
    private(set) var places: [Place] = []

    /// - Parameters:
    ///   - textWidths: In 64ths of a pixel; all badges fit.
    ///   - width, height: The picture's size in pixels.
    init(
        textWidths: [Int], _ position: Badges.Position, _ style: Badges.Style, _ metrics: BadgeMetrics, width: Int,
        height: Int
    ) {
        guard !textWidths.isEmpty else { return }
        let widths = textWidths.map { metrics.badgeWidth(textWidth: ($0 + 63) / 64) }
        let ends = style == .bar ? max(metrics.outerMargin, metrics.sidePadding) : metrics.outerMargin
        let areas =
            position.isColumn
            ? Self.column(widths, position, metrics, ends: ends, width: width, height: height)
            : Self.row(widths, position, metrics, ends: ends, width: width, height: height)
        if style == .bar { self.bar = Self.bar(around: areas, position, ends: ends, width: width, height: height) }
        self.places = zip(areas, textWidths).map { area, textWidth in
            var place = Place(area: area, baseline: area.y + metrics.padding + metrics.capHeight)
            if style == .bar {
                let top = area.y + metrics.padding
                place.mark = PixelArea(x: area.x, y: top, width: metrics.markWidth, height: metrics.capHeight)
                place.textX = (area.x + metrics.widthBesideText) * 64
            } else {
                place.textX = area.x * 64 + (area.width * 64 - textWidth) / 2
            }
            return place
        }
    }

    private static func row(
        _ widths: [Int], _ position: Badges.Position, _ metrics: BadgeMetrics, ends: Int, width: Int, height: Int
    ) -> [PixelArea] {
        let total = widths.reduce(0, +) + (widths.count - 1) * metrics.rowGap
        var x =
            switch position {
            case .topLeft, .bottomLeft: ends
            case .topRight, .bottomRight: width - ends - total
            case .bottom, .top, .left, .right: (width - total) / 2
            }
        let y = position.isAtTop ? metrics.outerMargin : height - metrics.outerMargin - metrics.boxHeight
        return widths.map { itemWidth in
            defer { x += itemWidth + metrics.rowGap }
            return PixelArea(x: x, y: y, width: itemWidth, height: metrics.boxHeight)
        }
    }

    /// All areas of a column have the same width.
    private static func column(
        _ widths: [Int], _ position: Badges.Position, _ metrics: BadgeMetrics, ends: Int, width: Int, height: Int
    ) -> [PixelArea] {
        let widest = widths.max() ?? 0
        let x = position == .left ? ends : width - ends - widest
        let total = widths.count * metrics.boxHeight + (widths.count - 1) * metrics.columnGap
        let first = (height - total) / 2
        return widths.indices.map { index in
            let y = first + index * (metrics.boxHeight + metrics.columnGap)
            return PixelArea(x: x, y: y, width: widest, height: metrics.boxHeight)
        }
    }

    private static func bar(
        around areas: [PixelArea], _ position: Badges.Position, ends: Int, width: Int, height: Int
    ) -> PixelArea? {
        guard let first = areas.first else { return nil }
        let content = areas.dropFirst().reduce(first) { $0.union($1) }
        switch position {
        case .bottom, .top: return PixelArea(x: 0, y: content.y, width: width, height: content.height)
        case .left, .right:
            return PixelArea(x: content.x - ends, y: 0, width: content.width + 2 * ends, height: height)
        case .topLeft, .topRight, .bottomLeft, .bottomRight:
            return PixelArea(x: content.x - ends, y: content.y, width: content.width + 2 * ends, height: content.height)
        }
    }
}

extension Badges.Position {
    /// Whether badges are one below the other.
    var isColumn: Bool { self == .left || self == .right }

    /// Whether a row is at the picture's upper edge.
    var isAtTop: Bool { [.top, .topLeft, .topRight].contains(self) }
}

/// A rectangle of pixels that is not empty.
struct PixelArea: Hashable {
    var x, y, width, height: Int

    var maxX: Int { self.x + self.width }
    var maxY: Int { self.y + self.height }

    func intersection(_ other: PixelArea) -> PixelArea? {
        let (left, top) = (max(self.x, other.x), max(self.y, other.y))
        let (right, bottom) = (min(self.maxX, other.maxX), min(self.maxY, other.maxY))
        guard left < right, top < bottom else { return nil }
        return PixelArea(x: left, y: top, width: right - left, height: bottom - top)
    }

    func union(_ other: PixelArea) -> PixelArea {
        let (left, top) = (min(self.x, other.x), min(self.y, other.y))
        return PixelArea(
            x: left, y: top, width: max(self.maxX, other.maxX) - left, height: max(self.maxY, other.maxY) - top)
    }
}
