import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct RowHalvingTests {
    static let kernels = ResampleKernelTests.kernels

    /// Random rows, padded with 0xAA to a multiple of 32, as by a decoder.
    static func rows(width: Int, height: Int, seed: UInt64) -> [[UInt8]] {
        var random = SeededRandom(seed: seed)
        return (0..<height).map { _ in
            (0..<width).map { _ in UInt8.random(in: 0...255, using: &random) }
                + [UInt8](repeating: 0xAA, count: (width + 31) & ~31 - width)
        }
    }

    /// The next level: means of four samples, with the last row and column of odd sides counted twice.
    static func halved(_ rows: [[UInt8]], width: Int) -> [[UInt8]] {
        stride(from: 0, to: rows.count, by: 2).map { y in
            let (upper, lower) = (rows[y], rows[min(y + 1, rows.count - 1)])
            return stride(from: 0, to: width, by: 2).map { x in
                let next = min(x + 1, width - 1)
                let sum = [upper[x], upper[next], lower[x], lower[next]].reduce(0) { $0 + Int($1) }
                return UInt8((sum + 2) / 4)
            }
        }
    }

    @Test(
        "rows are halved as four samples are averaged, at odd sides too",
        arguments: [1, 2, 3, 31, 32, 33, 64, 65, 127],
        kernels)
    func averages(width: Int, kernel: ResampleKernel) {
        let rows = Self.rows(width: width, height: 2, seed: UInt64(width))
        var out = [UInt8](repeating: 0x55, count: (width + 31) & ~31)
        kernel.halve(rows[0], rows[1], into: &out, width: width)
        #expect(Array(out[..<((width + 1) / 2)]) == Self.halved(rows, width: width)[0], "padding does not bleed in")
        let ends: [(UInt8, UInt8)] = [(0, 0), (255, 255), (254, 255)]
        for (value, other) in ends {
            let row = [UInt8](repeating: value, count: rows[0].count)
            kernel.halve(row, [UInt8](repeating: other, count: row.count), into: &out, width: width)
            #expect(out[..<((width + 1) / 2)].allSatisfy { $0 == other })
        }
    }

    @Test(
        "rows in groups of any size give the same levels, of all sizes of pictures",
        arguments: [(1, 1), (2, 3), (33, 7), (70, 64), (41, 90)], kernels)
    func groupsDoNotMatter(size: (width: Int, height: Int), kernel: ResampleKernel) {
        let rows = Self.rows(width: size.width, height: size.height, seed: 3)
        var expected = [rows.map { Array($0[..<size.width]) }]
        for level in 1...3 { expected.append(Self.halved(expected[level - 1], width: expected[level - 1][0].count)) }
        for rowsPerGroup in [1, 2, 3, 4, 8, 16, 32] {
            let plane = PlaneLayout.PlaneShape(
                width: size.width, height: size.height, rowBytes: rows[0].count, rowsPerGroup: rowsPerGroup,
                samplesPerPixel: (1, 1))
            let levels = RowBuffer.levels(of: plane, windows: [1, 5, 1, 3])
            var read: [[[UInt8]]] = .init(repeating: [], count: 4)
            for first in stride(from: 0, to: size.height, by: rowsPerGroup) {
                let group = levels[0].nextGroup
                for y in 0..<rowsPerGroup {
                    // A decoder writes rows below the picture, too.
                    let row = first + y < size.height ? rows[first + y] : .init(repeating: 0xAA, count: rows[0].count)
                    (group + y * levels[0].stride).update(from: row, count: row.count)
                }
                levels[0].groupWasWritten(kernel: kernel)
                for (index, level) in levels.enumerated() {
                    for y in read[index].count..<min(level.rowCount, level.height) {
                        read[index].append(.init(UnsafeBufferPointer(start: level.row(y), count: level.width)))
                    }
                }
            }
            #expect(read == expected, "\(rowsPerGroup) rows at once")
        }
    }

    @Test("as many rows stay readable as filters need, whatever a group adds", arguments: [1, 2, 8], [1, 2, 13])
    func keepsTheWindow(rowsPerGroup: Int, window: Int) {
        let plane = PlaneLayout.PlaneShape(
            width: 8, height: 200, rowBytes: 8, rowsPerGroup: rowsPerGroup, samplesPerPixel: (1, 1))
        let levels = RowBuffer.levels(of: plane, windows: [window, window, window])
        var before = [0, 0, 0]
        for first in stride(from: 0, to: 200, by: rowsPerGroup) {
            for y in 0..<rowsPerGroup {
                (levels[0].nextGroup + y * levels[0].stride).update(repeating: UInt8(first + y), count: 8)
            }
            levels[0].groupWasWritten(kernel: .fastest)
            // The first row of the first filter that was still incomplete.
            for (index, level) in levels.enumerated() {
                for y in max(0, before[index] - window + 1)..<level.rowCount {
                    let scale = 1 << index
                    let mean = Double(y * scale) + Double(scale - 1) / 2
                    #expect(abs(Double(level.row(y)[0]) - mean) <= 1, "level \(index), row \(y)")
                }
                before[index] = level.rowCount
            }
        }
    }
}
