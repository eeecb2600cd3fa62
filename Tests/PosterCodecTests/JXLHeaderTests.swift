import Testing

@testable import PosterCodec

/// Headers of JPEG XLs are read, and their limits held, before libjxl reads any byte.
@Suite(.computingThread) struct JXLHeaderTests {
    private func refuses(
        _ bytes: [UInt8], _ error: CodecError, _ change: (inout CodecLimits) -> Void = { _ in },
        at location: SourceLocation = #_sourceLocation
    ) {
        var limits = CodecLimits()
        change(&limits)
        #expect(throws: error, sourceLocation: location) { try bytes.header(limits: limits) }
    }

    @Test("size, depth, colours, alpha, frames and coding are known", arguments: JXLFile.all)
    func readsHeaders(name: String, bytes: [UInt8]) throws {
        let header = try bytes.header()
        #expect(header.format == .jpegXL && (header.width, header.height) == (12, 8))
        #expect(header.bitDepth == (name == "deep" ? 16 : 8))
        #expect(header.colourModel == (name.hasPrefix("gray") ? .gray : .rgb))
        let hasAlpha = name.hasSuffix("alpha") || name == "premultiplied" || name == "animation"
        #expect(header.hasAlpha == hasAlpha && header.extraChannelCount == (hasAlpha ? 1 : 0))
        #expect(header.frameCount == (name == "animation" ? 2 : 1))
        #expect(header.hasICCProfile == (name == "profile"))
        // Behind a profile, frames cannot be found.
        #expect(header.isMultiScan == !["lossy", "recompressed", "xyb-pq"].contains(name))
        #expect(header.isLossless == !["lossy", "recompressed", "xyb-pq", "profile"].contains(name))
        #expect(header.orientation == (["recompressed", "turned"].contains(name) ? .turnedLeft : .upright))
    }

    @Test("a header is read as soon as it has arrived, whatever the pieces", arguments: JXLFile.all)
    func readsIncrementally(name: String, bytes: [UInt8]) throws {
        var whole = try bytes.header()
        (whole.frameCount, whole.isLossless, whole.isMultiScan, whole.layerBytes) = (1, false, true, 0)
        // Short files are recognised when they end.
        let bytes = bytes + [UInt8](repeating: 0, count: ImageFormat.prefixLength)
        for step in [1, 7, 1000] {
            var probe = IncrementalProbe(limits: .init())
            var offset = 0
            while probe.finding == .incomplete, offset < bytes.count {
                let end = min(offset + step, bytes.count)
                _ = try bytes[offset..<end].withUnsafeBytes { (piece) throws(CodecError) in try probe.receive(piece) }
                offset = end
            }
            #expect(probe.finding == .header(whole), "pieces of \(step) bytes")
        }
    }

