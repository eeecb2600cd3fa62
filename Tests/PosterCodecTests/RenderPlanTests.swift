import Testing

@testable import PosterCodec

@Suite(.computingThread) struct RenderPlanTests {
    /// An original's size, a width, and the expected plan.
    struct Case: Sendable, CustomTestStringConvertible {
        let source: (width: Int, height: Int)
        let width: Int?
        let size: (width: Int, height: Int)
        let eighths: Int
        let residual: Double
        let orientation: Orientation

        init(
            _ source: (Int, Int), _ width: Int?, _ size: (Int, Int), eighths: Int, residual: Double,
            orientation: Orientation = .upright
        ) {
            (self.source, self.width, self.size) = (source, width, size)
            (self.eighths, self.residual, self.orientation) = (eighths, residual, orientation)
        }

        var testDescription: String {
            "\(self.source.width)×\(self.source.height) \(self.orientation) to \(self.width.map(String.init) ?? "as is")"
        }
    }

    static func header(
        _ width: Int, _ height: Int, orientation: Orientation = .upright, isMultiScan: Bool = false,
        model: ImageHeader.ColourModel = .yCbCr
    ) -> ImageHeader {
        var sampling = [ImageHeader.SamplingFactors](repeating: .init(horizontal: 1, vertical: 1), count: 3)
        sampling[0] = .init(horizontal: 2, vertical: 2)
        return ImageHeader(
            format: .jpeg, width: width, height: height, orientation: orientation, bitDepth: 8, colourModel: model,
            sampling: sampling, isProgressive: isMultiScan, isMultiScan: isMultiScan)
    }

    static let cases = [
        Case((1, 1), 1, (1, 1), eighths: 8, residual: 1),
        Case((1, 1), 4096, (1, 1), eighths: 8, residual: 1),
        Case((1, 1), nil, (1, 1), eighths: 8, residual: 1),
        Case((7, 11), 1, (1, 2), eighths: 4, residual: 3.5),
        Case((7, 11), 2, (2, 3), eighths: 8, residual: 3.5),
        Case((7, 11), 3, (3, 5), eighths: 8, residual: 7.0 / 3),
        Case((7, 11), 7, (7, 11), eighths: 8, residual: 1),
        Case((7, 11), 8, (7, 11), eighths: 8, residual: 1),
        Case((3000, 1), 16, (16, 1), eighths: 8, residual: 187.5),
        Case((3000, 1), 3000, (3000, 1), eighths: 8, residual: 1),
        Case((1, 3000), 16, (1, 3000), eighths: 8, residual: 1),
        Case((2000, 3000), 1, (1, 2), eighths: 1, residual: 250),
        Case((2000, 3000), 16, (16, 24), eighths: 1, residual: 15.625),
        Case((2000, 3000), 83, (83, 125), eighths: 1, residual: 2000.0 / 83 / 8),
        Case((2000, 3000), 84, (84, 126), eighths: 2, residual: 2000.0 / 84 / 4),
        Case((2000, 3000), 125, (125, 188), eighths: 2, residual: 4),
        Case((2000, 3000), 154, (154, 231), eighths: 2, residual: 2000.0 / 154 / 4),
        Case((2000, 3000), 166, (166, 249), eighths: 2, residual: 2000.0 / 166 / 4),
        Case((2000, 3000), 167, (167, 251), eighths: 4, residual: 2000.0 / 167 / 2),
        Case((2000, 3000), 251, (251, 377), eighths: 4, residual: 2000.0 / 251 / 2),
        Case((2000, 3000), 342, (342, 513), eighths: 4, residual: 2000.0 / 342 / 2),
        Case((2000, 3000), 500, (500, 750), eighths: 4, residual: 2),
        Case((2000, 3000), 526, (526, 789), eighths: 4, residual: 1000.0 / 526),
        Case((2000, 3000), 527, (527, 791), eighths: 8, residual: 2000.0 / 527),
        Case((1000, 1500), 250, (250, 375), eighths: 4, residual: 2),
        Case((1000, 1500), 251, (251, 377), eighths: 8, residual: 1000.0 / 251),
        Case((2000, 3000), 780, (780, 1170), eighths: 8, residual: 2000.0 / 780),
        Case((2000, 3000), 2000, (2000, 3000), eighths: 8, residual: 1),
        Case((2000, 3000), 4096, (2000, 3000), eighths: 8, residual: 1),
        Case((2000, 3000), nil, (2000, 3000), eighths: 8, residual: 1),
        Case((2000, 3000), 250, (250, 375), eighths: 4, residual: 4, orientation: .upsideDown),
        Case((3000, 2000), 250, (250, 375), eighths: 4, residual: 4, orientation: .turnedLeft),
        // 12 across, but 167 rows leave less than 12 down.
        Case((2000, 3000), 250, (250, 167), eighths: 4, residual: 6, orientation: .turnedLeft),
        Case((3000, 2000), 4096, (2000, 3000), eighths: 8, residual: 1, orientation: .transposed),
        Case((8192, 8192), 4096, (4096, 4096), eighths: 8, residual: 2),
        Case((9000, 4000), 8192, (8192, 3641), eighths: 8, residual: 9000.0 / 8192),
        Case((91, 8190), 91, (91, 8190), eighths: 8, residual: 1),
        Case((65500, 1), 8192, (8192, 1), eighths: 8, residual: 65500.0 / 8192),
    ]

