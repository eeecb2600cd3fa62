/// The SVG 1.1 elements of the charts. Coordinates are user units, which a browser shows as pixels.
enum SVG {
    /// Distinguishable in greyscale and with red or green colour blindness.
    static let colours = ["#0b6e99", "#d9730d", "#6940a5", "#4d6461", "#ad1a72", "#dfab01", "#0f7b6c"]

    enum Anchor: String {
        case start, middle, end
    }

    /// A document with a white background, so that it is also readable on a dark page.
    static func document(width: Double, height: Double, _ body: [String]) -> String {
        let (width, height) = (width.fixed(0), height.fixed(0))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="sans-serif" font-size="12" fill="#222">
            <rect width="\(width)" height="\(height)" fill="#fff"/>
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    static func text(
        _ text: String, x: Double, y: Double, anchor: Anchor = .start, size: Int = 12, isBold: Bool = false
    ) -> String {
        let weight = isBold ? " font-weight=\"bold\"" : ""
        return
            "<text x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\" text-anchor=\"\(anchor.rawValue)\" font-size=\"\(size)\"\(weight)>"
            + "\(self.escaped(text))</text>"
    }

    static func rectangle(x: Double, y: Double, width: Double, height: Double, fill: String) -> String {
        "<rect x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\" width=\"\(width.fixed(1))\" height=\"\(height.fixed(1))\" fill=\"\(fill)\"/>"
    }

    static func line(from: (x: Double, y: Double), to: (x: Double, y: Double), stroke: String = "#ccc") -> String {
        "<line x1=\"\(from.x.fixed(1))\" y1=\"\(from.y.fixed(1))\" x2=\"\(to.x.fixed(1))\" y2=\"\(to.y.fixed(1))\" stroke=\"\(stroke)\"/>"
    }

    static func polyline(_ points: [(x: Double, y: Double)], stroke: String) -> String {
        let list = points.map { "\($0.x.fixed(1)),\($0.y.fixed(1))" }.joined(separator: " ")
        return "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"1.5\"/>"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