    @Test("missing bytes of the first frame are noticed, except behind a profile", arguments: JXLFile.all)
    func noticesTruncation(name: String, bytes: [UInt8]) throws {
        for count in 2..<bytes.count where name != "animation" && name != "recompressed" {
            let part = Array(bytes[..<count])
            do throws(CodecError) {
                _ = try part.header()
                #expect(["profile", "ordered"].contains(name), "\(count) of \(bytes.count) bytes")
            } catch {
                #expect(error == .truncated || count < 12, "\(count) of \(bytes.count) bytes: \(error)")
            }
        }
        // The second frame is not shown.
        if name == "animation" { #expect(try Array(bytes.dropLast()).header().frameCount == 1) }
    }

    @Test("a codestream in several parts, some of them empty, is read like a whole one")
    func joinsParts() throws {
        let whole = JXLFile.lossless
        let parts = [Array(whole[..<3]), [], Array(whole[3..<5]), Array(whole[5...]), []]
        var joined = try JXLFile.boxed(parts).header()
        #expect(joined.layerBytes == whole.count, "parts are joined in memory")
        joined.layerBytes = 0
        #expect(try joined == whole.header())
        #expect(try JXLFile.boxed(parts).pixels().samples == whole.pixels().samples)
        #expect(try JXLFile.boxed(whole.map { [$0] }).header().layerBytes == whole.count)
        let foreign = JXLFile.start + JXLFile.box("Exif", [0, 0, 0, 0]) + JXLFile.box("jxlc", whole)
        #expect(try foreign.header() == whole.header())
    }

    @Test("boxes out of order, without number or without codestream are refused, and so are too many")
    func checksBoxes() throws {
        let whole = JXLFile.lossless
        let halves = [Array(whole[..<40]), Array(whole[40...])]
        self.refuses(
            JXLFile.boxed(halves, numbers: [1, 1 << 31]), .damaged(reason: "a JPEG XL with parts out of order"))
        self.refuses(
            JXLFile.boxed(halves, numbers: [0, 2 | 1 << 31]), .damaged(reason: "a JPEG XL with parts out of order"))
        self.refuses(
            JXLFile.start + JXLFile.box("jxlp", [0, 0]), .damaged(reason: "a JPEG XL with a part without number"))
        self.refuses(
            JXLFile.boxed([halves[0]], numbers: [0]) + JXLFile.box("jxlc", whole),
            .damaged(reason: "a JPEG XL with two codestreams"))
        self.refuses(
            Array(JXLFile.start[..<12]) + JXLFile.box("jxlc", whole),
            .damaged(reason: "a JPEG XL that does not begin with its signature and type"))
        self.refuses(JXLFile.start + JXLFile.box("jxlc", []), .truncated)
        self.refuses(JXLFile.start + JXLFile.box("jxlc", [0, 1, 2]), .damaged(reason: "a JPEG XL without codestream"))
        let many = JXLFile.start + (0..<20).flatMap { _ in JXLFile.box("free", []) } + JXLFile.box("jxlc", whole)
        #expect(try many.header().width == 12)
        self.refuses(many, .overLimit(.chunks, value: 11, limit: 10)) { $0.maxChunks = 10 }
        let bomb = JXLFile.boxed([[UInt8]](repeating: [], count: 3000) + [whole])
        self.refuses(bomb, .overLimit(.chunks, value: 1001, limit: 1000)) { $0.maxChunks = 1000 }
    }

    @Test("sides, pixels, extra channels, layers, frames and profiles have limits")
    func holdsLimits() throws {
        let side = 1 << 30
        self.refuses(JXLBitWriter.header(width: side, height: side), .overLimit(.width, value: side, limit: 65_500))
        self.refuses(
            JXLBitWriter.header(width: 65_000, height: 65_000),
            .overLimit(.pixels, value: 65_000 * 65_000, limit: 100_000_000))
        self.refuses(
            JXLBitWriter.header(channels: [0, 0, 0, 0, 0]), .overLimit(.extraChannels, value: 5, limit: 4))
        self.refuses(
            JXLBitWriter.header(channels: [Int](repeating: 0, count: 4096)),
            .overLimit(.extraChannels, value: 4096, limit: 4))
        self.refuses(JXLFile.lossless, .overLimit(.layers, value: 1, limit: 0)) { $0.maxLayers = 0 }
        self.refuses(JXLFile.animation, .overLimit(.frames, value: 2, limit: 1)) { $0.maxFrames = 1 }
        self.refuses(JXLFile.lossless, .overLimit(.pixels, value: 96, limit: 95)) { $0.maxPixels = 95 }
        var limits = CodecLimits()
        limits.maxProfileBytes = 100
        let error = #expect(throws: CodecError.self) { try JXLFile.profile.header(limits: limits) }
        #expect(error?.description.hasPrefix("over the limit of ICC profile bytes") == true)
    }

    @Test("inks are not decoded, and a header that does not end is refused")
    func refusesOthers() {
        self.refuses(JXLBitWriter.header(channels: [4]), .unsupported("JPEG XL in CMYK"))
        self.refuses(JXLBitWriter.header(extensionLength: 1000), .truncated)
        self.refuses(
            JXLBitWriter.header(extensionLength: 1 << 18), .damaged(reason: "a JPEG XL with a header that is too long"))
    }

    @Test("a format that is not among the input formats is refused with the option's name")
    func refusesSwitchedOff() {
        self.refuses(JXLFile.lossless, .switchedOff(.jpegXL)) { $0.inputFormats = [.jpeg, .png] }
        #expect(
            CodecError.switchedOff(.jpegXL).description
                == "JPEG XL, which is switched off, or needs worker processes that do not run: see --input-formats")
        #expect(CodecError.switchedOff(.gif).description == "GIF, which is switched off: see --input-formats")
        #expect(ImageFormat.jpegXL.needsWorker && !ImageFormat.avif.needsWorker)
    }
}
