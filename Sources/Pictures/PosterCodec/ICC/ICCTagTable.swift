/// The tag table of an ICC profile (ICC.1:2010, 7.3), which gives the sizes of its tables before they are read.
struct ICCTagTable {
    struct Tag {
        /// Four characters.
        let signature: String
        let entry: Int
        /// The range of the content; it may reach beyond the profile.
        let content: Range<Int>
    }

    /// The length of the profile's header (7.2), after which the table begins.
    static let headerLength = 128
    /// Maximum number of tags of a table; real profiles have about twenty.
    private static let tagLimit = 100
    /// The length of the header and the longest table.
    static let maxLength = Self.headerLength + 4 + 12 * Self.tagLimit

    let tags: [Tag]

    /// - Parameter bytes: A profile, or its first ``maxLength`` bytes.
    /// - Returns: `nil` if the table is incomplete or too long.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerLength + 4 else { return nil }
        let count = bytes.bigEndian(at: Self.headerLength)
        guard count <= Self.tagLimit, Self.length(count: count) <= bytes.count else { return nil }
        self.tags = (0..<count).map { index in
            let entry = Self.length(count: index)
            let (offset, size) = (bytes.bigEndian(at: entry + 4), bytes.bigEndian(at: entry + 8))
            return Tag(
                signature: String(decoding: bytes[entry..<entry + 4], as: UTF8.self), entry: entry,
                content: offset..<offset + size)
        }
    }

    /// The length of the header and a table of `count` tags.
    private static func length(count: Int) -> Int { Self.headerLength + 4 + 12 * count }

    /// The size in bytes of the largest of the named tags.
    private func size(of names: String...) -> Int {
        self.tags.lazy.filter { names.contains($0.signature) }.map(\.content.count).max() ?? 0
    }

    /// Estimates, rather too high, the memory of a profile's conversion in bytes, including the profile.
    ///
    /// Little CMS 2.14 holds four pipelines at once during black point detection, each with the whole table from device
    /// to connection space, in 16 bits where the file has 8; for CMYK also the reverse table, three times. Curves have
    /// up to 32,767 entries, and up to ten of them belong to a table. The resulting table of 33³ or 17⁴ nodes is small.
    ///
    /// - Parameter prefix: The profile's first ``maxLength`` bytes, or all of it.
    static func workingBytes(of prefix: UnsafeRawBufferPointer, byteCount: Int) -> Int {
        // The library does not get a profile without a tag table.
        guard let directory = ICCTagTable(prefix) else { return Self.copies(byteCount) }
        return Self.workingBytes(
            byteCount: byteCount, forth: min(byteCount, directory.size(of: "A2B0", "A2B1")),
            back: min(byteCount, directory.size(of: "B2A0")))
    }

    /// The maximum of ``workingBytes(of:byteCount:)`` for profiles of this size, whatever their tags.
    static func maxWorkingBytes(byteCount: Int) -> Int {
        Self.workingBytes(byteCount: byteCount, forth: byteCount, back: byteCount)
    }

    private static func workingBytes(byteCount: Int, forth: Int, back: Int) -> Int {
        let curves = 4 * 10 * min(byteCount, 2 * 32_767)
        return Self.copies(byteCount) + 4 * 2 * forth + 3 * 2 * back + curves + (1 << 20)
    }

    /// The profile, its sanitised copy, and the library's copy.
    private static func copies(_ byteCount: Int) -> Int { 3 * byteCount }
}
