import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PNGDamageTests {
    /// A change to a valid file, and the error that the codec must throw.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout PNGFile) -> Void
        var edit: @Sendable (inout [UInt8]) -> Void = { _ in }
        /// The expected error; any ``CodecError/damaged(reason:)`` if `nil`.
        var error: CodecError?

        init(
            _ testDescription: String, _ apply: @escaping @Sendable (inout PNGFile) -> Void = { _ in },
            edit: @escaping @Sendable (inout [UInt8]) -> Void = { _ in }, gives error: CodecError? = nil
        ) {
            (self.testDescription, self.apply, self.edit, self.error) = (testDescription, apply, edit, error)
        }

        func matches(_ error: CodecError) -> Bool {
            if let expected = self.error { return error == expected }
            if case .damaged(let reason) = error { return !reason.isEmpty }
            return false
        }
    }

    /// Changes IHDR's payload, with a valid checksum.
    @Sendable static func header(_ offset: Int, _ new: [UInt8]) -> @Sendable (inout [UInt8]) -> Void {
        { bytes in
            var payload = Array(bytes[16..<29])
            payload.replaceSubrange(offset..<offset + new.count, with: new)
            bytes.replaceSubrange(8..<33, with: PNGFile.Chunk("IHDR", payload).bytes)
        }
    }

    @Sendable static func offset(of type: String, in bytes: [UInt8]) -> Int {
        let name = Array(type.utf8)
        return (4..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(name) }.map { $0 - 4 } ?? 0
    }

    /// The file's bytes with another zlib stream.
    static func replacingData(_ file: PNGFile, by stream: [UInt8]) -> [UInt8] {
        let bytes = file.bytes
        let start = Self.offset(of: "IDAT", in: bytes)
        return Array(bytes[..<start]) + PNGFile.Chunk("IDAT", stream).bytes + PNGFile.Chunk("IEND", []).bytes
    }

    static let file: PNGFile = {
        var file = PNGFile(width: 30, height: 20, colourType: 3)
        file.dataChunkLength = 500
        return file
    }()

    static let damages = [
        Damage("a side of zero", edit: Self.header(0, [0, 0, 0, 0])),
        Damage("a side that is negative", edit: Self.header(4, [0x80, 0, 0, 1])),
        Damage("three bits", edit: Self.header(8, [3])),
        Damage("a palette of 16 bits", edit: Self.header(8, [16])),
        Damage("colour type 1", edit: Self.header(9, [1])),
        Damage("colour type 7", edit: Self.header(9, [7])),
        Damage("unknown compression", edit: Self.header(10, [1])),
        Damage("unknown filters", edit: Self.header(11, [1])),
        Damage("unknown interlacing", edit: Self.header(12, [2])),
        Damage("a header with a wrong checksum", edit: { $0[32] ^= 1 }),
        Damage("a header of 14 bytes", edit: { $0[11] = 14 }),
        Damage("two headers", { $0.beforeData.append(.init("IHDR", [UInt8](repeating: 1, count: 13))) }),
        Damage("no header", edit: { $0.removeSubrange(8..<33) }),
        Damage(
            "something before the header", edit: { $0.insert(contentsOf: PNGFile.Chunk("tEXt", [65, 0]).bytes, at: 8) }),
        Damage("no palette", { $0.palette = nil }),
        Damage("an empty palette", { $0.palette = [] }),
        Damage("a palette of a third too much", { $0.palette?.append(1) }),
        Damage("a palette of 257 colours", { $0.palette = [UInt8](repeating: 1, count: 771) }),
        Damage("two palettes", { $0.beforeData.append(.init("PLTE", [1, 2, 3])) }),
        Damage("a palette with a wrong checksum", edit: { $0[Self.offset(of: "PLTE", in: $0) + 20] ^= 0x10 }),
        Damage("an unknown chunk that is not optional", { $0.beforeData.append(.init("ABCd", [1])) }),
        Damage("an unknown chunk that is not optional, at the end", { $0.afterData.append(.init("ABCd", [1])) }),
        Damage("picture data with a wrong checksum", edit: { $0[Self.offset(of: "IDAT", in: $0) + 100] ^= 4 }),
        Damage("a chunk type that is no text", edit: { $0[Self.offset(of: "IDAT", in: $0) + 5] = 0 }),
        Damage("a chunk of four gigabytes", edit: { $0[Self.offset(of: "PLTE", in: $0)] = 0xFF }),
        Damage("no last byte of the data", edit: { $0.removeLast(12 + 4 + 4 + 1) }, gives: .truncated),
        Damage("half of the data", edit: { $0.removeLast($0.count / 4) }, gives: .truncated),
        Damage(
            "no data", edit: { $0.replaceSubrange(Self.offset(of: "IDAT", in: $0)..<$0.count - 12, with: []) }),
        Damage(
            "another chunk amid the data",
            edit: { bytes in
                let second = Self.offset(of: "IDAT", in: bytes) + 512
                bytes.insert(contentsOf: PNGFile.Chunk("tEXt", [65, 0]).bytes, at: second)
            }),
        Damage(
            "a picture of an iOS app",
            edit: { $0.insert(contentsOf: PNGFile.Chunk("CgBI", [1, 2, 3, 4]).bytes, at: 8) },
            gives: .unsupported("PNG of an iOS app (CgBI)")),
    ]

    @Test("a damaged file throws, never traps", arguments: damages)
    func throwsWhenDamaged(_ damage: Damage) throws {
        let good = Self.file.bytes
        #expect(throws: Never.self) { try good.rendered(width: 10) }
        var file = Self.file
        damage.apply(&file)
        var bytes = file.bytes
        damage.edit(&bytes)
        #expect(bytes != good)
        for width in [1, 10, 30] {
            let damaged = bytes
            let error = #expect(throws: CodecError.self) { try damaged.rendered(width: width) }
            #expect(error.map(damage.matches) == true, "\(String(describing: error))")
        }
    }

    /// Damage to the picture's data, in chunks with valid checksums.
    struct Stream: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (PNGFile) -> [UInt8]

        static let all = [
            Stream(testDescription: "a wrong checksum") { PNGFile.deflated($0.rows, checksumError: 1) },
            Stream(testDescription: "no checksum") { PNGFile.deflated($0.rows).dropLast(4) },
            Stream(testDescription: "a row too few") { PNGFile.deflated($0.rows.dropLast($0.rows.count / $0.height)) },
            Stream(testDescription: "a byte too few") { PNGFile.deflated($0.rows.dropLast()) },
            Stream(testDescription: "nothing") { _ in [] },
            Stream(testDescription: "no rows") { _ in PNGFile.deflated([]) },
            Stream(testDescription: "cut off") { Array(PNGFile.deflated($0.rows).prefix(100)) },
            Stream(testDescription: "no zlib header") { Array(PNGFile.deflated($0.rows).dropFirst(2)) },
            Stream(testDescription: "a filter that does not exist") {
                var rows = $0.rows
                rows[0] = 5
                return PNGFile.deflated(rows)
            },
        ]
    }

    @Test("data that is not the whole picture throws", arguments: Stream.all, [false, true])
    func refusesWrongData(_ stream: Stream, isInterlaced: Bool) throws {
        for colourType in [0, 2, 3, 6] {
            var file = PNGFile(width: 30, height: 20, colourType: colourType)
            file.isInterlaced = isInterlaced
            let bytes = Self.replacingData(file, by: stream.make(file))
            let error = #expect(throws: CodecError.self) { try bytes.rendered(width: 10) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("more data than the picture needs is ignored, as browsers do")
    func ignoresTooMuchData() throws {
        let file = PNGFile(width: 30, height: 20)
        let whole = try PNGPlanes(file.bytes).planes
        let rows = PNGFile.deflated(file.rows + [UInt8](repeating: 0, count: 500))
        let planes = try PNGPlanes(Self.replacingData(file, by: rows)).planes
        #expect(planes == whole)
        let afterStream = try PNGPlanes(Self.replacingData(file, by: PNGFile.deflated(file.rows) + [1, 2, 3])).planes
        #expect(afterStream == whole)
        let afterEnd = try PNGPlanes(file.bytes + [1, 2, 3]).planes
        #expect(afterEnd == whole)
    }

    @Test("optional chunks with a wrong checksum are ignored, as browsers do")
    func ignoresOptionalChunks() throws {
        var file = PNGFile(width: 5, height: 5, colourType: 2)
        let whole = try PNGPlanes(file.bytes).planes
        file.beforeData = [
            .init("tRNS", [0, 0, 0, 0, 0, 0], checksumError: 1),
            .init("gAMA", PNGFile.number(100_000), checksumError: 1),
            .init("acTL", PNGFile.number(9) + PNGFile.number(0), checksumError: 1), .init("tRNS", [0, 0]),
        ]
        #expect(try file.bytes.header().hasAlpha == false)
        #expect(try file.bytes.header().frameCount == 1)
        let planes = try PNGPlanes(file.bytes).planes
        #expect(planes == whole)
    }

    /// Bytes after the rows: the stream's checksum, the chunk's checksum, and IEND.
    private static let (streamTail, chunkTail, end) = (4, 4, 12)

    @Test("a prefix of a good file throws, unless it has all rows", arguments: [false, true], [false, true])
    func decidesByRows(isInterlaced: Bool, hasGamma: Bool) throws {
        var file = PNGFile(width: 11, height: 9, colourType: 3, bitDepth: 4)
        file.isInterlaced = isInterlaced
        file.beforeData = [.orientation(.turnedLeft)] + (hasGamma ? [.gamma(0.5)] : [])
        let bytes = file.bytes
        let plan = try bytes.plan(width: 4)
        let whole = try bytes.rendered(as: plan).bytes
        let tail = Self.chunkTail + Self.end + Self.streamTail
        for count in 0..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            if count >= bytes.count - tail {
                #expect(try prefix.header() == bytes.header(), "inspecting \(count) bytes")
                #expect(try prefix.rendered(as: plan).bytes == whole, "rendering \(count) bytes")
            } else {
                #expect(throws: CodecError.self, "rendering \(count) bytes") { try prefix.rendered(as: plan) }
                #expect(throws: CodecError.self, "inspecting \(count) bytes") { try prefix.header() }
            }
        }
    }

    @Test("what follows the data may be cut off or no chunk at all, also with an orientation before it")
    func showsWhatHasNoEnd() throws {
        var file = PNGFile(width: 30, height: 20)
        file.afterData = [.orientation(.turnedLeft), .init("tEXt", [UInt8](repeating: 65, count: 50))]
        let bytes = file.bytes
        let header = try bytes.header()
        #expect(header.orientation == .turnedLeft)
        for missing in [1, 12, 20, 60] {
            #expect(try Array(bytes.dropLast(missing)).header() == header, "\(missing) bytes less")
        }
        let whole = try PNGPlanes(PNGFile(width: 30, height: 20).bytes).planes
        let other = PNGFile(width: 30, height: 20).bytes.dropLast(Self.end) + [1, 2, 3, 4, 5, 6, 7, 8, 9]
        let planes = try PNGPlanes(Array(other)).planes
        #expect(planes == whole)
    }

    @Test("a header is asked for until the picture's data begins")
    func asksForMore() throws {
        var file = PNGFile(width: 11, height: 9, colourType: 3, bitDepth: 4)
        file.beforeData = [.init("tEXt", [UInt8](repeating: 65, count: 700)), .orientation(.turnedLeft)]
        let bytes = file.bytes
        let whole = try bytes.probed()
        let data = Self.offset(of: "IDAT", in: bytes)
        for count in 0..<bytes.count {
            let answer = try Array(bytes.prefix(count)).probed()
            if count >= data + 8 {
                #expect(answer == whole)
            } else if case .needsMoreBytes(let wanted) = answer {
                #expect(wanted > count && wanted <= max(ImageFormat.prefixLength, bytes.count), "\(count)")
            } else {
                Issue.record("an answer after \(count) bytes")
            }
        }
    }

    @Test("no flipped bit of the picture goes unnoticed, not even without the walk")
    func noticesFlippedBits() throws {
        let bytes = PNGFile(width: 11, height: 9, colourType: 2).bytes
        let plan = try bytes.plan(width: nil, format: .png)
        let whole = try bytes.rendered(as: plan).bytes
        // The picture is complete without IEND.
        for offset in 8..<bytes.count - 12 {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8(offset % 8)
            let late = damaged
            // A data length beyond the end of the file looks like a file that was cut after its pixels.
            if !(33..<36).contains(offset) {
                #expect(throws: CodecError.self, "inspecting, \(offset)") { try late.header() }
            }
            // Only the walk checks the chunks' checksums; the decoder detects everything else, too.
            guard let picture = try? late.rendered(as: plan).bytes else { continue }
            #expect(picture == whole, "rendering, \(offset)")
        }
    }

    @Test("a file of another header than the planned one is refused")
    func refusesAnotherFile() throws {
        let plan = try PNGFile(width: 12, height: 12).bytes.plan(width: 5)
        for other in [
            PNGFile(width: 12, height: 13), PNGFile(width: 12, height: 12, colourType: 6),
            PNGFile(width: 12, height: 12, colourType: 2, bitDepth: 16),
        ] {
            let bytes = other.bytes
            let error = #expect(throws: CodecError.self) { try bytes.rendered(as: plan) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("a file that was changed at random throws or gives a picture", arguments: 1...6)
    func survivesMutations(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let kinds = PNGSamplesTests.Kind.all
        for turn in 0..<150 {
            var file = kinds.randomElement(using: &random)!.file(width: 19, height: 13)
            file.beforePalette = [.gamma(0.6), .profile(PNGColourTests.profile()), .orientation(.turnedLeft)]
            let plan = try file.bytes.plan(width: 7)
            var stream = PNGFile.deflated(file.rows)
            // Changes to the data that the chunks' checksums do not detect.
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                stream[Int.random(in: 0..<stream.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var bytes = Self.replacingData(file, by: stream)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let at = Int.random(in: 8..<bytes.count, using: &random)
                bytes[at] ^= UInt8.random(in: 1...255, using: &random)
            }
            let late = bytes
            for render in [{ try late.rendered(width: 7) }, { try late.rendered(as: plan) }] {
                do {
                    let picture = try render()
                    #expect(!picture.bytes.isEmpty, "turn \(turn)")
                } catch let error as CodecError {
                    #expect(error != .stopped && error != .outOfMemory, "turn \(turn)")
                }
            }
        }
    }
}
