import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PNGEncoderTests {
    static func buffer(width: Int, height: Int, channels: Int) -> PixelBuffer {
        var pixels = PixelBuffer(width: width, height: height, channels: channels)
        for index in pixels.samples.indices {
            pixels.samples[index] = UInt8(
                PNGFile.noise(index / channels % width, index / channels / width, index % channels) & 0xFF)
        }
        return pixels
    }

    static func encoded(_ pixels: PixelBuffer, control: RenderControl = .init()) throws(CodecError) -> [UInt8] {
        try PNGEncoder().encode(pixels, watch: RenderWatch(control, limits: .init())).array
    }

    @Test("what was encoded is decoded to the same pixels", arguments: [1, 3, 4])
    func survivesRoundTrip(channels: Int) throws {
        for (width, height) in [(1, 1), (7, 3), (100, 130)] {
            let pixels = Self.buffer(width: width, height: height, channels: channels)
            let bytes = try Self.encoded(pixels)
            let header = try bytes.header()
            #expect(header.width == width && header.height == height && header.bitDepth == 8)
            #expect(header.colourModel == (channels == 1 ? .gray : .rgb) && header.hasAlpha == (channels == 4))
            #expect(!header.isProgressive && !header.hasICCProfile && header.orientation == .upright)
            let decoded = try PNGPlanes(bytes)
            for channel in 0..<channels {
                let expected = (0..<width * height).map { pixel -> UInt8 in
                    let sample = Int(pixels.samples[pixel * channels + channel])
                    guard channels == 4, channel < 3 else { return UInt8(sample) }
                    return UInt8((sample * Int(pixels.samples[pixel * 4 + 3]) * 2 + 255) / 510)
                }
                #expect(decoded.planes[channel] == expected)
            }
        }
    }

    @Test("nothing but the picture is written")
    func writesNoMetadata() throws {
        let bytes = try Self.encoded(Self.buffer(width: 9, height: 9, channels: 4))
        let types = try bytes.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) -> Set<PNGChunk.Kind> in
            var chunks = PNGChunks(buffer)
            var types: Set<PNGChunk.Kind> = []
            while let chunk = try chunks.next() { types.insert(chunk.type) }
            return types
        }
        #expect(types == [.header, .data, .end])
    }

    @Test("alpha that hides nothing is left out")
    func dropsOpaqueAlpha() throws {
        var pixels = Self.buffer(width: 20, height: 10, channels: 4)
        for index in stride(from: 3, to: pixels.samples.count, by: 4) { pixels.samples[index] = 255 }
        let opaque = try Self.encoded(pixels)
        #expect(try !opaque.header().hasAlpha)
        let decoded = try PNGPlanes(opaque).planes
        for channel in 0..<3 {
            #expect(
                decoded[channel] == stride(from: channel, to: pixels.samples.count, by: 4).map { pixels.samples[$0] })
        }
        pixels.samples[pixels.samples.count - 1] = 254
        let sheer = try Self.encoded(pixels)
        #expect(try sheer.header().hasAlpha)
    }

    @Test("the encoder stops between rows")
    func stops() throws {
        let pixels = Self.buffer(width: 30, height: 160, channels: 3)
        let stop = StopFlag()
        stop.raise()
        #expect(throws: CodecError.stopped) { try Self.encoded(pixels, control: RenderControl(stop: stop)) }
        let all = Ticks()
        _ = try Self.encoded(pixels, control: RenderControl(cpuTime: { all.next() }))
        #expect(all.count >= 10, "asked every 16 rows")
    }
}
