/// Lines over a common axis, with values from 0.
struct LineChart: Chart {
    struct Line {
        let title: String
        /// Sorted by x.
        let points: [(x: Double, y: Double)]
    }

    let name: String
    let title: String
    let xTitle, yTitle: String
    let lines: [Line]

    private static let (left, top, width, height) = (70.0, 62.0, 640.0, 300.0)

    var svg: String {
        let points = self.lines.flatMap(\.points)
        let horizontal = Scale(largest: points.map(\.x).max() ?? 0, steps: 8)
        let vertical = Scale(largest: points.map(\.y).max() ?? 0)
        func place(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
            (
                Self.left + Self.width * point.x / horizontal.end,
                Self.top + Self.height * (1 - point.y / vertical.end)
            )
        }
        var body = [SVG.text(self.title, x: 12, y: 22, size: 15, isBold: true)]
        for mark in vertical.marks {
            let y = place((0, mark)).y
            body.append(SVG.line(from: (Self.left, y), to: (Self.left + Self.width, y)))
            body.append(SVG.text(vertical.label(mark), x: Self.left - 6, y: y + 4, anchor: .end, size: 11))
        }
        for mark in horizontal.marks {
            let x = place((mark, 0)).x
            body.append(
                SVG.text(horizontal.label(mark), x: x, y: Self.top + Self.height + 16, anchor: .middle, size: 11))
        }
        body.append(SVG.text(self.yTitle, x: 12, y: Self.top - 10, size: 11))
        body.append(
            SVG.text(self.xTitle, x: Self.left + Self.width, y: Self.top + Self.height + 32, anchor: .end, size: 11))
        var x = Self.left
        for (index, line) in self.lines.enumerated() {
            let colour = SVG.colours[index % SVG.colours.count]
            body.append(SVG.polyline(line.points.map(place), stroke: colour))
            body.append(SVG.rectangle(x: x, y: 32, width: 12, height: 12, fill: colour))
            body.append(SVG.text(line.title, x: x + 17, y: 42))
            x += 34 + 7 * Double(line.title.count)
        }
        return SVG.document(
            width: max(Self.left + Self.width + 40, x), height: Self.top + Self.height + 44, body)
    }
}
