import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct DamageTests {
    /// A change to a valid file, and the error that the codec must throw.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout [UInt8]) -> Void
        let matches: @Sendable (CodecError) -> Bool

        init(
            _ testDescription: String, _ apply: @escaping @Sendable (inout [UInt8]) -> Void,
            gives matches: @escaping @Sendable (CodecError) -> Bool
        ) {
            (self.testDescription, self.apply, self.matches) = (testDescription, apply, matches)
        }

        static func isDamaged(_ error: CodecError) -> Bool {
            if case .damaged(let reason) = error { return !reason.isEmpty }
            return false
        }
    }

    /// The offset of the first marker of this kind.
    static func offset(of marker: UInt8, in bytes: [UInt8]) -> Int {
        bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == marker } ?? 0
    }

    /// Overwrites bytes of the first segment of this kind, or after it; `at` counts from its marker.
    static func overwrite(_ bytes: inout [UInt8], _ marker: UInt8, at offset: Int, _ new: [UInt8]) {
        let first = Self.offset(of: marker, in: bytes) + offset
        bytes.replaceSubrange(first..<first + new.count, with: new)
    }

    static func segment(at offset: Int, in bytes: [UInt8]) -> [UInt8] {
        Array(bytes[offset..<offset + 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])])
    }

    static let damages = [
        Damage("empty", { $0 = [] }, gives: { $0 == .notAnImage(seems: "nothing (0 bytes)") }),
        Damage("not a picture", { $0 = Array("GIF89b, or so".utf8) }, gives: { $0 == .notAnImage(seems: "text") }),
        Damage("another picture", { $0 = [0xFF, 0x4F, 0xFF, 0x51] }, gives: { $0 == .unsupported("JPEG 2000") }),
        Damage("three bytes", { $0 = [0xFF, 0xD8, 0xFF] }, gives: { $0 == .truncated }),
        Damage("cut in half", { $0.removeLast($0.count / 2) }, gives: { $0 == .truncated }),
        Damage("header only", { $0.removeLast($0.count - 200) }, gives: { $0 == .truncated }),
        Damage("nothing but an end", { $0 = [0xFF, 0xD8, 0xFF, 0xD9] }, gives: Damage.isDamaged),
        Damage("a segment of impossible length", { $0[4...5] = [0, 1] }, gives: Damage.isDamaged),
        Damage("no width", { Self.overwrite(&$0, 0xC0, at: 7, [0, 0]) }, gives: Damage.isDamaged),
        Damage(
            "no height", { Self.overwrite(&$0, 0xC0, at: 5, [0, 0]) },
            gives: { $0 == .unsupported("JPEG with its height after the picture (DNL)") }),
        Damage("a sampling factor of zero", { Self.overwrite(&$0, 0xC0, at: 11, [0x20]) }, gives: Damage.isDamaged),
        Damage("a sampling factor of five", { Self.overwrite(&$0, 0xC0, at: 11, [0x15]) }, gives: Damage.isDamaged),
        Damage(
            "a frame header that is too short", { Self.overwrite(&$0, 0xC0, at: 9, [4]) }, gives: Damage.isDamaged),
        Damage(
            "a frame header that is too long",
            {
                let frame = Self.offset(of: 0xC0, in: $0)
                $0[frame + 3] += 1
                $0.insert(0, at: frame + 19)
            }, gives: Damage.isDamaged),
        Damage(
            "two frame headers",
            {
                let frame = Self.offset(of: 0xC0, in: $0)
                $0.insert(contentsOf: Self.segment(at: frame, in: $0), at: frame)
            }, gives: { $0 == .unsupported("hierarchical JPEG") }),
        Damage(
            "a scan before the frame header",
            {
                let scan = Self.segment(at: Self.offset(of: 0xDA, in: $0), in: $0)
                $0.insert(contentsOf: scan, at: 2)
            }, gives: Damage.isDamaged),
        Damage(
            "a scan of an unknown component", { Self.overwrite(&$0, 0xDA, at: 5, [77]) }, gives: Damage.isDamaged),
        Damage(
            "no quantisation tables",
            {
                while case let offset = Self.offset(of: 0xDB, in: $0), offset > 0 { $0[offset + 1] = 0xFE }
            }, gives: Damage.isDamaged),
        Damage(
            "a whole picture after another's header", { $0.insert(contentsOf: $0, at: Self.offset(of: 0xDA, in: $0)) },
            gives: { Damage.isDamaged($0) || $0 == .unsupported("hierarchical JPEG") }),
        Damage(
            "a marker in the scan's data", { Self.overwrite(&$0, 0xDA, at: 60, [0xFF, 0xD3]) }, gives: Damage.isDamaged),
        Damage(
            "bytes taken out of the scan's data",
            {
                let scan = Self.offset(of: 0xDA, in: $0)
                $0.removeSubrange(scan + 40..<scan + 160)
            }, gives: { Damage.isDamaged($0) || $0 == .truncated }),
        Damage(
            "a scan without data",
            {
                let scan = Self.offset(of: 0xDA, in: $0)
                $0.removeSubrange(scan + 14..<$0.count - 2)
            }, gives: Damage.isDamaged),
    ]

    @Test("a damaged file throws, never traps", arguments: damages)
    func throwsWhenDamaged(_ damage: Damage) throws {
        let picture = FormulaPicture(width: 70, height: 90) { x, y in .init(luma: 3 * x, blue: 2 * y, red: x + y) }
        var bytes = try picture.jpeg(quality: 90)
        #expect(try bytes.rendered(width: 20).encodedSize == [20, 26])
        damage.apply(&bytes)
        for width in [1, 20, 70] {
            let error = #expect(throws: CodecError.self) { try bytes.rendered(width: width) }
            #expect(error.map(damage.matches) == true, "\(String(describing: error))")
        }
    }

    @Test("bytes flipped in the scan's data throw or give a picture", arguments: [false, true])
    func survivesFlippedBytes(isProgressive: Bool) throws {
        let file = try FormulaPicture.gradient(width: 40, height: 40).jpeg(quality: 90, isProgressive: isProgressive)
        let scan = Self.offset(of: 0xDA, in: file)
        for offset in stride(from: scan, to: file.count, by: isProgressive ? 2 : 1) {
            var bytes = file
            bytes[offset] ^= 0xFF
            Mutations.check(bytes, width: 13, format: .jpeg)
        }
    }

    /// A file cut before the end of its data is incomplete; the decoder must detect that by itself, too.
    @Test("every prefix of a good file throws, or is the whole picture", arguments: [false, true])
    func refusesEveryPrefix(isProgressive: Bool) throws {
        let file = try FormulaPicture.gradient(width: 33, height: 25).jpeg(quality: 90, isProgressive: isProgressive)
        let plan = try file.plan(width: 11)
        let whole = try file.rendered(as: plan).bytes
        for count in 0..<file.count {
            let prefix = Array(file.prefix(count))
            if count < file.count - 2 {
                #expect(throws: CodecError.self, "inspecting \(count) bytes") { try prefix.header() }
            } else {
                #expect(try prefix.header() == file.header(), "inspecting \(count) bytes")
            }
            do {
                let bytes = try prefix.rendered(as: plan).bytes
                #expect(bytes == whole, "rendering \(count) bytes")
            } catch {
                #expect(error != .stopped && error != .outOfMemory)
            }
        }
    }

    @Test("a file of another size or of other components than the planned one is refused")
    func refusesAnotherFile() throws {
        let plan = try BlockJPEG(width: 40, height: 40).bytes.plan(width: 13)
        let others = [
            BlockJPEG(width: 40, height: 41), BlockJPEG(width: 41, height: 40),
            BlockJPEG(width: 40, height: 40, factors: [(1, 1), (1, 1)]),
            BlockJPEG(width: 40, height: 40, factors: [(1, 1), (1, 1), (1, 1), (1, 1)]),
        ]
        for other in others {
            let error = #expect(throws: CodecError.self) { try other.bytes.rendered(as: plan) }
            #expect(error.map(Damage.isDamaged) == true)
        }
    }
}

