import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct JPEGScanSelectionTests {
    static var usual: ScanScript {
        var script = ScanScript()
        script.scans = ScanScript.usual
        return script
    }

    @Test("full effort reads everything, and so does a decoder that does not shrink")
    func keepsEverything() {
        for eighths in [1, 2, 4] {
            #expect(Self.usual.selection(eighths: eighths, residual: 9, effort: .full) == ScanSelection())
        }
        for effort in RenderTarget.Effort.allCases {
            #expect(Self.usual.selection(eighths: 8, residual: 9, effort: effort) == ScanSelection())
        }
        #expect(ScanSelection().ranges(in: 10) == [0..<10])
        #expect(ScanSelection().ranges(in: 0).isEmpty)
    }

    @Test("at one eighth the means are enough for luma, which loses nothing")
    func dropsAllButTheMeans() throws {
        let table = try #require(Self.usual.table)
        let selection = Self.usual.selection(eighths: 1)
        #expect(Set(table.scans.indices.filter { table.scans[$0].components == [0] }).isSubset(of: selection.dropped))
        #expect(selection.lumaFloor == .infinity)
        var script = Self.usual
        script.factors = [(1, 1), (1, 1), (1, 1)]
        let plain = script.selection(eighths: 1)
        #expect(plain.dropped == [1, 2, 3, 4, 5, 7, 8, 9])
        #expect(plain.colourFloor == .infinity)
    }

    @Test("scans of means are read in any case", arguments: [1, 2, 4], RenderTarget.Effort.allCases)
    func keepsMeans(eighths: Int, effort: RenderTarget.Effort) {
        let selection = Self.usual.selection(eighths: eighths, residual: 50, effort: effort)
        #expect(!selection.dropped.contains(0) && !selection.dropped.contains(6))
    }

    @Test("whatever needs a dropped scan is dropped, too")
    func dropsDependents() throws {
        let table = try #require(Self.usual.table)
        #expect(table.scans(with: 4) == [4, 5, 9])
        #expect(table.scans(with: 1) == [1, 5, 9])
        #expect(table.scans(with: 5) == [5, 9])
        #expect(table.scans(with: 2) == [2, 7])
        #expect(table.scans(with: 9) == [9])
    }

    @Test("a refinement that needs two beginnings takes what needs itself with it")
    func followsChains() throws {
        var script = ScanScript()
        script.scans = [
            .init(components: [0], band: 0...0),
            .init(components: [0], band: 1...5, low: 2),
            .init(components: [0], band: 6...63, low: 2),
            .init(components: [0], band: 4...9, high: 2, low: 1),  // joins both bands
            .init(components: [0], band: 1...3, high: 2, low: 1),
            .init(components: [0], band: 4...5, high: 1, low: 0),  // needs the refinement, not the second beginning
        ]
        let table = try #require(script.table)
        #expect(table.isOrderly)
        #expect(table.scans(with: 2) == [2, 3, 5])
        #expect(table.scans(with: 4) == [4])
    }

    @Test("everything between dropped scans is read, byte for byte")
    func keepsWhatLiesBetween() throws {
        var script = Self.usual
        let between = JPEGSegment(0xDD, [0, 7])
        script.scans[9].segments = [between, ScanScript.code, .comment(byteCount: 30)]
        let file = script.bytes
        let selection = script.selection(eighths: 1)
        #expect(selection.dropped.suffix(2) == [8, 9])
        let ranges = selection.ranges(in: file.count)
        let end = try #require(ranges.last)
        #expect(Array(file[end]) == [0xFF, 0xD9])
        let middle = try #require(ranges.dropLast().last)
        #expect(Array(file[middle]) == script.scans[9].segments.flatMap(\.bytes))
    }

    @Test("of two scans that cost the same, the longer one is left out first, and coarse steps are worth more")
    func weighs() {
        var script = Self.usual
        script.step = 2
        let fine = script.selection(residual: 2)
        script.step = 60
        let coarse = script.selection(residual: 2)
        #expect(fine.skippedCount > coarse.skippedCount)
        #expect(fine.dropped.contains(9))
        #expect(!coarse.dropped.contains(9))
    }

    @Test("more to shrink and less effort never mean more to read")
    func isMonotonous() {
        for step in [3, 8, 20, 60] as [UInt8] {
            var script = Self.usual
            script.step = step
            var lengths: [Int] = []
            for residual in [2, 2.5, 3, 4] {
                let balanced = script.selection(residual: residual)
                let fast = script.selection(residual: residual, effort: .fast)
                #expect(balanced.lumaFloor >= 45 && balanced.colourFloor >= 42)
                #expect(fast.lumaFloor >= 42 && fast.colourFloor >= 39)
                #expect(fast.skippedCount >= balanced.skippedCount)
                lengths.append(balanced.skippedCount)
            }
            #expect(lengths == lengths.sorted())
        }
    }

    @Test("arithmetic coding, gray and strange sampling are weighed, too; other colours and hundreds of scans are not")
    func knowsItsLimits() {
        var script = Self.usual
        script.frameMarker = 0xCA
        #expect(script.table?.isOrderly == true)
        #expect(script.selection(eighths: 1).skippedCount > 0)
        script = Self.usual
        script.factors = [(1, 2), (2, 1), (1, 1)]
        #expect(script.selection(eighths: 1).dropped.contains(1))
        var header = Self.usual.header
        for model in [ImageHeader.ColourModel.rgb, .cmyk, .ycck, .gray] {
            header.colourModel = model
            let selection = ScanSelection(
                Self.usual.table, of: header, eighths: 1, residual: 3, effort: .fast)
            #expect(selection == ScanSelection())
        }
        script = ScanScript(factors: [(1, 1)])
        script.scans = [.init(components: [0], band: 0...0)]
        for position in 1...63 {
            script.scans.append(.init(components: [0], band: position...position, low: 2))
            script.scans.append(.init(components: [0], band: position...position, high: 2, low: 1))
            script.scans.append(.init(components: [0], band: position...position, high: 1))
        }
        let table = script.bytes.scanTable(maxScans: 1000)
        #expect(table?.isOrderly == true)
        #expect(
            ScanSelection(table, of: script.header, eighths: 1, residual: 3, effort: .fast) == ScanSelection())
        for residual in [0, -1, .nan, .infinity] {
            #expect(Self.usual.selection(residual: residual) == ScanSelection())
        }
    }
}
