import CodecTesting
import Testing

@testable import PosterCodec

/// Scans decoded side by side give libjpeg's pictures; irregular files are left to libjpeg.
@Suite(.computingThread) struct JPEGScansTests {
    @Test("the samples are libjpeg's at every scale", arguments: ScannedJPEG.all, [1, 2, 4, 8])
    func givesTheSameSamples(file: ScannedJPEG, eighths: Int) throws {
        let bytes = try file.bytes
        let theirs = DecodedSamples(bytes, eighths: eighths, ownScans: false)
        let ours = DecodedSamples(bytes, eighths: eighths, ownScans: true)
        #expect(theirs.error == nil && ours.error == nil)
        #expect(!theirs.beganWithScans && ours.endedWithScans)
        #expect(Set(theirs.samples).count > 2)
        #expect(ours.samples == theirs.samples)
    }

    @Test("scans that are left out make no difference", arguments: [1, 2, 4])
    func leavesScansOut(eighths: Int) throws {
        let picture = JPEGScanPictureTests.picture(seed: 3, subsampling: .s420)
        let bytes = try picture.jpeg(quality: 90, isProgressive: true)
        let selection = ScanSelection(
            bytes.scanTable(), of: try bytes.header(), eighths: eighths, residual: 3, effort: .fast)
        #expect(!selection.dropped.isEmpty)
        let ranges = selection.ranges(in: bytes.count)
        let ours = DecodedSamples(bytes, eighths: eighths, ranges: ranges, ownScans: true)
        #expect(ours.endedWithScans)
        #expect(ours.samples == DecodedSamples(bytes, eighths: eighths, ranges: ranges, ownScans: false).samples)
        // Files with ranges that end within a scan are left to libjpeg.
        let end = ranges[0].upperBound
        let cut = [0..<end - 3, end - 3..<end] + ranges.dropFirst()
        let left = DecodedSamples(bytes, eighths: eighths, ranges: cut, ownScans: true)
        #expect(!left.beganWithScans && left.samples == ours.samples)
    }

    /// Small, but with every kind of scan.
    static let fragile = [
        ScannedJPEG(testDescription: "progressive", width: 17, height: 20, quality: 60, scans: ScannedJPEG.refined),
        ScannedJPEG(
            testDescription: "restart markers", width: 30, height: 20, factors: [(1, 1), (1, 1), (1, 1)], quality: 30,
            restartInterval: 2, scans: ScannedJPEG.usual),
        ScannedJPEG(testDescription: "sequential", width: 20, height: 17, quality: 70, scans: ScannedJPEG.separate),
    ]

    @Test("a damaged file gives what libjpeg gives, picture or error", arguments: fragile)
    func leavesDamageToTheLibrary(file: ScannedJPEG) throws {
        let whole = try file.bytes
        var random = SeededRandom(seed: 19)
        var (accepted, left) = (0, 0)
        for offset in 2..<whole.count {
            var bytes = whole
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.remove(at: offset)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: offset)
            case 2: bytes[offset] = [0, 0xFF, 0xD9, 0xDA, 0xD1].randomElement(using: &random) ?? 0
            default: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            // Skips changed sizes, which do not concern scans.
            guard let header = try? bytes.header(), (header.width, header.height) == (file.width, file.height) else {
                continue
            }
            let theirs = DecodedSamples(bytes, ownScans: false)
            let ours = DecodedSamples(bytes, ownScans: true)
            #expect(ours.error == theirs.error, "at \(offset)")
            #expect(theirs.error != nil || ours.samples == theirs.samples, "at \(offset)")
            accepted += ours.endedWithScans && bytes != whole ? 1 : 0
            left += ours.beganWithScans && !ours.endedWithScans ? 1 : 0
        }
        // Both occur: damage that gives another picture, and damage that is detected during decoding.
        #expect(accepted > 20 && left > 20)
    }

    @Test("data that proves irregular in a later group is libjpeg's from there on")
    func leavesTheRest() throws {
        var bytes = try ScannedJPEG(testDescription: "", width: 40, height: 300, scans: ScannedJPEG.usual).bytes
        // libjpeg skips bytes between the data and the next marker.
        let table = try #require(bytes.scanTable())
        bytes.insert(contentsOf: [0x12, 0x34], at: table.scans[4].bytes.upperBound)
        let (ours, theirs) = (DecodedSamples(bytes, ownScans: true), DecodedSamples(bytes, ownScans: false))
        #expect(theirs.error == nil && ours.error == nil)
        #expect(ours.beganWithScans && !ours.endedWithScans)
        #expect(ours.samples == theirs.samples)
    }

    @Test("files that do not keep to the standard are libjpeg's from the beginning")
    func leavesStrangeFiles() throws {
        let file = ScannedJPEG(testDescription: "", scans: ScannedJPEG.usual)
        let bytes = try file.bytes
        let table = try #require(bytes.scanTable())
        func inserting(_ new: [UInt8], before scan: Int) -> [UInt8] {
            var bytes = bytes
            bytes.insert(contentsOf: new, at: table.scans[scan].bytes.lowerBound)
            return bytes
        }
        var incomplete = file
        incomplete.scans = Array(ScannedJPEG.usual.prefix(2))
        let quantiser = JPEGSegment(0xDB, [0] + [UInt8](repeating: 9, count: 64)).bytes
        let code = JPEGSegment(0xC4, [0x10, 2] + [UInt8](repeating: 0, count: 15) + [0, 1]).bytes
        let strange: [(String, [UInt8])] = [
            ("a quantiser after the first scan", inserting(quantiser, before: 3)),
            ("bytes between segments", inserting([7], before: 2)),
            ("a code of ones only", inserting(code, before: 1)),
            ("coefficients that no scan has, which libjpeg smooths over", try incomplete.bytes),
            ("a scan twice", inserting(Array(bytes[table.scans[1].bytes]), before: 2)),
        ]
        var swapped = bytes
        let first = table.scans[0].bytes.lowerBound
        swapped.swapAt(first + 7, first + 9)
        for (name, bytes) in strange + [("components out of order", swapped)] {
            let (ours, theirs) = (DecodedSamples(bytes, ownScans: true), DecodedSamples(bytes, ownScans: false))
            #expect(!ours.beganWithScans, "\(name)")
            #expect(ours.error == theirs.error && ours.samples == theirs.samples, "\(name)")
        }
        // A comment is regular.
        let comment = JPEGSegment.comment(byteCount: 9).bytes
        #expect(DecodedSamples(inserting(comment, before: 3), ownScans: true).endedWithScans)
    }

    @Test("the limit on scans is that of libjpeg")
    func keepsTheLimit() throws {
        var limits = CodecLimits()
        let bytes = try ScannedJPEG(testDescription: "", scans: ScannedJPEG.usual).bytes
        limits.maxScans = 10
        #expect(DecodedSamples(bytes, ownScans: true, limits: limits).endedWithScans)
        limits.maxScans = 9
        let ours = DecodedSamples(bytes, ownScans: true, limits: limits)
        #expect(ours.error == .overLimit(.scans, value: 10, limit: 9))
        #expect(DecodedSamples(bytes, ownScans: false, limits: limits).error == ours.error)
    }
}
