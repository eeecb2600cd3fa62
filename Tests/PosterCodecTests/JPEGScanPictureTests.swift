import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

/// The effect of skipped scans on pictures.
@Suite struct JPEGScanPictureTests {
    static func psnr(_ one: Plane, _ other: Plane) -> Double {
        let squares = zip(one.rows, other.rows).flatMap { zip($0, $1).map { pow(Double($0) - Double($1), 2) } }
        let mean = squares.reduce(0, +) / Double(squares.count)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }

    /// Edges, grain and soft shades at once.
    static func picture(seed: UInt64, subsampling: FormulaPicture.Subsampling) -> FormulaPicture {
        let turn = Double(seed) / 3
        return FormulaPicture(width: 400, height: 300, subsampling: subsampling) { x, y in
            let along = x * cos(turn) + y * sin(turn)
            let hash = sin(x * 12.9898 + y * 78.233) * 43758.5453
            let grain = (hash - hash.rounded(.down)) * 24 - 12
            let edge = sin(along / 9) > 0.3 ? 60.0 : 0
            return .init(
                luma: 90 + 40 * sin(x / 61 + y / 97) + edge + grain, blue: 128 + 60 * sin(along / 23),
                red: 128 + 60 * cos(y / 31) + grain)
        }
    }

    @Test("at one eighth nothing changes when the chroma is as large as luma")
    func isExactAtOneEighth() throws {
        for subsampling in [FormulaPicture.Subsampling.s444, .gray] {
            let file = try Self.picture(seed: 1, subsampling: subsampling).jpeg(quality: 80, isProgressive: true)
            let plan = try file.plan(width: 16)
            #expect(plan.scale.eighths == 1)
            let table = file.scanTable()
            let selection = ScanSelection(
                table, of: plan.source, eighths: plan.scale.eighths, residual: plan.residual, effort: .balanced)
            #expect(selection.dropped.count == table?.scans.filter { !$0.hasDC }.count)
            let all = try file.planes(width: 16, effort: .full)
            #expect(try file.planes(width: 16, effort: .balanced).map(\.rows) == all.map(\.rows))
        }
    }

    @Test(
        "the stated floor is kept at every size", arguments: FormulaPicture.Subsampling.allCases, [60, 80, 95])
    func keepsTheFloor(subsampling: FormulaPicture.Subsampling, quality: Int) throws {
        let file = try Self.picture(seed: UInt64(quality), subsampling: subsampling).jpeg(
            quality: quality, isProgressive: true)
        for width in [12, 16, 25, 33, 50, 62, 75, 100] {
            let all = try file.planes(width: width, effort: .full)
            let plan = try file.plan(width: width)
            for effort in [RenderTarget.Effort.balanced, .fast] {
                let some = try file.planes(width: width, effort: effort)
                let selection = ScanSelection(
                    file.scanTable(), of: plan.source, eighths: plan.scale.eighths, residual: plan.residual,
                    effort: effort)
                let luma = Self.psnr(all[0], some[0])
                #expect(luma >= min(effort.lumaFloor, selection.lumaFloor), "width \(width)")
                for (one, other) in zip(all, some).dropFirst() {
                    // The floor applies to R′G′B′: one chroma plane may use the error that the others leave.
                    #expect(Self.psnr(one, other) >= effort.colourFloor - 0.5, "width \(width)")
                }
            }
        }
    }

    @Test("a file without its dropped scans is still a file, and gives the same picture but for smoothing")
    func isAFileOfItsOwn() throws {
        let file = try Self.picture(seed: 2, subsampling: .s420).jpeg(quality: 90, isProgressive: true)
        let plan = try file.plan(width: 75)
        let selection = ScanSelection(
            file.scanTable(), of: plan.source, eighths: plan.scale.eighths, residual: plan.residual, effort: .balanced)
        #expect(selection.skippedCount > 0)
        let rest = selection.ranges(in: file.count).flatMap { file[$0] }
        #expect(rest.count == file.count - selection.skippedCount)
        #expect(rest.scanTable()?.isOrderly == true)
        let (one, other) = (try rest.planes(width: 75, effort: .full), try file.planes(width: 75, effort: .balanced))
        for (one, other) in zip(one, other) { #expect(Self.psnr(one, other) > 36) }
    }
}
