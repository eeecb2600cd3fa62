/// Draws each badge as a plain box at the bottom of the picture.
enum BadgePainter {
    static func overlay(for badges: Badges, width: Int, height: Int) throws(CodecError) -> PictureOverlay {
        let unit = max(1, min(width, height) / 8)
        var pieces: [PictureOverlay.Piece] = []
        for (index, badge) in badges.badges.enumerated() where (index + 1) * unit <= width {
            let box = PictureOverlay.Box(
                x: index * unit, y: height - unit, width: unit, height: unit, radius: unit / 4, colour: badge.colour,
                opacity: 230)
            pieces.append(.box(box))
            let side = (unit + 1) / 2
            pieces.append(
                .glyphs(
                    PictureOverlay.Glyphs(
                        x: index * unit + unit / 4, y: height - side - unit / 4, width: side, height: side,
                        colour: RenderTarget.Colour(red: 0, green: 0, blue: 0),
                        coverage: (0..<side * side).map { UInt8($0 % 2 * 255) })))
        }
        return PictureOverlay(pieces: pieces)
    }
}
