import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PlaneResamplerTests {
    /// Resamples a plane of random samples, `rowsPerGroup` rows at a time.
    static func resampled(
        across: ResampleAxis.Geometry, down: ResampleAxis.Geometry, rowsPerGroup: Int, seed: UInt64
    ) throws -> Plane {
        var random = SeededRandom(seed: seed)
        let rows = (0..<down.inputCount).map { _ in
            (0..<across.inputCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let resampled = try ResampledRows(
            across: across, down: down, rowBytes: across.inputCount, rowsPerGroup: rowsPerGroup)
        for first in stride(from: 0, to: rows.count, by: rowsPerGroup) {
            let group = resampled.store.nextGroup
            for y in 0..<rowsPerGroup {
                let row = group + y * resampled.store.stride
                // A decoder writes rows below the picture, too, which must not be read.
                for x in 0..<across.inputCount { row[x] = first + y < rows.count ? rows[first + y][x] : 0xAA }
            }
            resampled.groupWasWritten()
        }
        return try resampled.output.takePlane()
    }

    @Test(
        "rows that come in groups of any size give the same picture",
        arguments: ResampleAxisTests.geometries.filter { $0.inputCount < 3000 && $0.inputCount > 1 }, [false, true])
    func groupsDoNotMatter(down: ResampleAxis.Geometry, isMirrored: Bool) throws {
        let down = isMirrored ? down.mirrored : down
        let across = ResampleAxis.Geometry.luma(9, to: 4)
        let whole = try Self.resampled(across: across, down: down, rowsPerGroup: down.inputCount, seed: 4)
        #expect(whole.height == down.outputCount)
        for rowsPerGroup in [1, 2, 4, 8, 16, 32] {
            let streamed = try Self.resampled(across: across, down: down, rowsPerGroup: rowsPerGroup, seed: 4)
            #expect(streamed.samples == whole.samples, "\(rowsPerGroup) rows at once")
        }
    }

    @Test("ranges are mapped end to end")
    func mapsRanges() throws {
        let ends: [(ResampledPlane.Range, UInt8, UInt8)] = [
            (.kept, 0, 0), (.kept, 128, 128), (.kept, 255, 255),
            (.limitedLuma, 0, 16), (.limitedLuma, 128, 126), (.limitedLuma, 255, 235),
            (.limitedChroma, 0, 16), (.limitedChroma, 128, 128), (.limitedChroma, 255, 240),
            (.fullLuma, 16, 0), (.fullLuma, 0, 0), (.fullLuma, 126, 128), (.fullLuma, 235, 255), (.fullLuma, 255, 255),
            (.fullChroma, 16, 0), (.fullChroma, 128, 128), (.fullChroma, 240, 255), (.fullChroma, 255, 255),
        ]
        for (range, input, output) in ends {
            for kernel in ResampleKernelTests.kernels {
                let geometry = ResampleAxis.Geometry.luma(20, to: 7)
                let resampled = try ResampledRows(
                    across: geometry, down: geometry, rowBytes: 24, rowsPerGroup: 20, range: range, kernel: kernel)
                resampled.store.nextGroup.update(repeating: input, count: 20 * resampled.store.stride)
                resampled.groupWasWritten()
                #expect(
                    try resampled.output.takePlane().rows
                        == [[UInt8]](repeating: .init(repeating: output, count: 7), count: 7))
            }
        }
    }

    @Test("rows taken in bands are those of the whole plane, padded", arguments: [1, 4, 7, 64])
    func bandsAreTheWhole(bandRows: Int) throws {
        let (across, down) = (ResampleAxis.Geometry.luma(90, to: 37), ResampleAxis.Geometry.luma(200, to: 61))
        let whole = try Self.resampled(across: across, down: down, rowsPerGroup: 8, seed: 11)
        var random = SeededRandom(seed: 11)
        let resampled = try ResampledRows(
            across: across, down: down, rowBytes: 90, rowsPerGroup: 8, bandRows: bandRows)
        var rows: [[UInt8]] = []
        var taken = 0
        for _ in 0..<25 {
            let group = resampled.store.nextGroup
            for y in 0..<8 {
                for x in 0..<90 {
                    group[y * resampled.store.stride + x] = UInt8.random(in: 0...255, using: &random)
                }
            }
            resampled.groupWasWritten()
            while taken < 61, resampled.output.done >= min(taken + bandRows, 61) {
                var band = Plane(width: 37, height: min(bandRows, 61 - taken))
                try resampled.output.take(into: &band)
                for y in 0..<band.height {
                    let row = band.samples[y * band.stride..<(y + 1) * band.stride]
                    #expect(row.dropFirst(37).allSatisfy { $0 == row[row.startIndex + 36] })
                }
                rows += band.rows
                taken += band.height
            }
        }
        #expect(rows == whole.rows)
    }

    @Test("a plane is transposed and padded whole", arguments: [(1, 1), (3, 5), (16, 16), (17, 33), (40, 2)])
    func transposes(size: (Int, Int)) {
        var plane = Plane(width: size.0, height: size.1)
        for index in plane.samples.indices { plane.samples[index] = UInt8(truncatingIfNeeded: index * 31) }
        let turned = plane.transposed()
        #expect((turned.width, turned.height) == (size.1, size.0))
        for y in 0..<size.1 {
            for x in 0..<size.0 { #expect(turned.rows[x][y] == plane.rows[y][x]) }
        }
        let rows = plane.rows
        plane.padRight()
        #expect(plane.rows == rows)
        for y in 0..<size.1 {
            let padding = plane.samples[y * plane.stride + size.0..<(y + 1) * plane.stride]
            #expect(padding.allSatisfy { $0 == rows[y].last })
        }
    }
}
