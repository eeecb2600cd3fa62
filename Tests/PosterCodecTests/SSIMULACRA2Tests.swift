import Testing

@testable import PosterCodec

@Suite struct SSIMULACRA2Tests {
    static func gray(_ side: Int, _ level: (_ x: Int, _ y: Int) -> Int) -> PixelBuffer {
        PixelBuffer(width: side, height: side, channels: 1) { x, y in [UInt8(level(x, y))] }
    }

    /// Colours of all kinds, of odd size.
    static let colours: PixelBuffer = .init(width: 77, height: 53, channels: 3) { x, y in
        [UInt8(x * 3), UInt8(y * 4), UInt8((x * y + 7 * x) % 256)]
    }

    /// Uniform noise of a linear congruential generator.
    static let noise: PixelBuffer = {
        var state: UInt64 = 42
        return PixelBuffer(width: 64, height: 64, channels: 3) { _, _ in
            (0..<3).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
        }
    }()

    static let gradient: PixelBuffer = gray(64) { x, _ in x * 255 / 63 }

    static let samples: [PixelBuffer] = [noise, colours, gradient]

    func value(_ original: PixelBuffer, _ copy: PixelBuffer, kernel: LikenessKernel = .fastest) throws -> Double? {
        let watch = RenderWatch(RenderControl(), limits: .init())
        return try SSIMULACRA2.compare(original, copy, watch: watch, kernel: kernel)
    }

    func score(_ original: PixelBuffer, _ copy: PixelBuffer, kernel: LikenessKernel = .fastest) throws -> Double {
        let value = try self.value(original, copy, kernel: kernel)
        return try #require(value)
    }

    @Test("agrees with the authors' program")
    func agrees() throws {
        // Its values for these pictures are published with a port (github.com/imazen/ssimulacra2, reference_data.rs).
        let middle = Self.gray(64) { _, _ in 128 }
        #expect(abs(try self.score(Self.gradient, middle) + 64.56872148) < 0.01)
        #expect(abs(try self.score(Self.noise, middle) + 47.33572558) < 0.01)
        // That program's single precision has an error in pictures of one colour.
        #expect(abs(try self.score(middle, Self.gray(64) { _, _ in 178 }) + 8.75942256) < 0.05)
    }

    @Test("colours and odd sides have the value of the definition in double precision")
    func colours() throws {
        var coarse = Self.colours
        for index in coarse.samples.indices { coarse.samples[index] = coarse.samples[index] & 0xF0 | 8 }
        #expect(abs(try self.score(Self.colours, coarse) - 76.9844474) < 0.002)
    }

    @Test("equal pictures have 100, and gray is RGB", arguments: Self.samples)
    func equal(picture: PixelBuffer) throws {
        #expect(try self.score(picture, picture) == 100)
        #expect(try self.score(picture.rgba(), picture) == 100)
    }

    @Test(
        "the kernels give the same bits, also of the smallest pictures",
        arguments: [(8, 8), (8, 9), (17, 8), (31, 33), (64, 64)])
    func kernels(width: Int, height: Int) throws {
        let noise = Self.noise.cropped(to: try OutputSize(width: width, height: height), x: 0, y: 0)
        let other = PixelBuffer(width: width, height: height, channels: 3) { x, y in
            noise[x, y].map { $0 / 2 + UInt8(x + y) }
        }
        let fastest = try self.score(noise, other)
        #expect(fastest < 100)
        #expect(try self.score(noise, other, kernel: .portable) == fastest)
    }

    @Test("transparent pictures have the lower of the values on dark and on light gray")
    func transparent() throws {
        func picture(alpha: UInt8) -> PixelBuffer {
            PixelBuffer(width: 20, height: 20, channels: 4) { x, y in [UInt8(12 * x), UInt8(12 * y), 0, alpha] }
        }
        let onGrounds = try [UInt8(26), 230].map { level in
            let ground = RenderTarget.Background(red: level, green: level, blue: level)
            return try self.score(
                picture(alpha: 255).flattened(on: ground), picture(alpha: 128).flattened(on: ground))
        }
        #expect(try self.score(picture(alpha: 255), picture(alpha: 128)) == onGrounds.min())
    }

    @Test("pictures below 8 pixels and of different sizes have no value")
    func none() throws {
        #expect(try self.value(Self.gray(7) { _, _ in 0 }, Self.gray(7) { _, _ in 1 }) == nil)
        #expect(try self.value(Self.gray(16) { _, _ in 0 }, Self.gray(17) { _, _ in 0 }) == nil)
    }

    @Test("a raised flag stops the comparison")
    func stops() {
        let control = RenderControl()
        control.stop.raise()
        #expect(throws: CodecError.stopped) {
            try SSIMULACRA2.compare(Self.noise, Self.noise, watch: RenderWatch(control, limits: .init()))
        }
    }

    @Test(
        "the memory depends on the width alone",
        arguments: [(342, 516...517), (780, 1042...1043), (4096, 4905...4906)])
    func memory(width: Int, kibibytes: ClosedRange<Int>) {
        #expect(kibibytes.contains(SSIMULACRA2.memory(width: width) / 1024))
    }
}
