import Testing

@testable import PosterBench

@Suite struct ReportTests {
    @Test(
        "numbers are rounded to their digits",
        arguments: [
            (1.5, 2, "1.50"), (0.995, 2, "1.00"), (-0.25, 1, "-0.3"), (-0.01, 1, "0.0"), (12.5, 0, "13"), (0, 0, "0"),
        ])
    func rounds(value: Double, places: Int, text: String) {
        #expect(value.fixed(places) == text)
    }

    @Test("numbers that have no digits to round are written all the same", arguments: [Double.nan, .infinity, 1e300])
    func largeNumbers(value: Double) {
        #expect(!value.fixed(2).isEmpty)
    }

    @Test("an axis ends at a round number that is large enough", arguments: [0.0003, 0.7, 1, 4.2, 24.6, 99, 100_001])
    func axisEnds(largest: Double) {
        let scale = Scale(largest: largest)
        #expect(scale.end >= largest)
        #expect(scale.end <= 2.6 * largest)
        #expect((2...12).contains(scale.marks.count))
    }

    @Test("an axis of nothing is an axis all the same", arguments: [0, -1, .nan, .infinity])
    func emptyAxis(largest: Double) {
        #expect(Scale(largest: largest).end == 1)
    }

    @Test("a chart names its bars with unit and number, and escapes what XML would take for its own")
    func barChart() {
        let chart = BarChart(
            name: "c", title: "A < B & C", unit: "MiB", series: ["one", "two"],
            groups: [.init(title: "first", values: [1.25, nil]), .init(title: "second", values: [0, 3])])
        let svg = chart.svg
        #expect(svg.hasPrefix("<svg "))
        #expect(svg.contains("A &lt; B &amp; C"))
        #expect(svg.contains("1.3 MiB"))
        #expect(svg.contains("second"))
    }

    @Test("a table's columns are as wide as their widest cell")
    func table() {
        #expect(TextTable(rows: [["a", "b"], ["ccc", "1000"]]).text == "a       b\nccc  1000")
    }
}
