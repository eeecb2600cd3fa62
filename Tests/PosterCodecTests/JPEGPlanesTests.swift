import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct JPEGPlanesTests {
    static let colour = FormulaPicture.Colour(luma: 77, blue: 90, red: 200)

    static let plainRanges: [ClosedRange<UInt8>] = [77...77, 90...90, 200...200]

    /// Widths for all block sizes of the decoder, including one without resampling.
    static let widths = [1, 2, 3, 5, 9, 18, 19, 30, 36, 37]

    @Test(
        "one colour stays that colour up to the border",
        arguments: FormulaPicture.Subsampling.allCases, [(37, 53), (40, 64)])
    func keepsAPlainColour(subsampling: FormulaPicture.Subsampling, size: (Int, Int)) throws {
        for isProgressive in [false, true] {
            let plain = FormulaPicture.plain(
                width: size.0, height: size.1, subsampling: subsampling, colour: Self.colour)
            let file = try plain.jpeg(isProgressive: isProgressive)
            for width in Self.widths {
                let planes = try file.planes(width: width)
                #expect(planes.count == (subsampling == .gray ? 1 : 3))
                #expect(planes.map(\.range) == Array(Self.plainRanges.prefix(planes.count)), "width \(width)")
                #expect(planes[0].width == width)
                #expect(planes.dropFirst().allSatisfy { $0.width == (width + 1) / 2 })
                #expect(planes.dropFirst().allSatisfy { $0.height == (planes[0].height + 1) / 2 })
            }
        }
    }

    /// Sampling factors that encoders do not write, but files may have.
    static let strangeFactors: [[(Int, Int)]] = [
        [(1, 1)], [(2, 2)], [(4, 4)], [(1, 3)],
        [(2, 2), (2, 1), (1, 2)], [(2, 2), (1, 1), (2, 2)], [(2, 2), (2, 2), (2, 2)], [(1, 1), (2, 2), (1, 1)],
        [(1, 1), (1, 2), (2, 1)], [(4, 1), (1, 1), (1, 1)], [(1, 4), (1, 1), (1, 1)], [(4, 2), (1, 1), (1, 1)],
        [(3, 1), (1, 1), (1, 1)], [(3, 2), (2, 1), (1, 1)], [(1, 1), (1, 4), (1, 4)], [(1, 1), (4, 1), (4, 1)],
        [(3, 3), (1, 1), (2, 2)], [(1, 1), (4, 4), (3, 2)], [(4, 4), (4, 4), (4, 4)],
    ]

    static func block(_ factors: [(Int, Int)], width: Int, height: Int, isInterleaved: Bool = false) -> BlockJPEG {
        var file = BlockJPEG(width: width, height: height, factors: factors)
        file.isInterleaved = isInterleaved
        return file
    }

    @Test(
        "any sampling factors give a picture, one colour stays that colour", arguments: strangeFactors, [false, true])
    func keepsAPlainColourAtStrangeFactors(factors: [(Int, Int)], isInterleaved: Bool) throws {
        var file = Self.block(factors, width: 37, height: 53, isInterleaved: isInterleaved)
        file.value = { component, _, _ in [77, 90, 200][component] }
        // T.81, B.2.3: no more than ten blocks in a unit of several components.
        let isAllowed = !isInterleaved || factors.count == 1 || factors.reduce(0) { $0 + $1.0 * $1.1 } <= 10
        for width in Self.widths {
            guard isAllowed else {
                #expect(throws: CodecError.self) { try file.bytes.planes(width: width) }
                continue
            }
            let planes = try file.bytes.planes(width: width)
            #expect(planes.map(\.range) == Array(Self.plainRanges.prefix(factors.count)), "width \(width)")
        }
    }

    /// A plane resampled by separable Lanczos-3 in double precision, directly from the definition.
    static func reference(_ plane: Plane, width: Int, height: Int) -> [[Double]] {
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(x * .pi) / (x * .pi) }
        func shares(_ input: Int, _ output: Int) -> [(first: Int, weights: [Double])] {
            let ratio = Double(input) / Double(output)
            return (0..<output).map { index in
                let center = (Double(index) + 0.5) * ratio
                let first = max(0, Int((center - 3 * ratio).rounded(.down)))
                let last = min(input - 1, Int((center + 3 * ratio).rounded(.up)))
                let weights = (first...last).map { sample -> Double in
                    let x = (Double(sample) + 0.5 - center) / ratio
                    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
                }
                let sum = weights.reduce(0, +)
                return (first, weights.map { $0 / sum })
            }
        }
        let across = shares(plane.width, width)
        let rows = plane.rows.map { row in
            across.map { first, weights in
                weights.indices.reduce(0.0) { $0 + weights[$1] * Double(row[first + $1]) }
            }
        }
        return shares(plane.height, height).map { first, weights in
            (0..<width).map { x in weights.indices.reduce(0.0) { $0 + weights[$1] * rows[first + $1][x] } }
        }
    }

    static func psnr(_ plane: Plane, _ reference: [[Double]]) -> Double {
        var error = 0.0
        for (row, exact) in zip(plane.rows, reference) {
            for (sample, value) in zip(row, exact) {
                let difference = Double(sample) - min(max(value, 0), 255)
                error += difference * difference
            }
        }
        let mean = error / Double(plane.width * plane.height)
        return mean == 0 ? 99 : 10 * log10(255 * 255 / mean)
    }

    @Test(
        "a soft picture is what Lanczos-3 makes of it in double precision",
        arguments: FormulaPicture.Subsampling.allCases, [7, 12, 24, 48, 96])
    func matchesTheReference(subsampling: FormulaPicture.Subsampling, width: Int) throws {
        let picture = FormulaPicture(width: 193, height: 287, subsampling: subsampling) { x, y in
            .init(
                luma: 128 + 60 * sin(x / 17) * cos(y / 23) + 30 * sin((x + y) / 23),
                blue: 128 + 90 * sin(x / 29 + y / 51),
                red: 128 + 90 * cos(x / 37 - y / 19))
        }
        let planes = try picture.jpeg().planes(width: width)
        #expect(planes[0].height == (287 * width * 2 + 193) / 386)
        let originals = picture.planes
        let luma = Self.psnr(planes[0], Self.reference(originals[0], width: planes[0].width, height: planes[0].height))
        #expect(luma >= 45)
        // Chroma of even sizes only: its 4:2:0 samples fill the output exactly.
        guard planes.count == 3, width % 2 == 0, planes[0].height % 2 == 0 else { return }
        for index in 1...2 {
            let reference = Self.reference(originals[index], width: planes[index].width, height: planes[index].height)
            // The original's last column of chroma hangs half over the edge, which the reference ignores.
            #expect(Self.psnr(planes[index], reference) >= 38)
        }
    }

    static let factorsWithAnEdge: [[(Int, Int)]] = [
        [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)],
        [(4, 1), (1, 1), (1, 1)], [(2, 2), (2, 1), (1, 2)], [(1, 1), (2, 2), (1, 1)],
    ]

    @Test("an edge in chroma stays where it is in luma", arguments: factorsWithAnEdge, [1, 2, 4, 8])
    func keepsChromaInPlace(factors: [(Int, Int)], shrinking: Int) throws {
        let side = 256
        let edge = 96
        for isAcross in [true, false] {
            var file = Self.block(factors, width: side, height: side, isInterleaved: true)
            let most = (factors.map(\.0).max() ?? 1, factors.map(\.1).max() ?? 1)
            file.value = { component, x, y in
                let factor = isAcross ? factors[component].0 : factors[component].1
                let position = (isAcross ? x : y) * 8 * (isAcross ? most.0 : most.1) / factor
                return position < edge ? 60 : 200
            }
            for orientation in [Orientation.upright, .upsideDown, .transposed] {
                let bytes = file.bytes.splicing(.exif(orientation: UInt16(orientation.rawValue)))
                for (index, plane) in try bytes.planes(width: side / shrinking).enumerated() {
                    let isAlongRows = isAcross != orientation.swapsSides
                    let rows = isAlongRows ? plane.rows : plane.transposed().rows
                    // The share of bright samples in the row gives the position of the edge, in pixels of the original.
                    let scale = Double(side) / Double(rows[0].count)
                    for row in rows {
                        let bright = row.reduce(0.0) { $0 + (Double($1) - 60) / 140 } * scale
                        let expected = Double(side - edge)
                        #expect(abs(bright - expected) < 0.05 * scale + 0.35, "component \(index), \(orientation)")
                    }
                }
            }
        }
    }

    @Test(
        "every orientation gives the picture that turning the pixels gives",
        arguments: Orientation.allCases, [(64, 48), (61, 47)])
    func turns(orientation: Orientation, size: (Int, Int)) throws {
        // `size` is the upright picture's. It is stored as EXIF defines; comments name the sides at row 0 and column 0.
        let (width, height) = size
        let (right, bottom) = (Double(width), Double(height))
        for subsampling in FormulaPicture.Subsampling.allCases {
            let upright = FormulaPicture.gradient(width: width, height: height, subsampling: subsampling)
            let draw = upright.colour
            var stored = upright
            switch orientation {
            case .upright: break
            case .mirrored: stored.colour = { draw(right - $0, $1) }  // row 0 top, column 0 right
            case .upsideDown: stored.colour = { draw(right - $0, bottom - $1) }  // bottom, right
            case .mirroredUpsideDown: stored.colour = { draw($0, bottom - $1) }  // bottom, left
            case .transposed: stored.colour = { draw($1, $0) }  // left, top
            case .turnedLeft: stored.colour = { draw(right - $1, $0) }  // right, top
            case .transversed: stored.colour = { draw(right - $1, bottom - $0) }  // right, bottom
            case .turnedRight: stored.colour = { draw($1, bottom - $0) }  // left, bottom
            }
            if orientation.rawValue >= 5 { (stored.width, stored.height) = (height, width) }
            let file = try stored.jpeg().splicing(.exif(orientation: UInt16(orientation.rawValue)))
            let expected = try upright.jpeg()
            for outputWidth in [width, 40, 20, 9, 3] {
                let (turned, straight) = (try file.planes(width: outputWidth), try expected.planes(width: outputWidth))
                #expect(turned.count == straight.count)
                for (one, other) in zip(turned, straight) {
                    let distance = try #require(one.distance(to: other), "of the same size")
                    #expect(distance <= 3, "\(subsampling), width \(outputWidth)")
                }
            }
        }
    }

    @Test(
        "progressive and baseline of the same coefficients give the same planes",
        arguments: FormulaPicture.Subsampling.allCases)
    func decodesProgressiveAlike(subsampling: FormulaPicture.Subsampling) throws {
        let picture = FormulaPicture(width: 75, height: 101, subsampling: subsampling) { x, y in
            .init(luma: (x * 37 + y * 91).truncatingRemainder(dividingBy: 256), blue: 2 * x, red: 2 * y)
        }
        let baseline = try picture.jpeg(quality: 75)
        let progressive = try picture.jpeg(quality: 75, isProgressive: true)
        #expect(baseline != progressive)
        for width in [75, 60, 37, 18, 9, 4, 1] {
            let one = try baseline.planes(width: width)
            let other = try progressive.planes(width: width, effort: .full)
            #expect(one.map(\.samples) == other.map(\.samples), "width \(width)")
        }
    }

    @Test("components in scans of their own give the same planes as in one scan", arguments: [1, 9, 18, 37])
    func decodesSeparateScansAlike(width: Int) throws {
        for factors in [[(2, 2), (1, 1), (1, 1)], [(1, 1), (1, 1), (1, 1)], [(1, 1), (2, 2), (1, 2)]] {
            let together = Self.block(factors, width: 37, height: 53, isInterleaved: true).bytes
            let apart = Self.block(factors, width: 37, height: 53, isInterleaved: false).bytes
            #expect(try together.planes(width: width).map(\.samples) == apart.planes(width: width).map(\.samples))
        }
    }

    @Test("WebP's planes are of limited range", arguments: FormulaPicture.Subsampling.allCases)
    func limitsTheRange(subsampling: FormulaPicture.Subsampling) throws {
        let picture = FormulaPicture(width: 64, height: 64, subsampling: subsampling) { x, y in
            .init(luma: x < 32 ? 0 : 255, blue: y < 32 ? 0 : 255, red: x < 32 ? 255 : 0)
        }
        for width in [64, 31, 16, 7] {
            let planes = try picture.jpeg().planes(width: width, format: .webp)
            #expect(planes[0].range == 16...235)
            #expect(planes.dropFirst().allSatisfy { $0.range == 16...240 })
            let full = try picture.jpeg().planes(width: width, format: .jpeg)
            #expect(full.allSatisfy { $0.range.lowerBound <= 2 && $0.range.upperBound >= 253 })
        }
    }

    @Test("planes of a plain colour are mapped to limited range", arguments: [0, 1, 77, 128, 200, 255])
    func mapsToLimitedRange(value: Int) throws {
        var file = BlockJPEG(width: 33, height: 31)
        file.value = { _, _, _ in UInt8(value) }
        let luma = UInt8((16 + Double(value) * 219 / 255).rounded())
        let chroma = UInt8((128 + (Double(value) - 128) * 224 / 255).rounded())
        for width in [33, 16, 5] {
            let planes = try file.bytes.planes(width: width, format: .webp)
            #expect(planes.map(\.range) == [luma...luma, chroma...chroma, chroma...chroma])
        }
    }
}
