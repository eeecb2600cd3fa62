import Glibc
import Testing

@testable import PosterCodec

extension ResampleAxis.Geometry: CustomTestStringConvertible {
    /// The name in the report.
    public var testDescription: String {
        "\(self.inputCount) samples of \(self.window.length) px to \(self.outputPixels) px"
            + (self.pixelsPerOutput == 1 ? "" : " by \(self.pixelsPerOutput)") + (self.isMirrored ? ", mirrored" : "")
    }

    static func luma(_ input: Int, to output: Int, eighths: Int = 8) -> Self {
        Self(
            inputCount: (input * eighths + 7) / 8, samplesPerPixel: Double(eighths) / 8,
            window: PixelSpan(start: 0, length: Double(input)),
            outputPixels: output, pixelsPerOutput: 1, isMirrored: false)
    }

    /// - Parameter sixteenths: Samples of chroma per 16 pixels.
    static func chroma(_ input: Int, to output: Int, sixteenths: Int = 8) -> Self {
        Self(
            inputCount: (input * sixteenths + 15) / 16, samplesPerPixel: Double(sixteenths) / 16,
            window: PixelSpan(start: 0, length: Double(input)),
            outputPixels: output, pixelsPerOutput: 2, isMirrored: false)
    }

    var mirrored: Self {
        var copy = self
        copy.isMirrored.toggle()
        return copy
    }
}

extension ResampleAxis {
    init(_ geometry: Geometry, isRow: Bool, gain: Double = 1) {
        var geometry = geometry
        geometry.gain = gain
        self.init(
            geometry, maxShift: isRow ? ResampleKernel.maxRowShift : ResampleKernel.maxColumnShift,
            tapMultiple: isRow ? ResampleKernel.rowTapMultiple : ResampleKernel.columnTapMultiple)
    }

    func weights(of index: Int) -> ArraySlice<Int16> {
        self.weights[index * self.taps..<(index + 1) * self.taps]
    }

    /// The non-zero weights of output sample `index`, by input sample.
    func shares(of index: Int) -> [Int: Int] {
        var shares: [Int: Int] = [:]
        for (offset, weight) in self.weights(of: index).enumerated() where weight != 0 {
            shares[Int(self.starts[index]) + offset] = Int(weight)
        }
        return shares
    }
}

@Suite(.computingThread) struct ResampleAxisTests {
    static let geometries: [ResampleAxis.Geometry] = [
        .luma(1, to: 1), .luma(2, to: 1), .luma(3, to: 2), .luma(7, to: 3), .luma(80, to: 79), .luma(80, to: 80),
        .luma(100, to: 33), .luma(1000, to: 100), .luma(2000, to: 500, eighths: 4), .luma(2000, to: 251, eighths: 4),
        .luma(2000, to: 123, eighths: 1), .luma(3000, to: 16), .luma(8191, to: 8190), .luma(8192, to: 32, eighths: 1),
        .luma(65500, to: 1), .luma(65500, to: 1, eighths: 1), .luma(65500, to: 8192), .luma(65500, to: 16, eighths: 1),
        .chroma(1, to: 1), .chroma(2, to: 1), .chroma(37, to: 37), .chroma(38, to: 19), .chroma(37, to: 36),
        .chroma(37, to: 18, sixteenths: 16), .chroma(660, to: 362, sixteenths: 4), .chroma(660, to: 660, sixteenths: 4),
        .chroma(2000, to: 123, sixteenths: 2), .chroma(3000, to: 1), .chroma(65500, to: 16, sixteenths: 2),
    ]

    @Test(
        "an output sample's weights add up exactly",
        arguments: geometries + geometries.map(\.mirrored), [1, 219 / 255.0])
    func sumsExactly(geometry: ResampleAxis.Geometry, gain: Double) {
        for isRow in [false, true] {
            let axis = ResampleAxis(geometry, isRow: isRow, gain: gain)
            let total = Int((gain * Double(1 << axis.shift)).rounded())
            #expect(axis.count == (geometry.outputPixels + geometry.pixelsPerOutput - 1) / geometry.pixelsPerOutput)
            let sums = (0..<axis.count).map { axis.weights(of: $0).reduce(0) { $0 + Int($1) } }
            #expect(sums.allSatisfy { $0 == total })
            let magnitudes = (0..<axis.count).map { axis.weights(of: $0).reduce(0) { $0 + abs(Int($1)) } }
            #expect(magnitudes.allSatisfy { $0 < 4 << axis.shift }, "or sums of products overflow 32 bits")
        }
    }

