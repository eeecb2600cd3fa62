import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct ResampleKernelTests {
    enum Samples: String, CaseIterable, Sendable {
        case any, extremes, black, white

        func sample(_ random: inout SeededRandom) -> UInt8 {
            switch self {
            case .any: UInt8.random(in: 0...255, using: &random)
            case .extremes: Bool.random(using: &random) ? 0 : 255
            case .black: 0
            case .white: 255
            }
        }
    }

    /// Filters rows along their columns; returns `width` samples.
    static func columns(
        _ kernel: ResampleKernel, rows: [[UInt8]], weights: [Int16], shift: Int32, width: Int
    ) -> [Int16] {
        var out = [Int16](repeating: 0x5555, count: (width + 15) & ~15)
        let all = rows.flatMap(\.self)
        all.withUnsafeBufferPointer { samples in
            let starts = rows.indices.map { samples.baseAddress! + $0 * rows[0].count }
            kernel.columns(starts, weights: weights, taps: rows.count, shift: shift, into: &out, width: width)
        }
        return Array(out.prefix(width))
    }

    static func row(
        _ kernel: ResampleKernel, samples: [Int16], axis: ResampleAxis, bias: Int32, range: ClosedRange<Int32>
    ) -> [UInt8] {
        var out = [UInt8](repeating: 0x55, count: (axis.count + 3) & ~3)
        kernel.row(samples, axis: axis, bias: bias, range: range, into: &out)
        return Array(out.prefix(axis.count))
    }

    static var kernels: [ResampleKernel] {
        ResampleKernel.fastest == .portable ? [.portable] : [.portable, .fastest]
    }

    @Test("columns are filtered as the formula says", arguments: kernels, Samples.allCases)
    func filtersColumns(kernel: ResampleKernel, samples: Samples) {
        var random = SeededRandom(seed: 1)
        for width in [1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100] {
            for taps in [2, 4, 6, 12, 50] {
                let stride = (width + 31) & ~31
                let rows = (0..<taps).map { _ in (0..<stride).map { _ in samples.sample(&random) } }
                let weights = (0..<taps).map { _ in Int16.random(in: -32767...32767, using: &random) }
                let shift = Int32.random(in: 1...14, using: &random)
                let out = Self.columns(kernel, rows: rows, weights: weights, shift: shift, width: width)
                let expected = (0..<width).map { (x: Int) -> Int16 in
                    var sum = 1 << Int(shift - 1)
                    for tap in 0..<taps { sum += Int(rows[tap][x]) * Int(weights[tap]) }
                    return Int16(clamping: sum >> Int(shift))
                }
                #expect(out == expected, "width \(width), taps \(taps), shift \(shift)")
            }
        }
    }

    @Test(
        "a row is filtered as the formula says", arguments: kernels,
        [(1, 1), (2, 1), (7, 3), (16, 5), (17, 16), (33, 33), (100, 37), (200, 9), (500, 2), (64, 61)])
    func filtersRows(kernel: ResampleKernel, size: (Int, Int)) {
        var random = SeededRandom(seed: 2)
        for gain in [1, 219 / 255.0, 224 / 255.0] {
            let axis = ResampleAxis(.luma(size.0, to: size.1), isRow: true, gain: gain)
            for most: Int16 in [0, 300, 16320, 32767] {
                let count = (size.0 + 15) & ~15 + axis.taps
                let samples = (0..<count).map { _ in Int16.random(in: -most...most, using: &random) }
                let bias = Int32.random(in: -100_000...20_000_000, using: &random)
                let range: ClosedRange<Int32> = gain == 1 ? 0...255 : 16...235
                let out = Self.row(kernel, samples: samples, axis: axis, bias: bias, range: range)
                let expected = (0..<axis.count).map { (index: Int) -> UInt8 in
                    var sum = Int(bias)
                    for (sample, weight) in axis.shares(of: index) { sum += Int(samples[sample]) * weight }
                    let value = sum >> Int(axis.shift + ResampleKernel.middleBits)
                    return UInt8(min(max(value, Int(range.lowerBound)), Int(range.upperBound)))
                }
                #expect(out == expected)
            }
        }
    }

    @Test(
        "kernels with vectors render exactly the bytes that the portable kernels render",
        .enabled(if: ResampleKernel.fastest != .portable, "this CPU has neither AVX2 nor NEON"),
        arguments: FormulaPicture.Subsampling.allCases, OutputFormat.allCases)
    func rendersTheSame(subsampling: FormulaPicture.Subsampling, format: OutputFormat) throws {
        let random = SeededRandom(seed: 3)
        let noise = FormulaPicture(width: 61, height: 47, subsampling: subsampling) { x, y in
            var random = random
            for _ in 0..<Int(x * 3 + y * 7) % 11 { _ = random.next() }
            func value() -> Double { Double.random(in: 0...255, using: &random) }
            return .init(luma: value(), blue: value(), red: value())
        }
        for isProgressive in [false, true] {
            let file = try noise.jpeg(quality: 90, isProgressive: isProgressive)
            for width in [1, 3, 7, 15, 16, 17, 30, 31, 45, 60, 61] {
                let portable = try file.rendered(width: width, format: format, kernel: .portable)
                let fastest = try file.rendered(width: width, format: format, kernel: .fastest)
                #expect(portable.bytes == fastest.bytes, "width \(width)")
            }
        }
    }

    @Test("the kernels' name is that of the fastest")
    func isNamed() {
        #expect(CodecVersion.kernels == ResampleKernel.fastest.rawValue)
        #expect(CodecVersion.current.contains("jpeg") && CodecVersion.current.contains("webp"))
        #expect(CodecVersion.current.contains("jxl"))
        // Only the bytes of a JPEG XL depend on the CPU.
        for format in OutputFormat.allCases where format != .jxl {
            #expect(CodecVersion.version(of: format) == CodecVersion.current)
        }
        #expect(CodecVersion.version(of: .jpeg, from: .jpeg) == CodecVersion.current)
        #expect(CodecVersion.version(of: .jpeg, from: .jpegXL) == CodecVersion.version(of: .jxl))
        #expect(["", "-fma"].map { CodecVersion.current + $0 }.contains(CodecVersion.version(of: .jxl)))
    }
}
