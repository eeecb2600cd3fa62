import Glibc

/// Finds the part of a picture that draws attention: by edges, skin tones and saturated colours, as libvips'
/// `smartcrop` with `interesting=attention` does, without a learned model.
///
/// The picture is shrunk to 32 × 32 cells (``AttentionCells``), each with a score. The scores are blurred by the size
/// of the part, so that its surroundings count, and the part is centred on the highest.
struct AttentionCrop {
    private static let side = AttentionCells.side
    private static let edgeWeight = 5.0
    /// The direction of skin tones in CIE XYZ, of length 1.
    private static let skin = (x: 0.78, y: 0.57, z: 0.44)
    /// The luminance (Y of 0...100) up to which colours are ignored.
    private static let darkness = 5.0
    /// The minimum standard deviation of the blur in cells, and its share of the part's diagonal.
    private static let leastDeviation = 1.0
    private static let deviationShare = 0.1
    /// The weight at which the blur's kernel ends.
    private static let leastWeight = 0.2
    /// Smaller differences are rounding errors, so that the centre wins in a flat picture.
    private static let leastDifference = 1e-6

    /// The upper left corner of the part of `size` around the most interesting cell; in a flat picture, of the centred
    /// part.
    static func corner(of size: OutputSize, in pixels: PixelBuffer) -> (x: Int, y: Int) {
        let rest = (x: pixels.width - size.width, y: pixels.height - size.height)
        guard rest.x > 0 || rest.y > 0 else { return (0, 0) }
        let scores = Self.blurred(
            Self.scores(of: AttentionCells(pixels).colours), deviation: Self.deviation(of: size, in: pixels))
        guard let most = scores.max(), let least = scores.min(), most - least > Self.leastDifference,
            let cell = scores.firstIndex(of: most)
        else { return (rest.x / 2, rest.y / 2) }
        return (
            Self.start(cell % Self.side, part: size.width, of: pixels.width),
            Self.start(cell / Self.side, part: size.height, of: pixels.height)
        )
    }

    /// The start of a part that is centred on a cell, as far as the side allows.
    private static func start(_ cell: Int, part: Int, of length: Int) -> Int {
        let centre = (2 * cell + 1) * length / (2 * Self.side)
        return min(max(0, centre - part / 2), length - part)
    }

    /// The standard deviation of the blur, in cells.
    private static func deviation(of size: OutputSize, in pixels: PixelBuffer) -> Double {
        let across = Double(size.width) / Double(pixels.width)
        let down = Double(size.height) / Double(pixels.height)
        let diagonal = Double(Self.side) * (across * across + down * down).squareRoot()
        return max(Self.leastDeviation, diagonal * Self.deviationShare)
    }

    /// The scores of the cells: edges in luminance, likeness to skin, and red against green.
    private static func scores(of cells: [SIMD3<Double>]) -> [Double] {
        let colours = cells.map { Self.xyz($0) }
        return colours.indices.map { index in
            let colour = colours[index]
            let edge = abs(Self.edgeWeight * Self.laplacian(colours, at: index))
            guard colour.y > Self.darkness else { return edge }
            let length = (colour * colour).sum().squareRoot()
            let difference = colour / length - SIMD3(Self.skin.x, Self.skin.y, Self.skin.z)
            let distance = (difference * difference).sum().squareRoot()
            return edge + 100 - 100 * distance + Self.redness(colour)
        }
    }

    /// Four times the luminance of a cell minus its four neighbours'; border cells are repeated outwards.
    private static func laplacian(_ colours: [SIMD3<Double>], at index: Int) -> Double {
        let (x, y, last) = (index % Self.side, index / Self.side, Self.side - 1)
        let neighbours = [
            index - (x > 0 ? 1 : 0), index + (x < last ? 1 : 0), index - (y > 0 ? Self.side : 0),
            index + (y < last ? Self.side : 0),
        ]
        return neighbours.reduce(4 * colours[index].y) { $0 - colours[$1].y }
    }

    /// CIE XYZ of sRGB, D65, Y of 0...100.
    private static func xyz(_ colour: SIMD3<Double>) -> SIMD3<Double> {
        let linear = SIMD3(Self.linear(colour.x), Self.linear(colour.y), Self.linear(colour.z))
        return SIMD3(
            (linear * SIMD3(41.24, 35.76, 18.05)).sum(), (linear * SIMD3(21.26, 71.52, 7.22)).sum(),
            (linear * SIMD3(1.93, 11.92, 95.05)).sum())
    }

    private static func linear(_ level: Double) -> Double {
        let value = level / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// a* of CIE L*a*b*.
    private static func redness(_ colour: SIMD3<Double>) -> Double {
        500 * (Self.curve(colour.x / 95.047) - Self.curve(colour.y / 100))
    }

    private static func curve(_ value: Double) -> Double {
        value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
    }

    /// The cells blurred along rows and columns; border cells are repeated outwards.
    private static func blurred(_ scores: [Double], deviation: Double) -> [Double] {
        var weights: [Double] = []
        while true {
            let distance = Double(weights.count)
            let weight = exp(-distance * distance / (2 * deviation * deviation))
            guard weight >= Self.leastWeight, weights.count < Self.side else { break }
            weights.append(weight)
        }
        let rows = Self.blurred(scores, weights, stride: 1)
        return Self.blurred(rows, weights, stride: Self.side)
    }

    /// - Parameter stride: The distance between neighbouring cells along the blur.
    private static func blurred(_ scores: [Double], _ weights: [Double], stride: Int) -> [Double] {
        scores.indices.map { index in
            let place = index / stride % Self.side
            let start = index - place * stride
            return weights.indices.dropFirst().reduce(weights[0] * scores[index]) { sum, distance in
                let before = scores[start + max(0, place - distance) * stride]
                let after = scores[start + min(Self.side - 1, place + distance) * stride]
                return sum + weights[distance] * (before + after)
            }
        }
    }
}
