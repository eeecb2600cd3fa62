/// Draws badges for a picture.
///
/// Sizes depend on the picture's width: at 342 pixels a badge is 27 pixels high, with type of 15 pixels. Type is never
/// smaller than 9.6 pixels. Below 154 pixels only the first badge is drawn. Several badges may be a quarter smaller, so
/// that more of them fit; the others are left out from the end. A first one that does not fit is set smaller and then
/// shortened.
enum BadgePainter {
    /// A badge with its text in the size of all badges.
    private struct Item {
        var line: BadgeLine
        var badge: Badges.Badge
    }

    /// Maximum memory of an overlay in bytes.
    ///
    /// - Parameter width, height: The picture's size in pixels.
    static func byteCount(of badges: Badges, width: Int, height: Int) -> Int {
        guard let metrics = BadgeMetrics(width: width, height: height, style: badges.style) else { return 0 }
        let count = Self.drawn(badges, width: width).count
        let coverage = metrics.coverageBytes(width: width, count: count, isColumn: badges.position.isColumn)
        return coverage + (2 * count + 1) * Self.pieceBytes
    }

    /// A piece and the header of its array.
    private static let pieceBytes = MemoryLayout<PictureOverlay.Piece>.stride + 32

    /// Lays out and draws badges.
    ///
    /// - Parameters:
    ///   - width, height: The picture's size in pixels.
    ///   - fonts: The installed ones by default.
    /// - Returns: An overlay without pieces if the picture is too small.
    /// - Throws: ``CodecError/outOfMemory``.
    static func overlay(
        for badges: Badges, width: Int, height: Int, fonts: BadgeFonts = .shared
    ) throws(CodecError) -> PictureOverlay {
        try fonts.withFonts { (fonts) throws(CodecError) in
            guard var metrics = BadgeMetrics(width: width, height: height, style: badges.style) else {
                return PictureOverlay(pieces: [])
            }
            let items = try Self.most(of: badges, width: width, height: height, metrics: &metrics, fonts: &fonts)
            let layout = BadgeLayout(
                textWidths: items.map(\.line.width), badges.position, badges.style, metrics, width: width,
                height: height)
            var overlay = PictureOverlay(pieces: [])
            if let bar = layout.bar {
                overlay.pieces.append(.box(Self.box(bar, radius: 0, BadgeColours.bar)))
            }
            for (item, place) in zip(items, layout.places) {
                try Self.draw(item, at: place, metrics, badges.style, to: &overlay, fonts: &fonts)
            }
            return overlay
        }
    }

    private static func drawn(_ badges: Badges, width: Int) -> ArraySlice<Badges.Badge> {
        badges.badges.prefix(width < BadgeMetrics.widthForSeveral ? 1 : Badges.limit)
    }

    /// Chooses the largest size of the type at which the most badges fit.
    private static func most(
        of badges: Badges, width: Int, height: Int, metrics: inout BadgeMetrics, fonts: inout BadgeFontSet
    ) throws(CodecError) -> [Item] {
        let wanted = Self.drawn(badges, width: width).count
        let least = metrics.capHeight * Self.leastPart / 100
        var best = try Self.items(of: badges, width: width, height: height, metrics: &metrics, fonts: &fonts)
        var tried = metrics
        while best.count < wanted, let smaller = tried.smaller, smaller.capHeight >= least {
            tried = smaller
            let items = try Self.items(of: badges, width: width, height: height, metrics: &tried, fonts: &fonts)
            if items.count > best.count { (best, metrics) = (items, tried) }
        }
        return best
    }

    /// The smallest type with which more badges may be drawn, in hundredths of its size for the picture's width.
    private static let leastPart = 75

    /// Places badges with a size of the type, smaller if the first one needs it, until one does not fit.
    private static func items(
        of badges: Badges, width: Int, height: Int, metrics: inout BadgeMetrics, fonts: inout BadgeFontSet
    ) throws(CodecError) -> [Item] {
        let isColumn = badges.position.isColumn
        var items: [Item] = []
        var extent = 0
        for badge in Self.drawn(badges, width: width) {
            let text = try BadgeText(badge.text, in: &fonts)
            var line = try text.line(em: metrics.em, in: &fonts)
            func room() -> Int { metrics.availableWidth(of: width, isColumn: isColumn) - metrics.widthBesideText }
            while items.isEmpty, line.pixelWidth > room(), let smaller = metrics.smaller {
                metrics = smaller
                line = try text.line(em: metrics.em, in: &fonts)
            }
            if line.pixelWidth > room(), isColumn || items.isEmpty {
                guard let short = try Self.shortened(badge.text, em: metrics.em, room: room(), fonts: &fonts) else {
                    break
                }
                line = short
            }
            if line.glyphs.isEmpty { continue }
            let length = isColumn ? metrics.boxHeight : metrics.badgeWidth(textWidth: line.pixelWidth)
            let gap = isColumn ? metrics.columnGap : metrics.rowGap
            extent += length + (items.isEmpty ? 0 : gap)
            let available =
                isColumn
                ? metrics.availableHeight(of: height) : metrics.availableWidth(of: width, isColumn: false)
            guard extent <= available else { break }
            items.append(Item(line: line, badge: badge))
        }
        return items
    }

    /// Returns the longest beginning of a text, in characters, that fits with an ellipsis.
    /// - Returns: `nil` if not even one character fits.
    private static func shortened(
        _ text: String, em: Int, room: Int, fonts: inout BadgeFontSet
    ) throws(CodecError) -> BadgeLine? {
        let characters = Array(text.prefix(Badges.Badge.maxTextLength))
        var longest: BadgeLine?
        var counts = 1..<max(1, characters.count)
        while !counts.isEmpty {
            let count = (counts.lowerBound + counts.upperBound) / 2
            var kept = characters.prefix(count)
            while kept.last?.isWhitespace == true { kept.removeLast() }
            let line = try BadgeText(kept + ["…"], in: &fonts).line(em: em, in: &fonts)
            if line.pixelWidth <= room {
                longest = line
                counts = count + 1..<counts.upperBound
            } else {
                counts = counts.lowerBound..<count
            }
        }
        return longest
    }

    private static func draw(
        _ item: Item, at place: BadgeLayout.Place, _ metrics: BadgeMetrics, _ style: Badges.Style,
        to overlay: inout PictureOverlay, fonts: inout BadgeFontSet
    ) throws(CodecError) {
        var colours = BadgeColours.bar
        if let mark = place.mark {
            let box = PictureOverlay.Box(
                x: mark.x, y: mark.y, width: mark.width, height: mark.height, radius: mark.width / 2,
                colour: BadgeColours.mark(item.badge.colour), opacity: 255)
            overlay.pieces.append(.box(box))
        } else {
            colours = BadgeColours(box: item.badge.colour)
            overlay.pieces.append(.box(Self.box(place.area, radius: metrics.radius, colours)))
        }
        let glyphs = try item.line.drawn(
            x: place.textX, baseline: place.baseline, in: metrics.inkArea(in: place.area), colour: colours.text,
            fonts: &fonts)
        if let glyphs { overlay.pieces.append(.glyphs(glyphs)) }
    }

    private static func box(_ area: PixelArea, radius: Int, _ colours: BadgeColours) -> PictureOverlay.Box {
        PictureOverlay.Box(
            x: area.x, y: area.y, width: area.width, height: area.height, radius: radius, colour: colours.box,
            opacity: colours.opacity)
    }
}
