import Testing

@testable import MovieWeb

struct PagePaintTests {
    @Test func aClassIsNamedByItsColours() throws {
        var one = PagePaint()
        var other = PagePaint()
        _ = one.add(["#000000"])
        let first = try #require(one.add(["#112233", "#445566", "#778899"]))
        #expect(other.add(["#112233", "#445566", "#778899"]) == first)
        #expect(other.add(["#112233", "#445566", "#778800"]) != first)
        // As scripts look for it.
        #expect(first.wholeMatch(of: /p[0-9a-z]+/) != nil)
        #expect(one.css.contains(".\(first){background:linear-gradient(#112233,#445566,#778899)}"))
        #expect(one.css.contains("{background:#000000}"))
    }

    @Test func theSameColoursAreOneRule() {
        var paint = PagePaint()
        #expect(paint.add(["#112233"]) == paint.add(["#112233"]))
        #expect(paint.css.split(separator: "}").count == 1)
    }

    @Test(arguments: [[], ["red"], ["#112233", "url(x)"], ["#112233}", "#112233"], ["#11223"]])
    func whatIsNoColourGetsNoRule(colours: [String]) {
        var paint = PagePaint()
        #expect(paint.add(colours) == nil)
        paint.add(colours.filter { $0 != "#112233" }, named: "paint-hero")
        #expect(paint.css.isEmpty)
    }

    @Test func theColoursOfThePageComeFirst() {
        var paint = PagePaint()
        paint.add(["#112233"], named: "paint-hero")
        paint.accent = AccentColours(SRGBColour("#804020")!)
        #expect(paint.css.hasPrefix(":root{--field:#"))
        #expect(paint.css.hasSuffix(".paint-hero{background:#112233}"))
    }

    @Test func rulesOfAnotherPaintAreAddedOnce() {
        var paint = PagePaint()
        _ = paint.add(["#112233"])
        var other = paint
        other.add(["#445566"], named: "paint-hero")
        paint.add(other)
        #expect(paint.css == other.css)
    }
}
