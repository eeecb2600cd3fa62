/// Groups of horizontal bars, each labelled with its value and unit.
struct BarChart: Chart {
    struct Group {
        let title: String
        /// One value per series; `nil` if it was not measured.
        let values: [Double?]
    }

    let name: String
    let title: String
    let unit: String
    /// Names of the bars of a group, in order.
    let series: [String]
    let groups: [Group]
    /// Decimal places of the labels.
    var places = 1

    private static let (labels, bars, right) = (190.0, 480.0, 110.0)
    private static let (bar, gap, top) = (16.0, 14.0, 62.0)

    var svg: String {
        let scale = Scale(largest: self.groups.flatMap { $0.values.compactMap(\.self) }.max() ?? 0)
        let groupHeight = Self.bar * Double(self.series.count) + Self.gap
        let height = Self.top + groupHeight * Double(self.groups.count) + 34
        let bottom = height - 30
        var body = [SVG.text(self.title, x: 12, y: 22, size: 15, isBold: true)]
        var x = 12.0
        for (index, name) in self.series.enumerated() {
            body.append(SVG.rectangle(x: x, y: 34, width: 12, height: 12, fill: SVG.colours[index % SVG.colours.count]))
            body.append(SVG.text(name, x: x + 17, y: 44))
            x += 34 + 7 * Double(name.count)
        }
        for mark in scale.marks {
            let x = Self.labels + Self.bars * mark / scale.end
            body.append(SVG.line(from: (x, Self.top - 6), to: (x, bottom)))
            body.append(SVG.text("\(scale.label(mark)) \(self.unit)", x: x, y: bottom + 16, anchor: .middle, size: 11))
        }
        for (row, group) in self.groups.enumerated() {
            let y = Self.top + groupHeight * Double(row)
            body.append(
                SVG.text(group.title, x: Self.labels - 8, y: y + groupHeight / 2 - 2, anchor: .end))
            for (index, value) in group.values.enumerated() {
                guard let value else { continue }
                let y = y + Self.bar * Double(index)
                let width = max(1, Self.bars * max(0, value) / scale.end)
                let fill = SVG.colours[index % SVG.colours.count]
                body.append(SVG.rectangle(x: Self.labels, y: y, width: width, height: Self.bar - 2, fill: fill))
                let label = "\(value.fixed(self.places)) \(self.unit)"
                body.append(SVG.text(label, x: Self.labels + width + 5, y: y + 11, size: 11))
            }
        }
        return SVG.document(width: max(Self.labels + Self.bars + Self.right, x), height: height, body)
    }
}
