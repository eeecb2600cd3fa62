/// The transformation from a picture's stored rows and columns to the shown ones (EXIF 2.3, tag 0x0112).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    case transposed = 5
    /// Shown after a turn of 90° clockwise.
    case turnedLeft = 6
    case transversed = 7
    /// Shown after a turn of 90° anticlockwise.
    case turnedRight = 8

    // Each is a sequence: mirror the stored columns, mirror the stored rows, exchange rows and columns.

    /// Whether the shown width is the stored height.
    var swapsSides: Bool { self.rawValue >= 5 }
    var mirrorsColumns: Bool { [.mirrored, .upsideDown, .transversed, .turnedRight].contains(self) }
    var mirrorsRows: Bool { [.upsideDown, .mirroredUpsideDown, .turnedLeft, .transversed].contains(self) }
}

/// Reads the orientation from EXIF data.
enum EXIF {
    /// The orientation in the first directory of a TIFF structure; nil without a valid one.
    static func orientation(in tiff: UnsafeRawBufferPointer) -> Orientation? {
        let prefix = FilePrefix(tiff)
        let isLittle = prefix.has("II")
        guard isLittle || prefix.has("MM") else { return nil }

        func number(_ offset: Int, _ byteCount: Int) -> Int? {
            guard offset >= 0, offset + byteCount <= tiff.count else { return nil }
            let bytes = tiff[offset..<offset + byteCount]
            return isLittle
                ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
        }

        guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            // One value of type 3, SHORT, which sits in the entry itself; browsers take nothing else.
            guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1 else { return nil }
            return number(entry + 8, 2).flatMap(Orientation.init)
        }
        return nil
    }
}
