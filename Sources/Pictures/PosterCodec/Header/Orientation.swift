/// How the stored rows and columns of a picture are to be shown (EXIF 2.3, tag 0x0112).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    case transposed = 5
    /// Stored lying on its left side: turn it 90° clockwise.
    case turnedLeft = 6
    case transversed = 7
    /// Stored lying on its right side: turn it 90° anticlockwise.
    case turnedRight = 8

    // Every orientation is: mirror the stored columns, mirror the stored rows, then exchange rows and columns.

    /// Whether shown width is stored height.
    var swapsSides: Bool { self.rawValue >= 5 }
    var mirrorsColumns: Bool { [.mirrored, .upsideDown, .transversed, .turnedRight].contains(self) }
    var mirrorsRows: Bool { [.upsideDown, .mirroredUpsideDown, .turnedLeft, .transversed].contains(self) }
}
