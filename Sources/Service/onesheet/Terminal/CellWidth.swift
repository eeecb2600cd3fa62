/// How many cells of a terminal text takes.
enum CellWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + self.of($1) } }

    /// The beginning that fits, with an ellipsis where something was left out.
    static func cut(_ text: String, to width: Int) -> String {
        guard self.of(text) > width else { return text }
        var kept = ""
        var used = 1
        for character in text {
            used += self.of(character)
            if used > width { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private static func of(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return self.isWide(scalar) || character.unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
    }

    /// Those that East Asian Width (UAX #11) calls wide or full-width, but rare blocks.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
