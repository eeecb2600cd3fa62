import CodecTesting
import Testing

@testable import PosterCodec

/// Bytes after a JPEG's data have no effect.
@Suite(.computingThread) struct JPEGEndTests {
    /// A file that ends with an end-of-image marker.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        static let all: [Case] = {
            var cases: [Case] = []
            for (name, subsampling) in [("4:2:0", FormulaPicture.Subsampling.s420), ("gray", .gray)] {
                let picture = FormulaPicture.gradient(width: 61, height: 47, subsampling: subsampling)
                guard let one = try? picture.jpeg(), let several = try? picture.jpeg(isProgressive: true) else {
                    continue
                }
                cases.append(Case(testDescription: name, bytes: one))
                cases.append(Case(testDescription: "progressive \(name)", bytes: several))
            }
            for factors in [[(1, 1)], [(2, 2)], [(2, 1), (1, 1), (1, 2)], [(1, 1), (1, 1), (1, 1), (1, 1)]] {
                var blocks = BlockJPEG(width: 70, height: 45, factors: factors)
                blocks.restartInterval = 2
                let name = "\(factors.count) components with restarts"
                cases.append(Case(testDescription: name, bytes: blocks.bytes))
                blocks.isInterleaved = false
                cases.append(Case(testDescription: "\(name), one by one", bytes: blocks.bytes))
            }
            return cases
        }()
    }

    static let trailers: [[UInt8]] = [
        [], [0xFF], [UInt8](repeating: 0, count: 300), [UInt8](repeating: 0xFF, count: 5),
        Array("SEFH, and no marker in any of it: SEFT".utf8), BlockJPEG(width: 8, height: 8).bytes,
    ]

    @Test("a picture without an end of image is shown, whatever follows it", arguments: Case.all, trailers)
    func needsNoEnd(file: Case, trailer: [UInt8]) throws {
        #expect(file.bytes.suffix(2) == [0xFF, 0xD9])
        let bytes = Array(file.bytes.dropLast(2)) + trailer
        #expect(try bytes.header() == file.bytes.header())
        for width in [61, 20] {
            let whole = try file.bytes.rendered(width: width).bytes
            #expect(try bytes.rendered(width: width).bytes == whole)
        }
    }

    @Test("a picture whose data is cut off is truncated, with or without other bytes after it", arguments: Case.all)
    func needsAllData(file: Case) throws {
        let plan = try file.bytes.plan(width: 20)
        for missing in [3, 4, 10, 30] {
            for trailer in [[], [0xFF]] as [[UInt8]] {
                let bytes = Array(file.bytes.dropLast(missing)) + trailer
                #expect(throws: CodecError.truncated, "\(missing) bytes less") { try bytes.header() }
                #expect(throws: CodecError.self, "\(missing) bytes less") { try bytes.rendered(as: plan) }
            }
        }
    }

    @Test("a progressive picture that ends between two scans is truncated")
    func needsAllScans() throws {
        let bytes = try FormulaPicture.gradient(width: 61, height: 47).jpeg(isProgressive: true)
        let scans = try #require(bytes.scanTable()).scans
        for scan in scans.dropFirst() {
            let prefix = Array(bytes[..<scan.bytes.lowerBound])
            #expect(throws: CodecError.truncated) { try prefix.header() }
        }
    }

    @Test("segments after the only scan change nothing")
    func ignoresLaterSegments() throws {
        let bytes = try FormulaPicture.gradient(width: 70, height: 90).jpeg()
        let whole = try bytes.rendered(width: 20).bytes
        let frame = JPEGSegment(0xC0, [8, 0, 9, 0, 9, 1, 1, 0x11, 0]).bytes
        let scan = JPEGSegment(0xDA, [1, 1, 0, 0, 63, 0]).bytes + [1, 2, 3]
        for segment in [frame, scan, JPEGSegment(0xC4, [0xFF]).bytes] {
            let longer = Array(bytes.dropLast(2)) + segment + [0xFF, 0xD9]
            #expect(try longer.rendered(width: 20).bytes == whole)
        }
    }

    @Test("scans are limited without an end of image, too")
    func limitsScans() throws {
        let whole = try FormulaPicture.gradient(width: 33, height: 21).jpeg(isProgressive: true)
        let bytes = Array(whole.dropLast(2))
        var limits = CodecLimits()
        limits.maxScans = 10
        #expect(try bytes.rendered(width: 20, limits: limits).size.width == 20)
        limits.maxScans = 9
        #expect(throws: CodecError.overLimit(.scans, value: 10, limit: 9)) { try bytes.header(limits: limits) }
    }
}
