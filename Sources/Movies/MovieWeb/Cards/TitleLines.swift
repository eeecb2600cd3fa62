/// A title broken into the lines of a title card, in the largest font size at which its words are whole.
///
/// The reader's fonts are unknown: advances are estimated for bold ones.
struct TitleLines: Hashable, Sendable {
    /// The area for the title, in units of the card.
    static let width = 200, height = 260
    /// Font sizes, descending. In a list on a phone, the smallest one is 11 pixels high.
    private static let sizes = [38, 32, 26]
    private static let ellipsis = "…"
    private static let spaceAdvance = 0.3

    let lines: [String]
    let fontSize: Int

    /// - Parameter title: Is cut off with an ellipsis if it does not fit in the smallest size.
    init(_ title: String) {
        let pieces = Self.pieces(of: title)
        for size in Self.sizes.dropLast() {
            if let lines = Self.lines(of: pieces, size), lines.count <= Self.limit(size) {
                (self.lines, self.fontSize) = (lines, size)
                return
            }
        }
        let size = Self.sizes[Self.sizes.count - 1]
        let lines = Self.lines(of: pieces, size, splitsWords: true) ?? []
        let limit = Self.limit(size)
        self.fontSize = size
        self.lines =
            lines.count <= limit ? lines : lines[..<(limit - 1)] + [Self.cutOff(lines[limit - 1], Self.ems(size))]
    }

    var lineHeight: Int { Self.lineHeight(self.fontSize) }

    private static func lineHeight(_ size: Int) -> Int { size * 6 / 5 }

    private static func limit(_ size: Int) -> Int { Self.height / Self.lineHeight(size) }

    private static func ems(_ size: Int) -> Double { Double(Self.width) / Double(size) }

    /// A part of the title without an opportunity to break.
    private struct Piece {
        var text = ""
        var advance = 0.0
        /// Whether a space precedes it.
        var isSpaced = false

        mutating func append(_ character: Character) {
            self.text.append(character)
            self.advance += character.advance
        }
    }

    private static func pieces(of title: String) -> [Piece] {
        var pieces: [Piece] = []
        var piece = Piece()
        for character in title {
            let isBreak = piece.text.last.map { $0.allowsBreak(before: character) } ?? false
            if isBreak || character.isWhitespace, !piece.text.isEmpty {
                pieces.append(piece)
                piece = Piece()
            }
            if character.isWhitespace { piece.isSpaced = true } else { piece.append(character) }
        }
        return piece.text.isEmpty ? pieces : pieces + [piece]
    }

    /// - Returns: `nil` if a piece is wider than a line, unless pieces may be split.
    private static func lines(of pieces: [Piece], _ size: Int, splitsWords: Bool = false) -> [String]? {
        let ems = Self.ems(size)
        var lines: [Piece] = []
        for piece in pieces {
            let gap = piece.isSpaced ? Self.spaceAdvance : 0
            if let last = lines.last, last.advance + gap + piece.advance <= ems {
                lines[lines.count - 1].text += (piece.isSpaced ? " " : "") + piece.text
                lines[lines.count - 1].advance += gap + piece.advance
            } else if piece.advance <= ems {
                lines.append(piece)
            } else {
                guard splitsWords else { return nil }
                lines.append(Piece())
                for character in piece.text {
                    if lines[lines.count - 1].advance + character.advance > ems { lines.append(Piece()) }
                    lines[lines.count - 1].append(character)
                }
            }
        }
        return lines.map(\.text)
    }

    private static func cutOff(_ line: String, _ ems: Double) -> String {
        var line = line
        let room = ems - 1
        while line.reduce(0, { $0 + $1.advance }) > room || line.last?.isWhitespace == true { line.removeLast() }
        return line + Self.ellipsis
    }
}

extension Character {
    /// Characters that begin no line, such as closing brackets and small kana (JIS X 4051; UAX #14, CL, EX, NS).
    private static let closing = Set(
        "、。，．・：；？！ー〜～）」』】〉》〕］｝…々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ,.:;?!)]}’”%")
    /// Characters that end no line.
    private static let opening = Set("（「『【〈《〔［｛([{‘“")
    private static let narrow = Set("fijlrtI1.,:;'’!|()[]-·")
    private static let broad = Set("mwMW@%")

    /// Whether a line may end after this character, without a space. Korean breaks at spaces only.
    fileprivate func allowsBreak(before next: Character) -> Bool {
        guard !Self.closing.contains(next), !Self.opening.contains(self) else { return false }
        return self.isIdeographic || next.isIdeographic || self == "-" || self == "–" || self == "—" || self == "/"
    }

    /// Whether lines break beside it: kana, Chinese characters, and their punctuation and full-width forms.
    private var isIdeographic: Bool {
        switch self.unicodeScalars.first?.value ?? 0 {
        case 0x2E80...0x312F, 0x31C0...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF9F, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Whether it is as wide as high: also Hangul and symbols.
    private var isWide: Bool {
        switch self.unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF, 0x2600...0x27BF:
            true
        default: self.isIdeographic
        }
    }

    private var isPictograph: Bool { self.unicodeScalars.first.map { (0x1F000...0x1FAFF).contains($0.value) } ?? false }

    /// The estimated advance in a bold font, in ems.
    fileprivate var advance: Double {
        if self.isWide { return 1 }
        if self.isPictograph { return 1.3 }
        if Self.narrow.contains(self) { return 0.36 }
        if Self.broad.contains(self) { return 0.92 }
        if self.isWhitespace { return 0.3 }
        return self.isUppercase ? 0.72 : 0.6
    }
}
