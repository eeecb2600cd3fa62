import Testing

@testable import MovieWeb

struct PagePaintTests {
    @Test func aClassIsNamedByItsColours() throws {
        var one = PagePaint()
        var other = PagePaint()
        _ = one.add(["#000000"])
        let added = one.add(["#112233", "#445566", "#778899"])
        let first = try #require(added)
        let (same, another) = (
            other.add(["#112233", "#445566", "#778899"]), other.add(["#112233", "#445566", "#778800"])
        )
        #expect(same == first && another != first)
        // The pattern that scripts search for.
        #expect(first.wholeMatch(of: /p[0-9a-z]+/) != nil)
        #expect(one.css.contains(".\(first){background:linear-gradient(#112233,#445566,#778899)}"))
        #expect(one.css.contains("{background:#000000}"))
    }

    @Test func theSameColoursAreOneRule() {
        var paint = PagePaint()
        let names = [paint.add(["#112233"]), paint.add(["#112233"])]
        #expect(names[0] == names[1])
        #expect(paint.css.split(separator: "}").count == 1)
    }

    @Test(arguments: [[], ["red"], ["#112233", "url(x)"], ["#112233}", "#112233"], ["#11223"]])
    func whatIsNoColourGetsNoRule(colours: [String]) {
        var paint = PagePaint()
        let name = paint.add(colours)
        #expect(name == nil)
        paint.add(colours.filter { $0 != "#112233" }, named: "paint-hero")
        #expect(paint.css.isEmpty)
    }

    @Test func theColoursOfThePageComeFirst() {
        var paint = PagePaint()
        paint.add(["#112233"], named: "paint-hero")
        paint.accent = AccentColours(SRGBColour("#804020")!)
        #expect(paint.css.hasPrefix(":root{--field:light-dark(#"))
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