    @Test("weights reach for samples that exist only", arguments: geometries + geometries.map(\.mirrored))
    func staysWithinTheInput(geometry: ResampleAxis.Geometry) {
        for isRow in [false, true] {
            let axis = ResampleAxis(geometry, isRow: isRow)
            #expect(axis.starts.count % 4 == 0)
            #expect(axis.starts.count >= axis.count)
            #expect(axis.weights.count == axis.starts.count * axis.taps)
            #expect(axis.taps % (isRow ? ResampleKernel.rowTapMultiple : ResampleKernel.columnTapMultiple) == 0)
            #expect(axis.window <= axis.taps)
            for index in 0..<axis.count {
                let shares = axis.shares(of: index)
                let (first, last) = (shares.keys.min() ?? 0, shares.keys.max() ?? 0)
                #expect(first >= 0 && last < geometry.inputCount && last - first < axis.window)
                #expect((0..<geometry.inputCount).contains(Int(axis.starts[index])))
            }
        }
    }

    @Test("at the same size every sample is copied", arguments: [1, 2, 3, 16, 79, 4096], [false, true])
    func copiesAtTheSameSize(count: Int, isMirrored: Bool) {
        var geometry = ResampleAxis.Geometry.luma(count, to: count)
        geometry.isMirrored = isMirrored
        for isRow in [false, true] {
            let axis = ResampleAxis(geometry, isRow: isRow)
            #expect(axis.window == 1)
            for index in 0..<count {
                #expect(axis.shares(of: index) == [isMirrored ? count - 1 - index : index: 1 << Int(axis.shift)])
            }
        }
    }

    @Test(
        "mirrored is the same in reverse",
        arguments: geometries.filter { $0.outputPixels % $0.pixelsPerOutput == 0 && $0.outputPixels < 3000 })
    func mirrors(geometry: ResampleAxis.Geometry) {
        // Decoded input may be longer than the picture; only input of the exact length is its own mirror image.
        guard Double(geometry.inputCount) == geometry.window.length * geometry.samplesPerPixel else { return }
        for isRow in [false, true] {
            let axis = ResampleAxis(geometry, isRow: isRow)
            let mirrored = ResampleAxis(geometry.mirrored, isRow: isRow)
            #expect(axis.shift == mirrored.shift)
            for index in 0..<axis.count {
                let (one, other) = (axis.shares(of: index), mirrored.shares(of: axis.count - 1 - index))
                #expect(one == other)
            }
        }
    }

    @Test(
        "weights are those of Lanczos-3, stretched to the ratio",
        arguments: [(100, 33), (100, 67), (1000, 100), (99, 98)])
    func followsLanczos(input: Int, output: Int) {
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(x * .pi) / (x * .pi) }
        let axis = ResampleAxis(.luma(input, to: output), isRow: true)
        let ratio = Double(input) / Double(output)
        for index in 0..<output {
            let center = (Double(index) + 0.5) * ratio
            let exact = (0..<input).map { sample in
                let x = (Double(sample) + 0.5 - center) / ratio
                return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
            }
            let sum = exact.reduce(0, +)
            let shares = axis.shares(of: index)
            for (sample, weight) in exact.enumerated() {
                let share = Double(shares[sample, default: 0]) / Double(1 << axis.shift)
                #expect(abs(share - weight / sum) < 4e-4, "sample \(sample) of output \(index)")
            }
        }
    }

    /// Sizes at which the largest weight is close to the limit of 16 bits, before the rounding remainder is added to
    /// it.
    @Test(
        "the largest weight takes what rounding leaves over",
        arguments: [(6344, 99), (6472, 101), (9463, 37), (12624, 197), (13008, 203)])
    func leavesRoomForRounding(input: Int, output: Int) {
        let axis = ResampleAxis(.chroma(input, to: output, sixteenths: 2), isRow: false)
        #expect(axis.weights.allSatisfy { abs(Int($0)) <= 32767 })
    }
}
