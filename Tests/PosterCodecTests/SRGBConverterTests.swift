import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct SRGBConverterTests {
    static let width = 67
    static let height = 41

    /// Planes of random samples.
    static func planes(_ count: Int, seed: UInt64 = 3) -> [Plane] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            Plane(width: Self.width, height: Self.height) { _, _ in UInt8.random(in: 0...255, using: &random) }
        }
    }

    static func assembled(_ planes: [Plane], _ model: PlaneModel, by tag: ColourTag = .sRGB) throws -> PixelBuffer {
        let assembler = SRGBConverter(model: model, transform: SRGBConverter.transform(for: tag, model: model))
        return try assembler.pixels(planes, watch: RenderWatch(.init(), limits: .init()))
    }

    /// Converts a pixel by the formulas, in double precision.
    static func exact(_ samples: [Double], _ model: PlaneModel) -> [Double] {
        func rgb() -> [Double] {
            let luma = model.isLimitedRange ? (samples[0] - 16) * 255 / 219 : samples[0]
            let gain = model.isLimitedRange ? 255 / 224.0 : 1
            let (blue, red) = ((samples[1] - 128) * gain, (samples[2] - 128) * gain)
            return [
                luma + 1.402 * red, luma - 0.114 * 1.772 / 0.587 * blue - 0.299 * 1.402 / 0.587 * red,
                luma + 1.772 * blue,
            ].map { min(255, max(0, $0)) }
        }
        switch model.colour {
        case .gray: return [model.isLimitedRange ? min(255, max(0, (samples[0] - 16) * 255 / 219)) : samples[0]]
        case .rgb: return samples
        case .yCbCr: return rgb()
        case .cmyk: return samples.prefix(3).map { $0 * samples[3] / 255 }
        case .ycck: return rgb().map { (255 - $0) * samples[3] / 255 }
        }
    }

    static let models = [
        PlaneModel(colour: .gray), PlaneModel(colour: .gray, isLimitedRange: true), PlaneModel(colour: .rgb),
        PlaneModel(colour: .yCbCr), PlaneModel(colour: .yCbCr, isLimitedRange: true), PlaneModel(colour: .cmyk),
        PlaneModel(colour: .ycck),
    ]

    @Test("pixels are what the formulas say", arguments: models)
    func followsTheFormulas(model: PlaneModel) throws {
        let planes = Self.planes(model.planeCount)
        let pixels = try Self.assembled(planes, model)
        #expect(pixels.channels == (model.colour == .gray ? 1 : 3))
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let exact = Self.exact(planes.map { Double($0[x, y]) }, model)
                for (value, exact) in zip(pixels[x, y], exact) {
                    // YCCK rounds twice.
                    #expect(abs(Double(value) - exact) <= (model.colour == .ycck ? 1 : 0.51))
                }
            }
        }
    }

    @Test("alpha divides what it multiplied", arguments: models)
    func dividesByAlpha(model: PlaneModel) throws {
        var model = model
        let plain = Self.planes(model.planeCount)
        var random = SeededRandom(seed: 9)
        let alphas: [UInt8] = [0, 1, 7, 64, 127, 128, 200, 254, 255]
        let alpha = Plane(width: Self.width, height: Self.height) { _, _ in alphas.randomElement(using: &random)! }
        let multiplied = plain.map { plane in
            Plane(width: Self.width, height: Self.height) { x, y in
                UInt8((Int(plane[x, y]) * Int(alpha[x, y]) + 127) / 255)
            }
        }
        model.hasAlpha = true
        let pixels = try Self.assembled(multiplied + [alpha], model)
        #expect(pixels.channels == 4)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let alpha = Int(alpha[x, y])
                let pixel = pixels[x, y]
                #expect(pixel[3] == alpha)
                guard alpha > 0 else {
                    #expect(pixel == [0, 0, 0, 0], "nothing is left of what is transparent")
                    continue
                }
                let divided = multiplied.map { min(255, (Double($0[x, y]) * 255 / Double(alpha)).rounded()) }
                let exact = Self.exact(divided, model)
                for channel in 0..<3 {
                    #expect(abs(Double(pixel[channel]) - exact[exact.count == 1 ? 0 : channel]) <= 1)
                }
            }
        }
    }

    @Test("every level divided by every alpha is rounded as integers are")
    func dividesExactly() {
        let levels = (0...255).map(UInt8.init)
        let divider = Unpremultiplier(width: 256)
        var result = levels
        for alpha in 1...255 {
            let alphas = [UInt8](repeating: UInt8(alpha), count: 256)
            divider.prepare(alphas)
            divider.divide(levels, by: alphas, into: &result)
            let expected = (0...255).map { UInt8(min(255, ($0 * 255 + alpha / 2) / alpha)) }
            #expect(result == expected, "alpha \(alpha)")
        }
    }

    @Test("colours are converted in every model", arguments: models + models.map(\.withAlpha))
    func converts(model: PlaneModel) throws {
        let profile: ICCProfile =
            switch model.colour {
            case .gray: .gray(.gamma(1.8))
            case .rgb, .yCbCr: .displayP3()
            case .cmyk, .ycck: .cmyk()
            }
        var planes = Self.planes(model.colour.planeCount)
        if model.hasAlpha { planes.append(Plane(width: Self.width, height: Self.height, filledWith: 255)) }
        // Pixels of the whole conversion must equal separate conversions by the profile.
        let pixels = try Self.assembled(planes, model, by: .profile(profile.bytes))
        let transform = try #require(SRGBConverter.transform(for: .profile(profile.bytes), model: model))
        #expect(pixels.channels == (model.hasAlpha ? 4 : model.colour == .gray ? 1 : 3))
        for (x, y) in [(0, 0), (66, 40), (13, 29), (66, 0), (40, 7)] {
            let samples = planes.map { Double($0[x, y]) }
            var decoded = model
            // YCCK is decoded to inks by itself, as if there were no black.
            if model.colour == .ycck { decoded = PlaneModel(colour: .yCbCr) }
            var device =
                model.colour == .cmyk
                ? samples : Self.exact(samples, decoded).map { model.colour == .ycck ? 255 - $0 : $0 }
            if model.colour == .ycck { device.append(samples[3]) }
            let expected = ColourTransformTests.converted(
                [device.prefix(transform.channels).map { UInt8($0.rounded()) }], by: transform)[0]
            for (value, other) in zip(pixels[x, y], expected) { #expect(abs(Int(value) - Int(other)) <= 3) }
        }
    }

    @Test("no dark fringe: what is hidden does not bleed into what is visible", arguments: [5, 16, 31, 80])
    func hasNoFringe(width: Int) throws {
        // A light square in the middle of transparent black.
        let side = 96
        func isVisible(_ x: Int, _ y: Int) -> Bool { (29..<67).contains(x) && (29..<67).contains(y) }
        let colour: [UInt8] = [250, 220, 180, 255]
        let geometry = ResampleAxis.Geometry.luma(side, to: width)
        let planes = try (0..<4).map { channel in
            let resampled = try ResampledRows(across: geometry, down: geometry, rowBytes: side, rowsPerGroup: side)
            for y in 0..<side {
                let row = resampled.store.nextGroup + y * resampled.store.stride
                for x in 0..<side { row[x] = isVisible(x, y) ? colour[channel] : 0 }
            }
            resampled.groupWasWritten()
            return try resampled.output.takePlane()
        }
        let pixels = try Self.assembled(planes, PlaneModel(colour: .rgb, hasAlpha: true))
        for y in 0..<width {
            for x in 0..<width where pixels[x, y][3] > 8 {
                let alpha = Int(pixels[x, y][3])
                for channel in 0..<3 {
                    let difference = Int(pixels[x, y][channel]) - Int(colour[channel])
                    // The lower alpha is, the larger the rounding error of a divided value.
                    let tolerance = 1 + 255 / alpha
                    #expect(difference >= -tolerance, "\(x), \(y): \(pixels[x, y])")
                    // Where alpha overshoots it is clamped, but the colours are not.
                    if alpha < 255 { #expect(difference <= tolerance, "\(x), \(y): \(pixels[x, y])") }
                }
            }
        }
    }
}

extension PlaneModel {
    fileprivate var withAlpha: PlaneModel {
        var model = self
        model.hasAlpha = true
        return model
    }
}
