import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct JPEGScanTableTests {
    static let picture = FormulaPicture(width: 70, height: 50) { x, y in
        .init(luma: 128 + 90 * (Int(x / 3) % 2 == Int(y / 5) % 2 ? 1 : -1), blue: 3 * x, red: 4 * y)
    }

    @Test("a progressive file's scans are all there, from marker to marker")
    func readsARealFile() throws {
        let file = try Self.picture.jpeg(quality: 90, isProgressive: true)
        let table = try #require(file.scanTable())
        #expect(table.isProgressive)
        #expect(table.isOrderly)
        #expect(table.components.map(\.blockCount) == [63, 20, 20])
        #expect(table.scans.count == 10)
        #expect(table.scans.first?.components == [0, 1, 2])
        #expect(table.scans.first?.hasDC == true)
        for (scan, next) in zip(table.scans, table.scans.dropFirst()) {
            #expect(file[scan.bytes.lowerBound...].starts(with: [0xFF, 0xDA]))
            #expect(file[scan.bytes.upperBound] == 0xFF)
            #expect(scan.bytes.upperBound <= next.bytes.lowerBound)
            #expect((scan.code != nil) == (!scan.hasDC && !scan.isRefinement))
        }
        #expect(try #require(table.scans.last).bytes.upperBound == file.count - 2)
    }

    @Test("the fields of a scan header are read as they stand")
    func readsFields() throws {
        var script = ScanScript()
        script.scans = ScanScript.usual
        let table = try #require(script.table)
        #expect(table.scans.map(\.components) == script.scans.map(\.components))
        #expect(table.scans.map(\.band) == script.scans.map(\.band))
        #expect(table.scans.map(\.highBit) == script.scans.map(\.high))
        #expect(table.scans.map(\.lowBit) == script.scans.map(\.low))
        #expect(table.isOrderly)
    }

    @Test("a baseline file has scans, but none of them continues another")
    func baselineIsNotOrderly() throws {
        let table = try #require(try Self.picture.jpeg().scanTable())
        #expect(table.scans.count == 1)
        #expect(!table.isOrderly)
    }

    @Test("a component's quantiser is the one that was in force when its first scan began")
    func latchesQuantisers() throws {
        func quantiser(_ step: UInt8) -> JPEGSegment { JPEGSegment(0xDB, [0] + [UInt8](repeating: step, count: 64)) }
        let wide = JPEGSegment(0xDB, [0x10] + (0..<64).flatMap { [UInt8(1), UInt8($0)] })
        var script = ScanScript()
        script.scans = [
            .init(components: [0], band: 0...0, segments: [quantiser(11)]),
            .init(components: [1], band: 0...0, segments: [quantiser(12)]),
            .init(components: [0], band: 1...63, segments: [quantiser(13)]),
            .init(components: [2], band: 0...0, segments: [wide]),
        ]
        let table = try #require(script.table)
        #expect(table.components[0].steps == [Int](repeating: 11, count: 64))
        #expect(table.components[1].steps == [Int](repeating: 12, count: 64))
        #expect(table.components[2].steps == (0..<64).map { 256 + $0 })
    }

    static let disorders: [(name: String, scans: [ScanScript.Scan])] = [
        ("AC before DC", [.init(components: [0], band: 1...63)]),
        ("DC with AC", [.init(components: [0], band: 0...63)]),
        ("AC of two components", [ScanScript.usual[0], .init(components: [0, 1], band: 1...63)]),
        ("the same twice", [ScanScript.usual[0], ScanScript.usual[1], ScanScript.usual[1]]),
        (
            "overlapping bands",
            [ScanScript.usual[0], ScanScript.usual[1], .init(components: [0], band: 5...63, low: 2)]
        ),
        ("a refinement of nothing", [ScanScript.usual[0], .init(components: [0], band: 1...63, high: 1)]),
        (
            "a refinement of other bits",
            [ScanScript.usual[0], ScanScript.usual[1], .init(components: [0], band: 1...5, high: 1)]
        ),
        (
            "two bits at once",
            [ScanScript.usual[0], ScanScript.usual[1], .init(components: [0], band: 1...5, high: 2)]
        ),
        ("a bit that does not exist", [.init(components: [0], band: 0...0, low: 14)]),
    ]

    @Test("scans that do not continue each other are read all", arguments: disorders.indices)
    func keepsDisorder(index: Int) throws {
        var script = ScanScript()
        script.scans = Self.disorders[index].scans
        let table = try #require(script.table)
        #expect(!table.isOrderly, "\(Self.disorders[index].name)")
        for eighths in [1, 2, 4] { #expect(script.selection(eighths: eighths) == ScanSelection()) }
    }

    @Test("more scans than allowed have no table")
    func boundsScans() {
        var script = ScanScript()
        script.scans = [ScanScript.Scan](repeating: .init(components: [0], band: 0...0, dataCount: 0), count: 5000)
        #expect(script.bytes.scanTable(maxScans: 4999) == nil)
        #expect(script.bytes.scanTable(maxScans: 5000)?.scans.count == 5000)
        #expect(script.bytes.scanTable(maxScans: 5000)?.isOrderly == false)
    }

    @Test("a file cut off anywhere has no table")
    func survivesTruncation() throws {
        let file = try Self.picture.jpeg(quality: 30, isProgressive: true)
        for count in 0..<file.count { #expect(Array(file.prefix(count)).scanTable() == nil) }
    }

    @Test("damaged bytes never crash, and what is selected is in order and within the file")
    func survivesDamage() throws {
        var script = ScanScript()
        script.scans = ScanScript.usual
        for index in script.scans.indices { script.scans[index].dataCount = 16 }
        let real = try Self.picture.jpeg(quality: 50, isProgressive: true)
        var random = SeededRandom(seed: 7)
        for file in [script.bytes, real] {
            for _ in 0..<3000 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let at = Int.random(in: 2..<damaged.count, using: &random)
                    damaged[at] = UInt8.random(in: 0...255, using: &random)
                }
                guard let table = damaged.scanTable() else { continue }
                let selection = ScanSelection(
                    table, of: script.header, eighths: [1, 2, 4].randomElement(using: &random) ?? 4, residual: 3,
                    effort: .fast)
                let ranges = selection.ranges(in: damaged.count)
                #expect(ranges.reduce(0) { $0 + $1.count } + selection.skippedCount == damaged.count)
                #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
                #expect(selection.dropped.allSatisfy { !table.scans[$0].hasDC })
            }
        }
    }
}
