import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct BadgeLayoutTests {
    let fonts = BadgeFonts()

    func overlay(_ badges: Badges, _ width: Int, _ height: Int? = nil) throws -> PictureOverlay {
        try BadgePainter.overlay(for: badges, width: width, height: height ?? width * 3 / 2, fonts: self.fonts)
    }

    // MARK: Everything is inside

    @Test(.computingThread, arguments: Badges.Position.allCases, Badges.Style.allCases)
    func nothingIsCutAtAnyWidth(position: Badges.Position, style: Badges.Style) throws {
        let widths = Array(46...160) + Array(stride(from: 163, through: 2000, by: 37))
        for texts in [BadgeFixture.six, [BadgeFixture.long, "8"], [BadgeFixture.stacked]] {
            let badges = BadgeFixture.badges(texts, position, style)
            for width in widths { try self.checkPlaces(badges, width, width * 3 / 2) }
        }
    }

    private func checkPlaces(_ badges: Badges, _ width: Int, _ height: Int) throws {
        let overlay = try self.overlay(badges, width, height)
        let picture = PixelArea(x: 0, y: 0, width: width, height: height)
        try #require(!overlay.pieces.isEmpty, "at \(width)")
        for box in overlay.boxes {
            #expect(picture.contains(PixelArea(box)), "at \(width)")
            #expect(box.radius >= 0 && 2 * box.radius <= min(box.width, box.height), "at \(width)")
        }
        for glyphs in overlay.glyphs {
            let ink = PixelArea(glyphs)
            #expect(overlay.boxes.contains { PixelArea($0).contains(ink) }, "text inside its box at \(width)")
            #expect(glyphs.coverage.count == ink.width * ink.height)
        }
        #expect(overlay.coverageBytes <= BadgePainter.byteCount(of: badges, width: width, height: height))
        if badges.style != .bar {
            let areas = overlay.boxes.map(PixelArea.init)
            for (index, area) in areas.enumerated() {
                #expect(areas[..<index].allSatisfy { $0.intersection(area) == nil }, "boxes are apart at \(width)")
                let isFarEnough = [area.x, area.y, width - area.maxX, height - area.maxY].allSatisfy { $0 >= 3 }
                #expect(isFarEnough, "margin at \(width)")
            }
        }
    }

    @Test(arguments: Badges.Position.allCases, Badges.Style.allCases)
    func flatAndTinyPicturesHaveTheBadgesThatFit(position: Badges.Position, style: Badges.Style) throws {
        let badges = BadgeFixture.badges(BadgeFixture.six, position, style)
        for (width, height) in [(600, 40), (600, 24), (46, 24), (30, 400), (2000, 23)] {
            let overlay = try self.overlay(badges, width, height)
            let picture = PixelArea(x: 0, y: 0, width: width, height: height)
            #expect(overlay.boxes.allSatisfy { picture.contains(PixelArea($0)) }, "\(width) x \(height)")
        }
        for (width, height) in [(600, 10), (4, 400), (1, 1), (0, 0)] {
            let overlay = try self.overlay(badges, width, height)
            #expect(overlay.pieces.isEmpty, "\(width) x \(height)")
            let blank = try self.overlay(BadgeFixture.badges(["", " ", "\u{0}"], position, style), width, height)
            #expect(blank.pieces.isEmpty, "\(width) x \(height)")
        }
    }

    // MARK: Sizes

    @Test func aBadgeAt342PixelsIs27PixelsHighWithTypeOf15() throws {
        let metrics = try #require(BadgeMetrics(width: 342, height: 513, style: .pill))
        #expect(metrics.boxHeight == 27)
        #expect(metrics.em == 968, "15.1 pixels")
        let overlay = try self.overlay(BadgeFixture.badges(["HIM"]), 342)
        #expect(overlay.boxes.map(\.height) == [27])
        // Capital letters and digits have whole pixels above and below.
        let ink = try #require(overlay.glyphs.first)
        #expect((ink.y, ink.height) == (overlay.boxes[0].y + 8, 11))
    }

    @Test(arguments: [92, 154, 185, 342, 500, 780, 2000])
    func typeGrowsWithTheWidthAndIsLegible(width: Int) throws {
        let metrics = try #require(BadgeMetrics(width: width, height: width * 3 / 2, style: .square))
        #expect(metrics.em >= 9 * 64)
        #expect(abs(metrics.em - max(616, min(width * 968 / 342, 4224))) <= 64)
        let overlay = try self.overlay(BadgeFixture.badges(["8.7"]), width)
        let ink = try #require(overlay.glyphs.first)
        // Round digits are a little higher than capital letters.
        #expect((0...1 + metrics.capHeight / 20).contains(ink.height - metrics.capHeight))
    }

    @Test func picturesBelow154PixelsHaveOneBadge() throws {
        for position in Badges.Position.allCases {
            let badges = BadgeFixture.badges(["8.7", "88", "73"], position)
            for width in [92, 153] {
                let count = try self.overlay(badges, width).boxes.count
                #expect(count == 1, "\(position) at \(width)")
            }
            let count = try self.overlay(badges, 154).boxes.count
            #expect(count == 3, "\(position)")
        }
    }

    @Test func badgesThatDoNotFitAreLeftOutFromTheEnd() throws {
        let badges = BadgeFixture.badges(BadgeFixture.six)
        for width in stride(from: 154, through: 1200, by: 7) {
            let overlay = try self.overlay(badges, width)
            let expected = badges.badges.prefix(overlay.boxes.count).map(\.colour)
            #expect(overlay.boxes.map(\.colour) == expected, "at \(width)")
            #expect(overlay.boxes.count >= 2, "at \(width)")
        }
        let column = try self.overlay(BadgeFixture.badges(BadgeFixture.six, .left), 342)
        #expect(column.boxes.count == 6)
        let short = try self.overlay(BadgeFixture.badges(BadgeFixture.six, .left), 342, 110)
        #expect(short.boxes.map(\.height) == [20, 20, 20, 20], "three of the usual size would fit")
    }

    @Test func badgesAreSetAQuarterSmallerIfMoreOfThemFit() throws {
        let heights = try [1, 3, 6].map { count in
            let overlay = try self.overlay(BadgeFixture.badges(Array(BadgeFixture.six.prefix(count))), 342)
            #expect(overlay.boxes.count == count)
            return overlay.boxes[0].height
        }
        #expect(heights == [27, 27, 20])
        let tooMany = try self.overlay(BadgeFixture.badges([BadgeFixture.long, BadgeFixture.wide, "9"]), 342)
        #expect(tooMany.boxes.map(\.height) == [27], "a smaller size would not help")
    }

    @Test func aWideTextIsSetSmallerAndThenShortened() throws {
        let smaller = try self.overlay(BadgeFixture.badges([BadgeFixture.wide]), 342)
        #expect((18...26).contains(smaller.boxes[0].height))
        let shortened = try self.overlay(BadgeFixture.badges([BadgeFixture.long]), 92)
        #expect(shortened.boxes[0].height == 17)
        #expect(shortened.boxes[0].width <= 92 - 6)
        // An ellipsis has ink on the baseline alone.
        let ink = try #require(shortened.glyphs.first)
        let lastColumns = PictureOverlay.rows(of: ink).map { $0.suffix(5) }
        #expect(lastColumns.dropLast(3).allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    // MARK: Places

    @Test(arguments: Badges.Style.allCases)
    func rowsHaveEqualBaselinesAndColumnsEqualWidths(style: Badges.Style) throws {
        for position in Badges.Position.allCases {
            let badges = BadgeFixture.badges(["HE 8", "EH 7", "TE 1"], position, style)
            let overlay = try self.overlay(badges, 500)
            try #require(overlay.glyphs.count == 3)
            if position == .left || position == .right {
                #expect(style == .bar || Set(overlay.boxes.map(\.width)).count == 1)
                let distances = zip(overlay.glyphs.dropFirst(), overlay.glyphs).map { $0.y - $1.y }
                #expect(Set(distances).count == 1, "\(position)")
            } else {
                #expect(Set(overlay.glyphs.map { $0.y + $0.height }).count == 1, "\(position)")
                #expect(Set(overlay.glyphs.map(\.y)).count == 1, "\(position)")
            }
        }
    }

    @Test func positionsAreEdgesAndCorners() throws {
        let (width, height) = (500, 750)
        for position in Badges.Position.allCases {
            let overlay = try self.overlay(BadgeFixture.badges(["8.7", "88"], position), width, height)
            let all = overlay.boxes.map(PixelArea.init).reduce(PixelArea(overlay.boxes[0])) { $0.union($1) }
            let (left, right) = (all.x, width - all.maxX)
            let (top, bottom) = (all.y, height - all.maxY)
            let margin = 12
            switch position {
            case .top: #expect(top == margin && abs(left - right) <= 1)
            case .bottom: #expect(bottom == margin && abs(left - right) <= 1)
            case .left: #expect(left == margin && abs(top - bottom) <= 1)
            case .right: #expect(right == margin && abs(top - bottom) <= 1)
            case .topLeft: #expect(top == margin && left == margin)
            case .topRight: #expect(top == margin && right == margin)
            case .bottomLeft: #expect(bottom == margin && left == margin)
            case .bottomRight: #expect(bottom == margin && right == margin)
            }
        }
    }

    @Test func aBarCoversAnEdgeOrIsAsWideAsItsBadges() throws {
        let (width, height) = (342, 513)
        for position in Badges.Position.allCases {
            let overlay = try self.overlay(BadgeFixture.badges(["8.7", "88"], position, .bar), width, height)
            let bar = PixelArea(try #require(overlay.boxes.first))
            #expect(overlay.boxes.count == 3, "the bar and two marks")
            switch position {
            case .bottom: #expect(bar == PixelArea(x: 0, y: height - 27, width: width, height: 27))
            case .top: #expect(bar == PixelArea(x: 0, y: 0, width: width, height: 27))
            case .left: #expect(bar.x == 0 && bar.y == 0 && bar.height == height && bar.width < width / 2)
            case .right: #expect(bar.maxX == width && bar.height == height && bar.width < width / 2)
            case .topLeft: #expect(bar.x == 0 && bar.y == 0 && bar.width < width && bar.height == 27)
            case .topRight: #expect(bar.maxX == width && bar.y == 0 && bar.width < width && bar.height == 27)
            case .bottomLeft: #expect(bar.x == 0 && bar.maxY == height && bar.width < width && bar.height == 27)
            case .bottomRight: #expect(bar.maxX == width && bar.maxY == height && bar.width < width)
            }
        }
    }

    // MARK: Bounds

    @Test(.computingThread, arguments: Badges.Position.allCases, Badges.Style.allCases)
    func threeBadgesAt780PixelsNeedAtMost64KiB(position: Badges.Position, style: Badges.Style) throws {
        let wide = BadgeFixture.wide
        for texts in [BadgeFixture.scores, [wide, wide, wide], [BadgeFixture.stacked, wide, BadgeFixture.long]] {
            let badges = BadgeFixture.badges(texts, position, style)
            let estimate = BadgePainter.byteCount(of: badges, width: 780, height: 1170)
            let overlay = try self.overlay(badges, 780)
            #expect(estimate <= 64 << 10)
            let pieceBytes = overlay.pieces.count * MemoryLayout<PictureOverlay.Piece>.stride
            #expect(overlay.coverageBytes + pieceBytes <= estimate)
        }
    }

    @Test(.computingThread) func theSameBadgesGiveTheSamePixelsOnAllThreads() async throws {
        let badges = BadgeFixture.badges(BadgeFixture.six, .bottom, .square)
        let expected = try self.overlay(badges, 780).glyphs
        let fonts = self.fonts
        let results = try await withThrowingTaskGroup(of: [PictureOverlay.Glyphs].self) { group in
            for index in 0..<16 {
                group.addTask {
                    // Other sizes between, and the cache of other fonts.
                    _ = try BadgePainter.overlay(for: badges, width: 300 + index, height: 600, fonts: fonts)
                    let other = index % 2 == 0 ? fonts : BadgeFonts()
                    return try BadgePainter.overlay(for: badges, width: 780, height: 1170, fonts: other).glyphs
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for glyphs in results {
            #expect(glyphs.map(\.coverage) == expected.map(\.coverage))
            #expect(glyphs.map { PixelArea($0) } == expected.map { PixelArea($0) })
        }
    }
}
