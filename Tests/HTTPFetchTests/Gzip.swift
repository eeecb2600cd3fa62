/// Bodies compressed with Python's gzip.
enum Gzip {
    /// The words "one sheet", three times, with commas.
    static let text: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 207, 75, 85, 40, 206, 72, 77, 45, 209, 81, 200, 199, 194, 4, 0, 116, 60,
        200,
        124, 31, 0, 0, 0,
    ]

    /// 65 536 zeros in 96 bytes.
    static let bomb: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 1, 1, 0, 0, 0, 128, 144, 254, 175, 238, 8, 10]
        + [UInt8](repeating: 0, count: 63) + [106, 235, 142, 151, 215, 0, 0, 1, 0]

    /// 65 536 zeros, compressed twice, in 53 bytes.
    static let bombInBomb: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 147, 239, 230, 96, 0, 1, 38, 230, 183, 7, 25, 25, 129, 140, 134, 9, 255,
        214, 191, 227, 224, 98, 160, 12, 100, 189, 238, 155, 126, 157, 129, 129, 145, 1, 0, 247, 162, 28, 217, 96,
        0, 0, 0,
    ]

    /// An empty body in 20 bytes.
    static let empty: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
}
