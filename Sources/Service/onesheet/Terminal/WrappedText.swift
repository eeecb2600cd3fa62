/// Text in lines of a terminal.
enum WrappedText {
    /// Broken at spaces, and within what is too long for a line.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            for piece in self.pieces(word, width: max(2, width)) {
                if line.isEmpty {
                    line = piece
                } else if CellWidth.of(line) + 1 + CellWidth.of(piece) <= width {
                    line += " " + piece
                } else {
                    lines.append(line)
                    line = piece
                }
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func pieces(_ word: Substring, width: Int) -> [String] {
        guard CellWidth.of(String(word)) > width else { return [String(word)] }
        var pieces = [""]
        for character in word {
            if CellWidth.of(pieces[pieces.count - 1] + String(character)) > width { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
        return pieces
    }
}
