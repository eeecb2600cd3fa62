/// The list of an ICC profile's tags, which comes first in it (ICC.1:2010, 7.3): it says how large a profile's tables are
/// before they are read.
struct ICCTagTable {
    /// An entry of the list.
    struct Tag {
        /// Four characters.
        let signature: String
        /// Where the entry itself begins.
        let entry: Int
        /// Where the content lies; it may reach beyond the profile.
        let content: Range<Int>
    }

    /// Where the list begins: after the profile's header (7.2).
    static let headerLength = 128
    /// The most tags that are read; real profiles have about twenty.
    private static let tagLimit = 100
    /// The length of the longest list, with the header before it.
    static let maxLength = Self.headerLength + 4 + 12 * Self.tagLimit

    let tags: [Tag]

    /// - Parameter bytes: A profile, or its first ``maxLength`` bytes.
    /// - Returns: nil when the list is not all there, or too long.
    init?(_ bytes: some RandomAccessCollection<UInt8>) {
        func number(at offset: Int) -> Int {
            let start = bytes.index(bytes.startIndex, offsetBy: offset)
            return bytes[start..<bytes.index(start, offsetBy: 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= Self.headerLength + 4 else { return nil }
        let count = number(at: Self.headerLength)
        guard count <= Self.tagLimit, Self.length(count: count) <= bytes.count else { return nil }
        self.tags = (0..<count).map { index in
            let entry = Self.length(count: index)
            let name = bytes.index(bytes.startIndex, offsetBy: entry)
            let (offset, size) = (number(at: entry + 4), number(at: entry + 8))
            return Tag(
                signature: String(decoding: bytes[name..<bytes.index(name, offsetBy: 4)], as: UTF8.self), entry: entry,
                content: offset..<offset + size)
        }
    }

    /// The length of the list and the header for so many tags.
    private static func length(count: Int) -> Int { Self.headerLength + 4 + 12 * count }

    /// The most bytes that a tag of one of these names has.
    private func size(of names: String...) -> Int {
        self.tags.lazy.filter { names.contains($0.signature) }.map(\.content.count).max() ?? 0
    }

    /// An estimate of the memory that reading a profile and making a conversion of it take, the profile included: rather
    /// too much.
    ///
    /// Little CMS 2.14 holds four pipelines at once while it looks for the black point, each with the whole table from
    /// the device to the connection space, in 16 bits where the file has 8; of a printer's CMYK also the table of the
    /// way back, three times. Curves have up to 32,767 entries, and up to ten of them belong to a table, whatever part
    /// of the file they share. What is left is small: a table of 33³ or 17⁴ nodes, which is the conversion.
    ///
    /// - Parameters:
    ///   - prefix: The profile's first ``maxLength`` bytes, or all.
    ///   - byteCount: The profile's length.
    static func workingBytes(of prefix: some RandomAccessCollection<UInt8>, byteCount: Int) -> Int {
        // The profile, the one without hidden tags, and the library's own.
        let copies = 3 * byteCount
        // The library does not see a profile without a directory.
        guard let directory = ICCTagTable(prefix) else { return copies }
        let forth = min(byteCount, directory.size(of: "A2B0", "A2B1"))
        let back = min(byteCount, directory.size(of: "B2A0"))
        let curves = 4 * 10 * min(byteCount, 2 * 32_767)
        return copies + 4 * 2 * forth + 3 * 2 * back + curves + (1 << 20)
    }
}