    @Test("a plan follows from size, orientation and width", arguments: cases)
    func plans(_ expected: Case) throws {
        let source = Self.header(expected.source.width, expected.source.height, orientation: expected.orientation)
        var limits = CodecLimits()
        limits.maxWorkingBytes = .max
        for format in OutputFormat.allCases {
            let target = RenderTarget(width: expected.width, format: format)
            let plan = try RenderPlan(source, target: target, limits: limits)
            #expect((plan.size.width, plan.size.height) == expected.size)
            #expect(plan.scale.eighths == expected.eighths)
            #expect(abs(plan.residual - expected.residual) < 1e-9, "\(plan.residual)")
            #expect(plan.format == format)
            #expect(plan.quality == .fixed(format.defaultQuality))
        }
    }

    @Test("the height is rounded, at least 1, and never larger than the original's", arguments: 1...60)
    func roundsTheHeight(height: Int) throws {
        for width in [1, 2, 3, 7, 36, 37, 50] {
            let size = try OutputSize(fitting: (37, height), width: width)
            let kept = min(width, 37)
            #expect(size.width == kept)
            #expect(size.height == max(1, Int((Double(height * kept) / 37).rounded())))
            #expect(size.height <= height)
        }
    }

    @Test(
        "a side beyond what is ever rendered is refused",
        arguments: [
            ((100, 9000), 92, 8280), ((9000, 100), nil, 9000), ((20000, 20000), 8193, 8193),
        ] as [((Int, Int), Int?, Int)]
    )
    func refusesLongSides(source: (Int, Int), width: Int?, side: Int) throws {
        var limits = CodecLimits()
        limits.maxPixels = .max
        let target = RenderTarget(width: width, format: .webp)
        #expect(throws: CodecError.sideTooLong(pixels: side, limit: 8192)) {
            try RenderPlan(Self.header(source.0, source.1), target: target, limits: limits)
        }
    }

    @Test(
        "a picture too slender for any size that can be requested has the largest that is rendered",
        arguments: [
            ((1, 10_000), 368, nil, [1, 8192]), ((1, 10_000), nil, nil, [1, 8192]), ((10_000, 1), nil, 368, [8192, 1]),
            ((10, 10_000), 16, nil, [8, 8192]), ((10, 10_000), nil, 300, [1, 300]), ((1, 8192), 368, nil, [1, 8192]),
        ] as [((Int, Int), Int?, Int?, [Int])]
    )
    func limitsSlenderPictures(source: (Int, Int), width: Int?, height: Int?, size: [Int]) throws {
        let target = RenderTarget(width: width, height: height, format: .webp)
        let plan = try RenderPlan(Self.header(source.0, source.1), target: target)
        #expect([plan.size.width, plan.size.height] == size)
    }

    @Test("the decoder leaves the resampler enough to do, or does not shrink at all", arguments: 1...400)
    func keepsAResidual(width: Int) throws {
        let plan = try RenderPlan(Self.header(400, 587), target: RenderTarget(width: width, format: .jpeg))
        #expect([1, 2, 4, 8].contains(plan.scale.eighths))
        #expect(
            plan.scale.eighths == 8
                || plan.residual >= DecodeScale.minimumResidual(eighths: plan.scale.eighths, pixels: 0))
    }

    @Test("a baseline original's height costs no memory beyond the output's", arguments: [100, 342, 1000])
    func memoryDoesNotFollowTheHeight(width: Int) throws {
        func plan(_ height: Int, isMultiScan: Bool = false) throws -> RenderPlan {
            let source = Self.header(1000, height, isMultiScan: isMultiScan)
            return try RenderPlan(source, target: RenderTarget(width: width, format: .jpeg))
        }
        let low = try plan(1000)
        let high = try plan(8000)
        let outputGrowth = (high.size.height - low.size.height) * width
        #expect(high.workingBytes - low.workingBytes <= 5 * outputGrowth + 1000)
        let progressive = try plan(8000, isMultiScan: true)
        #expect(progressive.workingBytes >= 3 * 1000 * 8000, "16-bit coefficients, 4:2:0")
    }

    @Test("the rows held while decoding do not follow the original's height", arguments: [1.0, 2.0, 3.9, 15.6])
    func ringsDoNotFollowTheHeight(residual: Double) throws {
        let capacities = try [1, 2, 8].map { factor in
            let rows = factor * 700
            let across = ResampleAxis.Geometry(
                inputCount: 64, samplesPerPixel: 1, window: PixelSpan(start: 0, length: 64), outputPixels: 32,
                pixelsPerOutput: 1,
                isMirrored: false)
            let down = ResampleAxis.Geometry(
                inputCount: rows, samplesPerPixel: 1, window: PixelSpan(start: 0, length: Double(rows)),
                outputPixels: Int(Double(rows) / residual), pixelsPerOutput: 1, isMirrored: false)
            return try ResampledRows(across: across, down: down, rowBytes: 64, rowsPerGroup: 16).store.capacity
        }
        #expect(capacities.allSatisfy { $0 <= Int(6 * residual) + 2 + 32 }, "\(capacities)")
    }
}
