import CodecTesting
import Testing

@testable import PosterCodec

/// Headers that arrive in pieces.
@Suite struct IncrementalProbeTests {
    /// The beginning of a file with an endless header.
    struct Unending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ start: [UInt8], repeating piece: [UInt8]) {
            self.testDescription = name
            let count = (32 << 10) / piece.count
            self.bytes = start + (0..<count).flatMap { _ in piece }
        }

        static func webp(_ start: WebPFile.Chunk, then open: [UInt8] = []) -> [UInt8] {
            Array("RIFF".utf8) + littleEndian(1 << 20, 4) + Array("WEBP".utf8) + start.bytes + open
        }

        static let all: [Self] = [
            Self("JPEG segments", [0xFF, 0xD8], repeating: JPEGSegment(0xE1, []).bytes),
            Self("JPEG stray bytes", [0xFF, 0xD8, 0xFF, 0xE1, 0, 2], repeating: [0]),
            Self("JPEG fill bytes", [0xFF, 0xD8], repeating: [0xFF]),
            Self("JPEG restart markers", [0xFF, 0xD8], repeating: [0xFF, 0xD0]),
            Self(
                "PNG chunks", Array(PNGFile(width: 3, height: 4).bytes.prefix(33)),
                repeating: PNGFile.Chunk("teXt", []).bytes),
            Self(
                "WebP chunks", Self.webp(.canvas([], 8, 8)),
                repeating: WebPFile.Chunk("more").bytes),
            Self(
                "chunks in a WebP's first frame",
                // The frame declares more bytes than follow.
                Self.webp(
                    .canvas(.animation, 8, 8),
                    then: Array("ANMF".utf8) + littleEndian(1 << 19, 4) + [
                        0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0, 1, 0, 0, 0,
                    ]),
                repeating: WebPFile.Chunk("more").bytes),
        ]
    }

    private func pass(_ bytes: some Sequence<UInt8>, to probe: inout IncrementalProbe) throws(CodecError) {
        for byte in bytes {
            try [byte].span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in _ = try probe.receive(buffer) }
        }
    }

    @Test("no byte is walked over again, however small the pieces are", arguments: Unending.all)
    func resumes(file: Unending) throws {
        var probe = IncrementalProbe(limits: .init())
        for (index, byte) in file.bytes.enumerated() {
            try self.pass([byte], to: &probe)
            // A segment's or chunk's own header may be incomplete.
            if index > 600 { #expect(index - probe.reader!.reached < 32) }
        }
        #expect(probe.finding == .incomplete)
        #expect(probe.walkCount <= file.bytes.count)
    }

    @Test("a large segment is not walked over before it is complete")
    func waitsForSegments() throws {
        var probe = IncrementalProbe(limits: .init())
        try self.pass([0xFF, 0xD8] + JPEGSegment.comment(byteCount: 60_000).bytes, to: &probe)
        #expect(probe.walkCount < 8)
    }

    @Test("byte by byte, a file's header is the one that is found in all of it")
    func findsTheSameHeader() throws {
        let canvas = WebPFile.Chunk.canvas([.alpha, .exif], 20, 30)
        let picture = try WebPFile.Chunk.lossy(.gradient(width: 20, height: 30))
        let alpha = WebPFile.Chunk.alpha([UInt8](repeating: 9, count: 600))
        var png = PNGFile(width: 9, height: 7, colourType: 3, bitDepth: 4)
        png.beforeData = [.init("tRNS", [1, 2, 3]), .init("teXt", [UInt8](repeating: 65, count: 99))]
        let jpeg = try FormulaPicture.gradient(width: 40, height: 30).jpeg(isProgressive: true)
        let files = [
            jpeg.splicing(.jfif, .exif(orientation: 6), .icc, .comment(byteCount: 300)), png.bytes,
            WebPFile(canvas, alpha, picture, .init("more"), .exif(orientation: 6)).bytes,
            WebPFile(
                .canvas([.animation, .alpha], 40, 40), .frame(20, 30, .init("more"), alpha, picture),
                .frame(20, 30, picture)
            ).bytes,
        ]
        for file in files {
            var probe = IncrementalProbe(limits: .init())
            // A format is recognised only after this many bytes.
            try self.pass(file + [UInt8](repeating: 0, count: ImageFormat.prefixLength), to: &probe)
            guard case .header(let header) = try file.probed() else { throw CodecError.truncated }
            #expect(probe.finding == .header(header))
        }
    }

    @Test("the corpus, in pieces of a few bytes, has the headers that its whole files have", arguments: Corpus.folders)
    func agreesOnTheCorpus(folder: String) throws {
        var limits = CodecLimits()
        (limits.maxWidth, limits.maxHeight, limits.maxPixels, limits.maxFrames) = (.max, .max, .max, .max)
        for path in Corpus.files(in: folder) {
            let bytes = try Corpus.bytes(of: path).prefix(IncrementalProbe.defaultByteLimit)
            // A format is recognised only after this many bytes.
            guard bytes.count >= ImageFormat.prefixLength else { continue }
            let whole = Result { try Array(bytes).probed() }
            var probe = IncrementalProbe(limits: limits, byteLimit: .max)
            let pieces = Result {
                for start in stride(from: 0, to: bytes.count, by: 7) {
                    try bytes[start..<min(start + 7, bytes.count)].withUnsafeBytes { _ = try probe.receive($0) }
                }
            }
            switch (whole, pieces) {
            case (.success(.header(let header)), _): #expect(probe.finding == .header(header), "\(path)")
            case (.success(.needsMoreBytes), .success): #expect(probe.finding == .incomplete, "\(path)")
            case (.failure, .failure): break
            default: Issue.record("\(path): \(whole) of the whole file, \(pieces) of its pieces")
            }
        }
    }

    @Test("a page is refused at its beginning")
    func refusesPages() throws {
        let page = Array("<!DOCTYPE html><html>".utf8) + [UInt8](repeating: 32, count: 491)
        var probe = IncrementalProbe(limits: .init())
        #expect(throws: CodecError.notAnImage(seems: "an HTML page")) { try self.pass(page, to: &probe) }
    }

    @Test("too many pixels are refused at the header")
    func refusesTooManyPixels() throws {
        var limits = CodecLimits()
        limits.maxPixels = 100 * 150 - 1
        let picture = try FormulaPicture.gradient(width: 100, height: 150).jpeg()
        var probe = IncrementalProbe(limits: limits)
        #expect(throws: CodecError.overLimit(.pixels, value: 15_000, limit: 14_999)) {
            try self.pass(picture.prefix(picture.count / 2), to: &probe)
        }
    }

    @Test("a header that does not come within the byte limit is given up, and its copy with it")
    func givesUp() throws {
        var probe = IncrementalProbe(limits: .init(), byteLimit: 1000)
        let bytes =
            [0xFF, 0xD8] + JPEGSegment.comment(byteCount: 600).bytes + JPEGSegment.comment(byteCount: 600).bytes
        #expect(try bytes.prefix(999).withUnsafeBytes { try probe.receive($0) } == .incomplete)
        #expect(try bytes.dropFirst(999).withUnsafeBytes { try probe.receive($0) } == .beyondByteLimit)
        #expect(try [0].span.bytes.withUnsafeBytes { try probe.receive($0) } == .beyondByteLimit)
    }
}
