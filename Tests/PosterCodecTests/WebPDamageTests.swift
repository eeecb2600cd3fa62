import CodecTesting
import Synchronization
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct WebPDamageTests {
    typealias Chunk = WebPFile.Chunk

    /// Small files of every kind of coding.
    static func files() throws -> [WebPFile] {
        let (width, height) = (37, 29)
        let lossy = try Chunk.lossy(.waves(width: width, height: height), quality: 60)
        let lossless = Chunk.lossless(12, 9, hasAlpha: true) { x, y in
            (UInt8(20 * x), UInt8(20 * y), 3, UInt8(9 * x * y & 255))
        }
        let alpha = Chunk.alpha((0..<width * height).map { UInt8($0 & 255) })
        return [
            WebPFile(lossy), WebPFile(lossless), WebPFile(.canvas(.alpha, width, height), alpha, lossy),
            WebPFile(
                .canvas([.animation, .exif], 50, 40), Chunk("ANIM", [0, 0, 0, 0, 0, 0]),
                .frame(x: 2, y: 4, width, height, lossy), .frame(12, 9, lossless), .exif(orientation: 6)),
        ]
    }

    static func isExpected(_ error: CodecError) -> Bool {
        switch error {
        case .truncated, .damaged: true
        default: false
        }
    }

    @Test("cut off before the end of its first picture, a file is truncated", arguments: 0..<4)
    func refusesPrefixes(index: Int) throws {
        let file = try Self.files()[index].bytes
        let end = try file.span.bytes.withUnsafeBytes { (bytes) throws(CodecError) in
            var parser = WebPParser(bytes)
            guard case .layout(let layout) = try parser.layout() else { throw CodecError.truncated }
            return layout.frame.data.upperBound
        }
        let plan = try file.plan(width: 11)
        for count in 12..<file.count {
            let prefix = Array(file.prefix(count))
            if count < end {
                #expect(throws: CodecError.truncated, "\(count) bytes") { try prefix.header() }
            } else {
                #expect(throws: Never.self, "\(count) bytes") { try prefix.header() }
            }
            // The decoder must detect it, too, unless it has all the data that it needs.
            do {
                let picture = try prefix.downsampled(as: plan)
                let isWhole = try Self.samples(picture) == Self.samples(file.downsampled(as: plan))
                #expect(isWhole, "\(count) bytes")
            } catch {
                #expect(Self.isExpected(error), "\(count) bytes: \(error)")
            }
        }
    }

    /// A complete container may have incomplete data. The last bytes of the data are only padding.
    @Test("a picture whose data ends too early is no picture, even in a whole container", arguments: 0..<3)
    func refusesShortData(index: Int) throws {
        let file = try Self.files()[index]
        let whole = try Self.samples(file.bytes.downsampled(width: nil))
        let last = file.chunks.count - 1
        var pictures = 0
        for count in 10..<file.chunks[last].payload.count {
            var cut = file
            cut.chunks[last].payload = Array(file.chunks[last].payload.prefix(count))
            do {
                let samples = try Self.samples(cut.bytes.downsampled(width: nil))
                #expect(samples == whole, "\(count) bytes")
                pictures += 1
            } catch {
                #expect(Self.isExpected(error), "\(count) bytes: \(error)")
            }
        }
        #expect(pictures <= 4)
    }

    @Test("a chunk behind the first picture that reaches beyond the file is ignored", arguments: [false, true])
    func ignoresLaterChunks(isAnimated: Bool) throws {
        let lossy = try Chunk.lossy(.waves(width: 37, height: 29), quality: 60)
        let still = WebPFile(.canvas(.exif, 37, 29), lossy, .exif(orientation: 6))
        let whole = isAnimated ? try Self.files()[3].bytes : still.bytes
        let exif = try #require(whole.indices.last { whole[$0...].starts(with: "EXIF".utf8) })
        var damaged = whole
        damaged[exif + 6] = 0xFF
        let header = try damaged.header()
        #expect(try header.orientation == .upright && header.frameCount == whole.header().frameCount)
        #expect(throws: Never.self) { try damaged.rendered(width: 11) }
    }

    @Test("an alpha plane that is too short is damage")
    func refusesShortAlpha() throws {
        let lossy = try Chunk.lossy(.waves(width: 37, height: 29))
        for chunk in [Chunk.alpha([UInt8](repeating: 1, count: 37 * 29 - 1)), Chunk("ALPH", [1, 2]), Chunk("ALPH")] {
            let bytes = WebPFile(.canvas(.alpha, 37, 29), chunk, lossy).bytes
            #expect(throws: CodecError.self) { try bytes.rendered(width: nil) }
        }
    }

    @Test("flipped bits throw or give a picture of the planned size", arguments: 0..<4)
    func survivesFlippedBits(index: Int) throws {
        let file = try Self.files()[index].bytes
        let plan = try file.plan(width: 11)
        var random = SeededRandom(seed: UInt64(index))
        var limits = CodecLimits()
        limits.maxPixels = 1 << 18
        for turn in 0..<1200 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = turn % 2 == 0 ? turn / 2 % bytes.count : Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            do {
                let picture = try bytes.rendered(width: 11, limits: limits)
                let header = try picture.bytes.header()
                #expect((header.width, header.height) == (picture.size.width, picture.size.height))
            } catch {
                #expect(error != .stopped && error != .outOfMemory)
            }
            // The plan was made before the bits flipped.
            _ = try? bytes.downsampled(as: plan, limits: limits)
        }
    }

    @Test("another file than the planned one is damage")
    func refusesAnotherFile() throws {
        let files = try Self.files().map(\.bytes)
        for (index, file) in files.enumerated() {
            let plan = try file.plan(width: 10)
            for (other, bytes) in files.enumerated() where other != index {
                #expect(throws: CodecError.damaged(reason: "the WebP is not the planned one")) {
                    try bytes.downsampled(as: plan)
                }
            }
        }
    }

    @Test("a decoder can be stopped at any time, and stops", arguments: 0..<3)
    func stops(index: Int) throws {
        var random = SeededRandom(seed: 9)
        let noise = (0..<64 * 64).map { _ in UInt8.random(in: 16...235, using: &random) }
        let picture = FormulaPicture(width: 512, height: 512) { x, y in
            .init(luma: Double(noise[(Int(y) & 63) * 64 + Int(x) & 63]))
        }
        let alpha = Chunk.alpha([UInt8](repeating: 7, count: 512 * 512))
        let file = [
            WebPFile(try .lossy(picture)), WebPFile(.canvas(.alpha, 512, 512), alpha, try .lossy(picture)),
            WebPFile(.lossless(150, 150) { x, y in (noise[(y & 63) * 64 + x & 63], 0, 0, 255) }),
        ][index].bytes
        let plan = try file.plan(width: 50)
        let whole = Questions()
        _ = try file.downsampled(as: plan, control: whole.control)
        #expect(whole.count > 12)
        // After the last reading, nothing is left to stop.
        for moment in 1..<whole.count {
            let questions = Questions(raisingAt: moment)
            #expect(throws: CodecError.stopped) { try file.downsampled(as: plan, control: questions.control) }
            #expect(questions.count <= moment + 1)
        }
    }

    @Test("a decoder that takes too long is ended")
    func endsWhenTimeIsUp() throws {
        let file = WebPFile(try .lossy(.waves(width: 200, height: 200))).bytes
        let plan = try file.plan(width: 20)
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 30_000_000
        let questions = Questions()
        let control = RenderControl(cpuTime: { questions.next() * 10_000_000 })
        #expect(throws: CodecError.overLimit(.cpuTime, value: 40, limit: 30)) {
            try file.downsampled(as: plan, limits: limits, control: control)
        }
    }

    static func samples(_ picture: DownsampledPicture) -> [[UInt8]] {
        switch picture {
        case .planes(let planes): planes.map(\.samples)
        case .pixels(let pixels): [pixels.samples]
        }
    }
}

/// Counts a render's readings of its CPU time, and can raise the stop flag at one of them.
final class Questions: Sendable {
    private let asked = Atomic<UInt64>(0)
    private let fatal: UInt64?
    private let stop = StopFlag()

    init(raisingAt fatal: UInt64? = nil) {
        self.fatal = fatal
    }

    var count: UInt64 { self.asked.load(ordering: .relaxed) }

    var control: RenderControl {
        RenderControl(
            stop: self.stop,
            cpuTime: {
                _ = self.next()
                return 0
            })
    }

    func next() -> UInt64 {
        let count = self.asked.wrappingAdd(1, ordering: .relaxed).newValue
        if count == self.fatal { self.stop.raise() }
        return count
    }
}
