import Testing

@testable import PosterCodec

struct FramingTests {
    private func framing(
        of source: (Int, Int), _ width: Int?, _ height: Int?, _ fit: RenderTarget.Fit = .contain,
        _ position: RenderTarget.Position = .center
    ) throws -> Framing {
        try Framing(
            of: (width: source.0, height: source.1),
            as: RenderTarget(width: width, height: height, fit: fit, position: position, format: .jpeg))
    }

    @Test(
        "contain gives the largest size within the box that keeps the shape, and never enlarges",
        arguments: [
            ((2000, 3000), 368, nil, (368, 552)), ((2000, 3000), nil, 552, (368, 552)),
            ((2000, 3000), 368, 100, (67, 100)), ((2000, 3000), 50, 552, (50, 75)),
            ((2000, 3000), 4000, 4000, (2000, 3000)), ((2000, 3000), nil, 4000, (2000, 3000)),
            ((2000, 3000), 4000, 300, (200, 300)), ((2000, 3000), nil, nil, (2000, 3000)),
            ((3000, 1), nil, 1, (3000, 1)), ((3000, 1), 16, 16, (16, 1)), ((1, 3000), 16, 16, (1, 16)),
            ((7, 11), 3, 5, (3, 5)), ((7, 11), 100, 5, (3, 5)),
        ] as [((Int, Int), Int?, Int?, (Int, Int))])
    func contains(source: (Int, Int), width: Int?, height: Int?, expected: (Int, Int)) throws {
        let framing = try self.framing(of: source, width, height)
        #expect((framing.size.width, framing.size.height) == expected)
        #expect(framing.crop == .none && framing.position == .center)
    }

    @Test("a contained picture is within the box, and as large as the box lets it be")
    func containsTightly() throws {
        for source in [(37, 53), (53, 37), (40, 40), (1, 50)] {
            for width in stride(from: 1, through: 60, by: 3) {
                for height in stride(from: 1, through: 60, by: 3) {
                    let size = try self.framing(of: source, width, height).size
                    #expect(size.width <= width && size.height <= height)
                    #expect(size.width <= source.0 && size.height <= source.1)
                    #expect(size.width == min(width, source.0) || size.height == min(height, source.1))
                }
            }
        }
    }

    @Test(
        "cover fills the box with the part at the position",
        arguments: [
            ((2000, 3000), (500, 500), .center, (0, 500), (2000, 2000)),
            ((2000, 3000), (500, 500), .top, (0, 0), (2000, 2000)),
            ((2000, 3000), (500, 500), .bottom, (0, 1000), (2000, 2000)),
            ((2000, 3000), (500, 500), .left, (0, 500), (2000, 2000)),
            ((2000, 3000), (500, 1000), .left, (0, 0), (1500, 3000)),
            ((2000, 3000), (500, 1000), .right, (500, 0), (1500, 3000)),
            ((2000, 3000), (500, 1000), .center, (250, 0), (1500, 3000)),
            ((2000, 3000), (500, 1000), .top, (250, 0), (1500, 3000)),
        ] as [((Int, Int), (Int, Int), RenderTarget.Position, (Double, Double), (Double, Double))])
    func covers(
        source: (Int, Int), box: (Int, Int), position: RenderTarget.Position, corner: (Double, Double),
        part: (Double, Double)
    ) throws {
        let framing = try self.framing(of: source, box.0, box.1, .cover, position)
        #expect((framing.size.width, framing.size.height) == box)
        let across = PixelSpan(start: corner.0, length: part.0)
        let down = PixelSpan(start: corner.1, length: part.1)
        #expect(framing.crop == .window(across: across, down: down))
    }

    @Test("a box of the picture's own shape is filled by all of it, whatever the position")
    func coversWhole() throws {
        for position in RenderTarget.Position.allCases {
            let framing = try self.framing(of: (2000, 3000), 200, 300, .cover, position)
            #expect(framing.crop == .none)
            #expect(try framing == self.framing(of: (2000, 3000), 200, nil))
        }
    }

    @Test("a position that changes nothing is the centre, so that the variant is shared")
    func normalisesPositions() throws {
        let centre = try self.framing(of: (2000, 3000), 500, 500, .cover, .center)
        #expect(try self.framing(of: (2000, 3000), 500, 500, .cover, .left) == centre)
        #expect(try self.framing(of: (2000, 3000), 500, 500, .cover, .right) == centre)
        #expect(try self.framing(of: (2000, 3000), 500, 500, .cover, .top) != centre)
    }

    @Test(
        "a box larger than the picture shrinks, keeping its shape",
        arguments: [
            ((500, 750), (600, 600), (500, 500)), ((500, 750), (1000, 500), (500, 250)),
            ((500, 750), (300, 1500), (150, 750)), ((500, 750), (4000, 4000), (500, 500)),
            ((10, 10), (4096, 16), (10, 1)), ((1, 3000), (16, 16), (1, 1)),
        ] as [((Int, Int), (Int, Int), (Int, Int))])
    func coverNeverEnlarges(source: (Int, Int), box: (Int, Int), expected: (Int, Int)) throws {
        let framing = try self.framing(of: source, box.0, box.1, .cover)
        #expect((framing.size.width, framing.size.height) == expected)
    }

    @Test("a part to be sought is sought in the picture at the scale at which it fills the box")
    func seeks() throws {
        let framing = try self.framing(of: (2000, 3000), 500, 500, .cover, .entropy)
        #expect(framing.crop == .search(scaled: try OutputSize(width: 500, height: 750)))
        // A panorama would be too long before the crop, so its centre is used.
        let panorama = try self.framing(of: (60000, 100), 100, 100, .cover, .entropy)
        guard case .window = panorama.crop else { throw CodecError.stopped }
        #expect(panorama.position == .center)
    }

    @Test("what would be larger than is ever rendered is refused")
    func limits() {
        #expect(throws: CodecError.sideTooLong(pixels: 9000, limit: 8192)) {
            try self.framing(of: (100, 9000), nil, nil)
        }
        #expect(throws: CodecError.tooManyPixels(8000 * 8000, limit: 32_000_000)) {
            try self.framing(of: (8000, 8000), nil, nil)
        }
        #expect(throws: Never.self) { try self.framing(of: (8000, 4000), nil, nil) }
    }

    @Test("device pixel ratios are read exactly")
    func readsRatios() {
        for (text, side, pixels) in [
            ("1", 100, 100), ("1.0", 100, 100), ("2", 368, 736), ("1.5", 101, 152), ("2.625", 411, 1079), ("4", 9, 36),
            ("3.999", 1000, 3999), ("4.000", 10, 40),
        ] {
            #expect(DevicePixelRatio(text)?.applied(to: side) == pixels, "\(text)")
        }
        for text in ["", "0", "0.9", "4.1", "5", "-1", "+1", "1.", ".5", "1e0", "1.0000", " 1", "1,5", "１", "nan"] {
            #expect(DevicePixelRatio(text) == nil, "\(text)")
        }
    }

    @Test("backgrounds are three or six hexadecimal digits")
    func readsBackgrounds() {
        typealias Background = RenderTarget.Background
        #expect(Background(hex: "ffffff") == .white && Background(hex: "#FFF") == .white)
        #expect(Background(hex: "a1b2c3") == Background(red: 0xA1, green: 0xB2, blue: 0xC3))
        #expect(Background(hex: "1af") == Background(red: 0x11, green: 0xAA, blue: 0xFF))
        for text in ["", "#", "12", "1234", "12345", "1234567", "gggggg", "##fff", "fff ", "0xfff"] {
            #expect(Background(hex: text) == nil, "\(text)")
        }
    }
}
