/// Validates an ICC profile (ICC.1:2010) before Little CMS parses it.
///
/// Little CMS allocates tables of the declared size, whether their data is there or not, and runs any number of
/// processing elements: a picture of 200 bytes could take gigabytes and minutes.
enum ICCProfileSanitizer {
    /// Classes that no picture embeds (ICC.1:2010, B.1): named colours, device links and abstract profiles. Little CMS
    /// reads their tags differently.
    private static let otherClasses: Set = ["nmcl", "link", "abst"]

    /// The profile without unneeded and invalid tags; `nil` if it is invalid, or its tables are not for `channels` (1,
    /// 3 or 4) samples a pixel.
    static func trimmed(_ bytes: [UInt8], channels: Int) -> [UInt8]? {
        bytes.withUnsafeBytes { Self.trimmed($0, channels: channels) }
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer, channels: Int) -> [UInt8]? {
        guard let directory = ICCTagTable(bytes),
            !Self.otherClasses.contains(String(decoding: bytes[12..<16], as: UTF8.self))
        else { return nil }
        var profile = Array(bytes)
        for (index, tag) in directory.tags.enumerated() {
            let isWithin = tag.content.upperBound <= bytes.count && tag.content.count >= 8
            let content = isWithin ? UnsafeRawBufferPointer(rebasing: bytes[tag.content]) : nil
            switch tag.signature {
            case "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2", "B2D3":
                // Multi-process elements; browsers do not use them.
                Self.hide(tag.entry, index, in: &profile)
            case "A2B0", "A2B1", "A2B2":
                guard let content, Self.isWhole(content, from: channels, to: 3) else { return nil }
            case "B2A0", "B2A1", "B2A2":
                // Read for the black point only.
                if let content, Self.isWhole(content, from: 3, to: channels) { continue }
                Self.hide(tag.entry, index, in: &profile)
            default:
                if !isWithin { Self.hide(tag.entry, index, in: &profile) }
            }
        }
        return profile
    }

    /// Renames a tag to a unique, meaningless signature.
    private static func hide(_ entry: Int, _ index: Int, in profile: inout [UInt8]) {
        profile.replaceSubrange(entry..<entry + 4, with: [0x78, 0x78, 0x30, UInt8(index)])
    }

    /// Whether a table's data has at least the size that its header declares.
    private static func isWhole(_ tag: UnsafeRawBufferPointer, from inputs: Int, to outputs: Int) -> Bool {
        guard tag.count >= 32, Int(tag[8]) == inputs, Int(tag[9]) == outputs else { return false }
        switch String(decoding: tag[0..<4], as: UTF8.self) {
        case "mft1":
            let nodes = Self.power(Int(tag[10]), inputs)
            return 48 + 256 * inputs + nodes * outputs + 256 * outputs <= tag.count
        case "mft2":
            guard tag.count >= 52 else { return false }
            let (before, after) = (tag.bigEndian(at: 48, byteCount: 2), tag.bigEndian(at: 50, byteCount: 2))
            let nodes = Self.power(Int(tag[10]), inputs)
            return 52 + 2 * (before * inputs + nodes * outputs + after * outputs) <= tag.count
        case "mAB ", "mBA ":
            let table = tag.bigEndian(at: 24)
            guard table > 0 else { return true }
            guard table + 20 <= tag.count else { return false }
            let nodes = tag[table..<table + inputs].reduce(1) { min($0 * Int($1), 1 << 32) }
            return table + 20 + nodes * outputs * max(1, Int(tag[table + 16])) <= tag.count
        default: return false
        }
    }

    private static func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }
}
