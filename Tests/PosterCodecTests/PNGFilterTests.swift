import CPosterCodecs
import CodecTesting
import Testing

@testable import PosterCodec

/// The filters of PNG, undone (third edition, 9.2).
@Suite(.computingThread) struct PNGFilterTests {
    /// Bytes per pixel.
    static let steps = [1, 2, 3, 4, 6, 8]

    typealias Kernel = @Sendable (UInt32, UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, Int, Int) -> Int32

    /// The specification's definition.
    static func undone(_ filter: Int, _ row: [UInt8], above: [UInt8], step: Int) -> [UInt8] {
        var row = row
        for index in row.indices {
            let a = index < step ? 0 : Int(row[index - step])
            let b = Int(above[index])
            let c = index < step ? 0 : Int(above[index - step])
            let prediction =
                switch filter {
                case 0: 0
                case 1: a
                case 2: b
                case 3: (a + b) / 2
                default: Self.paeth(a, b, c)
                }
            row[index] = UInt8(truncatingIfNeeded: Int(row[index]) + prediction)
        }
        return row
    }

    /// Paeth's predictor (9.4).
    static func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
        let p = a + b - c
        let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }

    /// Runs a kernel on rows that begin at `offset` and end with their allocation; `nil` if it fails.
    static func run(
        _ kernel: Kernel, _ filter: Int, _ row: [UInt8], above: [UInt8], step: Int, offset: Int
    ) -> [UInt8]? {
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: offset + row.count)
        let other = UnsafeMutablePointer<UInt8>.allocate(capacity: offset + row.count)
        defer {
            target.deallocate()
            other.deallocate()
        }
        (target + offset).initialize(from: row, count: row.count)
        (other + offset).initialize(from: above, count: row.count)
        guard kernel(UInt32(filter), target + offset, other + offset, row.count, step) != 0 else { return nil }
        #expect(above == Array(UnsafeBufferPointer(start: other + offset, count: row.count)))
        return Array(UnsafeBufferPointer(start: target + offset, count: row.count))
    }

    static let kernels: [Kernel] = [
        { poster_png_unfilter($0, $1, $2, $3, $4) }, { poster_png_unfilter_portable($0, $1, $2, $3, $4) },
    ]

    @Test("both kernels give what the specification says", arguments: 0...4, steps)
    func undoes(filter: Int, step: Int) {
        var random = SeededRandom(seed: UInt64(10 * filter + step))
        for width in 1...40 {
            for turn in 0..<4 {
                let row = (0..<width * step).map { _ in UInt8.random(in: 0...255, using: &random) }
                // Zeros are above the first row.
                let above = row.map { _ in turn == 0 ? 0 : UInt8.random(in: 0...255, using: &random) }
                let expected = Self.undone(filter, row, above: above, step: step)
                for kernel in Self.kernels {
                    let result = Self.run(kernel, filter, row, above: above, step: step, offset: (turn + width) % 5)
                    #expect(result == expected, "\(width) pixels")
                }
            }
        }
    }

    @Test("Paeth's choice is right wherever the corner lies", arguments: [3, 8])
    func chooses(step: Int) {
        // In each row, the first pixel becomes the left neighbour, and the second is predicted.
        var different = 0
        for corner in 0...255 {
            for left in stride(from: corner % 3, through: 255, by: 3) {
                for upper in stride(from: corner % 5, through: 255, by: 5) {
                    var row = [UInt8](repeating: UInt8(truncatingIfNeeded: left - corner), count: step)
                    row += [UInt8](repeating: 0, count: 2 * step)
                    var above = [UInt8](repeating: UInt8(corner), count: step)
                    above += [UInt8](repeating: UInt8(upper), count: 2 * step)
                    _ = poster_png_unfilter(4, &row, above, row.count, step)
                    if Int(row[2 * step - 1]) != Self.paeth(left, upper, corner) { different += 1 }
                }
            }
        }
        #expect(different == 0)
    }

    @Test("other filters are refused, and the row is left alone", arguments: [5, 6, 255])
    func refuses(filter: Int) {
        for step in Self.steps {
            var row = [UInt8](repeating: 7, count: 10 * step)
            let above = [UInt8](repeating: 9, count: 10 * step)
            #expect(poster_png_unfilter(UInt32(filter), &row, above, row.count, step) == 0)
            #expect(poster_png_unfilter_portable(UInt32(filter), &row, above, row.count, step) == 0)
            #expect(row == [UInt8](repeating: 7, count: 10 * step))
        }
    }
}
