/// A JPEG of one colour with rows that arrive apart from each other: the scan has a restart marker after each unit, and
/// thousands of fill bytes before it (ITU-T T.81, B.1.1.2 and B.2.1).
enum SlowJPEG {
    /// Width and height of a unit with chroma of half the size, in pixels.
    static let unitSide = 16
    /// Length of a file that is decoded while it arrives, in bytes.
    static let byteCount = 140 << 10
    private static let unitCount =
        (SimulatedPictures.width + unitSide - 1) / unitSide * ((SimulatedPictures.height + unitSide - 1) / unitSide)

    /// - Parameter unit: A baseline JPEG of one unit.
    /// - Returns: The picture of the size in ``SimulatedPictures``, in ``byteCount`` bytes.
    static func bytes(unit: [UInt8]) -> [UInt8] {
        let (head, scan) = Self.parts(of: unit)
        let fill = (Self.byteCount - head.count - Self.unitCount * (scan.count + 2)) / Self.unitCount
        var bytes = head
        for index in 0..<Self.unitCount {
            bytes += scan + [UInt8](repeating: 0xFF, count: fill)
            bytes += [0xFF, index == Self.unitCount - 1 ? 0xD9 : 0xD0 + UInt8(index % 8)]
        }
        return bytes
    }

    /// The segments up to the scan, with the size of the whole picture and restarts after each unit, and the scan.
    private static func parts(of unit: [UInt8]) -> (head: [UInt8], scan: [UInt8]) {
        var head = unit
        var position = 2
        while head[position + 1] != 0xDA {
            if head[position + 1] == 0xC0 {
                let (width, height) = (SimulatedPictures.width, SimulatedPictures.height)
                head.replaceSubrange(
                    position + 5..<position + 9,
                    with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
            }
            position += 2 + (Int(head[position + 2]) << 8 | Int(head[position + 3]))
        }
        let start = position + 2 + (Int(head[position + 2]) << 8 | Int(head[position + 3]))
        let scan = Array(unit[start..<unit.count - 2])
        return (Array(head[..<position]) + [0xFF, 0xDD, 0, 4, 0, 1] + head[position..<start], scan)
    }
}
