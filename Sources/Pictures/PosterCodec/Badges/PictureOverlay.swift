/// Boxes and glyphs to blend into the rows of a picture, in the order of drawing.
///
/// Its memory depends on the glyphs alone: boxes are computed row by row.
struct PictureOverlay: Sendable {
    /// A box with rounded corners, anti-aliased.
    struct Box: Sendable {
        /// In pixels, inside the picture.
        var x, y, width, height: Int
        /// The radius of the corners in pixels, at most half the shorter side.
        var radius: Int
        var colour: RenderTarget.Colour
        /// 255 is opaque.
        var opacity: UInt8
    }

    /// The coverage of glyphs in one colour.
    struct Glyphs: Sendable {
        /// In pixels, inside the picture.
        var x, y, width, height: Int
        var colour: RenderTarget.Colour
        /// `width * height` values, row by row; 255 is covered.
        var coverage: [UInt8]
    }

    enum Piece: Sendable {
        case box(Box)
        case glyphs(Glyphs)
    }

    var pieces: [Piece]
}