/// Random changes to good files.
enum Mutations {
    static let limits: CodecLimits = {
        var limits = CodecLimits()
        limits.maxPixels = 1 << 18
        limits.maxWorkingBytes = 24 << 20
        limits.maxScans = 20
        return limits
    }()

    /// Small files of every kind of coding.
    static func originals() throws -> [[UInt8]] {
        var files: [[UInt8]] = []
        for subsampling in FormulaPicture.Subsampling.allCases {
            let picture = FormulaPicture.gradient(width: 35, height: 27, subsampling: subsampling)
            files.append(try picture.jpeg(quality: 85).splicing(.exif(orientation: 6), .icc))
            files.append(try picture.jpeg(quality: 85, isProgressive: true))
        }
        for factors in [[(2, 2), (2, 1), (1, 2)], [(1, 1), (2, 2), (1, 1)], [(2, 2)], [(4, 1), (1, 1), (1, 1)]] {
            var blocks = BlockJPEG(width: 50, height: 30, factors: factors)
            blocks.restartInterval = 3
            files.append(blocks.bytes)
            blocks.isInterleaved = false
            files.append(blocks.bytes)
        }
        return files
    }

    /// Applies one to four random changes.
    static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard bytes.count > 8 else { return }
            let at = Int.random(in: 2..<bytes.count, using: &random)
            let length = min(Int.random(in: 1...24, using: &random), bytes.count - at)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes[at] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random)!
            case 3: bytes.removeSubrange(at..<at + length)
            case 4: bytes.insert(contentsOf: bytes[at..<at + length], at: at)
            case 5:
                for offset in at..<at + length { bytes[offset] = UInt8.random(in: 0...255, using: &random) }
            case 6:
                let marker = [0xC0, 0xC2, 0xC4, 0xD0, 0xD9, 0xDA, 0xDB, 0xDD, 0xE1, 0xFE].randomElement(using: &random)!
                bytes.replaceSubrange(at..<min(at + 2, bytes.count), with: [0xFF, UInt8(marker)])
            // The header is a small part of a file and the most fragile one.
            default: bytes[min(at % 620, bytes.count - 1)] ^= UInt8.random(in: 1...255, using: &random)
            }
        }
    }

    /// Renders a file: it must throw, or give a picture of the planned size.
    ///
    /// - Returns: Whether it gave a picture.
    @discardableResult
    static func check(
        _ bytes: [UInt8], width: Int?, format: OutputFormat, limits: CodecLimits = Self.limits, comment: Comment? = nil
    ) -> Bool {
        do {
            let picture = try bytes.rendered(width: width, format: format, limits: limits)
            #expect(picture.encodedSize == [picture.size.width, picture.size.height], comment)
            return true
        } catch {
            #expect(error != .stopped && error != .outOfMemory, comment)
            return false
        }
    }
}

