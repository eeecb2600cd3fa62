import CodecTesting
import Testing

@testable import PosterCodec

/// Decoding a file while it arrives gives the same result as decoding the complete file.
@Suite(.computingThread) struct ArrivingDecodeTests {
    /// A file and its rendered width.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var width: Int?

        /// Files that are decoded from their first bytes on.
        static let steady: [Case] = {
            var cases: [Case] = []
            do {
                for subsampling in FormulaPicture.Subsampling.allCases {
                    let file = try FormulaPicture.gradient(width: 61, height: 47, subsampling: subsampling).jpeg()
                    cases.append(Case(testDescription: "JPEG \(subsampling)", bytes: file))
                }
                let large = try FormulaPicture.waves(width: 200, height: 304).jpeg(quality: 90)
                for width in [100, 40, 20] {
                    cases.append(Case(testDescription: "JPEG at \(width)", bytes: large, width: width))
                }
                let segments = JPEGSegment.profile(ICCProfile.displayP3().bytes, parts: 3)
                let profile = try FormulaPicture.gradient(width: 40, height: 30).jpeg()
                    .splicing(segments).splicing(.comment(byteCount: 300))
                cases.append(Case(testDescription: "JPEG with a profile", bytes: profile))
                for factors in [
                    [(1, 1)], [(1, 2), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)], [(1, 1), (1, 1), (1, 1), (1, 1)],
                ] {
                    var blocks = BlockJPEG(width: 70, height: 45, factors: factors)
                    blocks.restartInterval = 2
                    cases.append(
                        Case(testDescription: "JPEG of \(factors.count) components with restarts", bytes: blocks.bytes))
                }
                for (width, height, to) in [(64, 31, nil), (33, 47, nil), (200, 300, 40), (201, 299, 30)] {
                    let chunk = try WebPFile.Chunk.lossy(.waves(width: width, height: height))
                    cases.append(
                        Case(testDescription: "WebP \(width)×\(height)", bytes: WebPFile(chunk).bytes, width: to))
                }
                let framed = WebPFile(
                    .canvas(.profile, 64, 64), .init("ICCP", ICCProfile.sRGB().bytes),
                    try .lossy(.waves(width: 64, height: 64)), .init("XMP ", [1, 2, 3]))
                cases.append(Case(testDescription: "WebP with a profile", bytes: framed.bytes))
            } catch {
                Issue.record("\(error)")
            }
            for kind in PNGSamplesTests.Kind.all where !kind.isInterlaced {
                var file = kind.file(width: 21, height: 13)
                file.dataChunkLength = 97
                cases.append(Case(testDescription: "PNG \(kind)", bytes: file.bytes))
            }
            var gamma = PNGFile(width: 30, height: 20)
            gamma.dataChunkLength = 97
            gamma.beforeData = [.gamma(1)]
            cases.append(Case(testDescription: "PNG with a gamma", bytes: gamma.bytes))
            var large = PNGFile(width: 300, height: 260)
            large.dataChunkLength = 1 << 20
            cases.append(Case(testDescription: "PNG of one chunk", bytes: large.bytes))
            return cases
        }()

        /// Files that are decoded only once they are complete.
        static let late: [Case] = {
            var cases: [Case] = []
            do {
                let progressive = try FormulaPicture.gradient(width: 61, height: 47).jpeg(isProgressive: true)
                cases.append(Case(testDescription: "progressive JPEG", bytes: progressive))
                let alpha = WebPFile(
                    .canvas(.alpha, 16, 16), .alpha([UInt8](repeating: 77, count: 256)),
                    try .lossy(.waves(width: 16, height: 16)))
                cases.append(Case(testDescription: "WebP with alpha", bytes: alpha.bytes))
            } catch {
                Issue.record("\(error)")
            }
            var scans = BlockJPEG(width: 40, height: 40)
            scans.isInterleaved = false
            cases.append(Case(testDescription: "JPEG of several scans", bytes: scans.bytes))
            var interlaced = PNGFile(width: 30, height: 20)
            interlaced.isInterlaced = true
            cases.append(Case(testDescription: "interlaced PNG", bytes: interlaced.bytes))
            let lossless = WebPFile(.lossless(20, 10) { x, y in (UInt8(x), UInt8(y), 7, 255) })
            cases.append(Case(testDescription: "lossless WebP", bytes: lossless.bytes))
            return cases
        }()
    }

    /// The planes of a file, and the number of row groups read before its last piece arrived.
    struct Outcome {
        var samples: [[UInt8]] = []
        var groupCount = 0
        var early = 0
    }

    /// - Parameter ends: Ends of the pieces in which the file arrives; `nil` if it is complete.
    private static func decode(
        _ bytes: [UInt8], plan: RenderPlan, ends: [Int]? = nil, declared: Int? = nil
    ) throws(CodecError) -> Outcome {
        let watch = RenderWatch(.init(), limits: .init())
        guard let ends else {
            return try bytes.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in
                try Self.decode(buffer, plan: plan, watch: watch, arriving: nil) { nil }
            }
        }
        guard let arriving = ArrivingBytes(declaredCount: declared ?? bytes.count) else { throw .outOfMemory }
        var next = 0
        return try withExtendedLifetime(arriving) { () throws(CodecError) in
            try Self.decode(arriving.bytes, plan: plan, watch: watch, arriving: arriving) {
                guard next <= ends.count else { return nil }
                if next == ends.count {
                    arriving.finish()
                } else {
                    let start = next == 0 ? 0 : ends[next - 1]
                    let isTaken = bytes[start..<ends[next]].withUnsafeBytes { arriving.append($0) }
                    #expect(isTaken)
                }
                next += 1
                return next >= ends.count
            }
        }
    }

    /// - Parameter more: Appends a piece; returns whether it was the last, or `nil` if there are no more.
    private static func decode(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, watch: RenderWatch, arriving: ArrivingBytes?,
        more: () -> Bool?
    ) throws(CodecError) -> Outcome {
        switch plan.source.format {
        case .jpeg:
            try self.read(more) { () throws(CodecError) in
                try JPEGDecoder(bytes, plan.decoding, watch: watch, arriving: arriving)
            }
        case .png:
            try self.read(more) { () throws(CodecError) in
                try PNGDecoder(bytes, plan.decoding, watch: watch, arriving: arriving)
            }
        default:
            try self.read(more) { () throws(CodecError) in
                try WebPDecoder(bytes, plan.decoding, watch: watch, arriving: arriving)
            }
        }
    }

    private static func read<Source: PlaneSource & ~Copyable>(
        _ more: () -> Bool?, _ make: () throws(CodecError) -> Source
    ) throws(CodecError) -> Outcome {
        var isLast = false
        /// Appends a piece; returns whether there was one.
        func wait() -> Bool {
            guard let last = more() else { return false }
            isLast = last
            return true
        }
        var source = try self.open(wait, make)
        let layout = source.layout
        var outcome = Outcome(groupCount: layout.groupCount)
        let memory = layout.planes.map { plane in
            let count = plane.rowBytes * plane.rowsPerGroup * layout.groupCount
            let rows = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
            rows.initialize(repeating: 0, count: count)
            return UnsafeMutableBufferPointer(start: rows, count: count)
        }
        defer { for rows in memory { rows.deallocate() } }
        for group in 0..<layout.groupCount {
            let targets = zip(memory, layout.planes).map { rows, plane in
                rows.baseAddress.map { $0 + group * plane.rowsPerGroup * plane.rowBytes }
            }
            while try !source.readGroup(into: targets, strides: layout.planes.map(\.rowBytes)) {
                guard wait() else { throw .internalError(reason: "more is wanted than there is") }
            }
            if !isLast { outcome.early += 1 }
        }
        while wait() {}
        try source.finish()
        outcome.samples = memory.map { Array($0) }
        return outcome
    }

    private static func open<Source: PlaneSource & ~Copyable>(
        _ wait: () -> Bool, _ make: () throws(CodecError) -> Source
    ) throws(CodecError) -> Source {
        while true {
            do throws(CodecError) {
                return try make()
            } catch {
                guard error == .truncated, wait() else { throw error }
            }
        }
    }

    private static func plan(_ file: Case) throws -> RenderPlan { try file.bytes.plan(width: file.width) }

    @Test("a file that comes byte by byte has the samples of the whole", arguments: Case.steady + Case.late)
    func byteByByte(file: Case) throws {
        let plan = try Self.plan(file)
        let whole = try Self.decode(file.bytes, plan: plan)
        let length = file.bytes.count > 20_000 ? 61 : 1
        let ends = stride(from: length, to: file.bytes.count, by: length) + [file.bytes.count]
        #expect(try Self.decode(file.bytes, plan: plan, ends: Array(ends)).samples == whole.samples)
    }

    @Test("wherever a file is divided, it has the samples of the whole", arguments: Case.steady)
    func everySplit(file: Case) throws {
        let plan = try Self.plan(file)
        let whole = try Self.decode(file.bytes, plan: plan).samples
        let step = max(1, file.bytes.count / (file.bytes.count > 20_000 ? 20 : 250))
        for split in stride(from: 0, through: file.bytes.count, by: step) {
            let samples = try Self.decode(file.bytes, plan: plan, ends: [split, file.bytes.count]).samples
            if samples != whole { Issue.record("divided at \(split)") }
        }
    }

    @Test("rows are there before the file is")
    func early() throws {
        let jpeg = try FormulaPicture.waves(width: 800, height: 1200).jpeg(quality: 90)
        let webP = WebPFile(try .lossy(.waves(width: 800, height: 1200))).bytes
        var png = PNGFile(width: 300, height: 450)
        png.dataChunkLength = 1 << 20
        for bytes in [jpeg, webP, png.bytes] {
            let plan = try bytes.plan(width: nil)
            let outcome = try Self.decode(bytes, plan: plan, ends: [bytes.count / 10, bytes.count / 2, bytes.count])
            #expect(outcome.early > outcome.groupCount / 4, "\(plan.source.format)")
        }
    }

    @Test("what needs all of the file begins when it is complete", arguments: Case.late)
    func late(file: Case) throws {
        let plan = try Self.plan(file)
        let outcome = try Self.decode(file.bytes, plan: plan, ends: [file.bytes.count - 1, file.bytes.count])
        #expect(outcome.early == 0)
    }

    @Test("a file that ends early has the outcome of what is there of it", arguments: Case.steady)
    func truncated(file: Case) throws {
        let plan = try Self.plan(file)
        for part in [0, 1, 30, 60, 90, 97] {
            let count = file.bytes.count * part / 100
            let cut = Array(file.bytes[..<count])
            let expected = Result { () throws(CodecError) in try Self.decode(cut, plan: plan).samples }
            // libjpeg reports a truncated header differently; the last bytes of a small PNG are not pixel data.
            if part == 60 { #expect(expected == .failure(.truncated)) }
            for ends in [[count], [count / 3, count * 2 / 3, count]] {
                let outcome = Result { () throws(CodecError) in
                    try Self.decode(cut, plan: plan, ends: ends, declared: file.bytes.count).samples
                }
                #expect(outcome == expected, "\(part) % in \(ends.count) pieces")
            }
        }
    }

    @Test("damaged files have the same outcome as when they are there", arguments: [1, 2, 3])
    func damaged(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for file in Case.steady where file.bytes.count < 20_000 {
            let plan = try Self.plan(file)
            for _ in 0..<40 {
                var bytes = file.bytes
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: 2..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                var ends = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    Int.random(in: 0...bytes.count, using: &random)
                }
                ends = ends.sorted() + [bytes.count]
                let whole = Result { () throws(CodecError) in try Self.decode(bytes, plan: plan).samples }
                let pieces = Result { () throws(CodecError) in
                    try Self.decode(bytes, plan: plan, ends: ends).samples
                }
                switch (whole, pieces) {
                case (.success(let one), .success(let other)): #expect(one == other, "\(file.testDescription)")
                case (.failure, .failure): break
                default: Issue.record("\(file.testDescription): whole \(whole), in pieces \(pieces)")
                }
            }
        }
    }

    @Test("bytes beyond the declared length, and after the end, are refused")
    func refuses() throws {
        #expect(ArrivingBytes(declaredCount: 0) == nil)
        let arriving = try #require(ArrivingBytes(declaredCount: 10))
        let isTaken = { (count: Int) in [UInt8](repeating: 1, count: count).withUnsafeBytes { arriving.append($0) } }
        #expect(isTaken(4) && arriving.extent == .init(count: 4, isComplete: false))
        #expect(!isTaken(7) && arriving.extent.count == 4)
        #expect(isTaken(5))
        arriving.finish()
        #expect(arriving.extent == .init(count: 9, isComplete: true))
        #expect(!isTaken(1) && !isTaken(0))
    }
}