@Suite(.computingThread) struct MutationTests {
    static let perSeed = 250

    @Test("a file that was changed at random throws or gives a picture", arguments: 1...16)
    func survivesMutations(seed: Int) throws {
        let originals = try Mutations.originals()
        var random = SeededRandom(seed: UInt64(seed))
        var pictures = 0
        for turn in 0..<Self.perSeed {
            var bytes = originals.randomElement(using: &random)!
            Mutations.mutate(&bytes, &random)
            let width = [1, 4, 9, 17, 35, nil].randomElement(using: &random)!
            let format = OutputFormat.quick.randomElement(using: &random)!
            if Mutations.check(bytes, width: width, format: format, comment: "turn \(turn)") { pictures += 1 }
        }
        #expect((10...Self.perSeed - 10).contains(pictures), "mutations of both kinds: \(pictures)")
    }

    @Test("bytes that went bad after the plan was made throw or give a picture", arguments: 1...4)
    func survivesLateMutations(seed: Int) throws {
        let originals = try Mutations.originals()
        var random = SeededRandom(seed: UInt64(1000 + seed))
        for turn in 0..<Self.perSeed {
            var bytes = originals.randomElement(using: &random)!
            let plan = try bytes.plan(width: [1, 9, 35].randomElement(using: &random)!, limits: Mutations.limits)
            Mutations.mutate(&bytes, &random)
            do {
                let picture = try bytes.rendered(as: plan, limits: Mutations.limits)
                #expect(picture.encodedSize == [plan.size.width, plan.size.height], "turn \(turn)")
            } catch {
                #expect(error != .stopped && error != .outOfMemory, "turn \(turn)")
            }
        }
    }

    @Test("random bytes after a JPEG's first three throw", arguments: 1...4)
    func survivesNoise(seed: Int) {
        var random = SeededRandom(seed: UInt64(2000 + seed))
        for _ in 0..<Self.perSeed {
            let count = Int.random(in: 0...400, using: &random)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(!Mutations.check([0xFF, 0xD8, 0xFF] + noise, width: 5, format: .webp))
        }
    }
}
