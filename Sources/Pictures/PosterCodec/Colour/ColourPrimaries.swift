/// The primaries and the white point of an RGB space.
struct ColourPrimaries: Hashable {
    var white, red, green, blue: Chromaticity

    /// CIE 1931 x and y.
    struct Chromaticity: Hashable {
        var x, y: Double

        /// Whether the chromaticity is physically possible.
        var exists: Bool { self.x >= 0 && self.y > 0 && self.x + self.y <= 1 }
    }

    /// - Parameter xy: x and y of white, red, green and blue.
    init(_ xy: [Double]) {
        precondition(xy.count == 8, "four chromaticities have eight coordinates")
        let points = stride(from: 0, to: 8, by: 2).map { Chromaticity(x: xy[$0], y: xy[$0 + 1]) }
        (self.white, self.red, self.green, self.blue) = (points[0], points[1], points[2], points[3])
    }

    var xy: [Double] { [self.white, self.red, self.green, self.blue].flatMap { [$0.x, $0.y] } }

    /// Whether all chromaticities are physically possible and the primaries are not collinear.
    var spanTriangle: Bool {
        let (a, b, c) = (self.red, self.green, self.blue)
        return [self.white, a, b, c].allSatisfy(\.exists)
            && abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) > 1e-4
    }

    /// IEC 61966-2-1.
    static let sRGB = Self([0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06])
    /// SMPTE EG 432-1 with the white of sRGB.
    static let displayP3 = Self([0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060])
}

extension ColourPrimaries {
    /// The matrix from linear RGB to CIE XYZ, in which white has Y = 1.
    var toXYZ: Matrix3 {
        func xyz(_ point: Chromaticity) -> SIMD3<Double> {
            SIMD3(point.x / point.y, 1, (1 - point.x - point.y) / point.y)
        }
        let columns = Matrix3(xyz(self.red), xyz(self.green), xyz(self.blue))
        let sums = columns.inverse * xyz(self.white)
        return Matrix3(columns.x * sums.x, columns.y * sums.y, columns.z * sums.z)
    }

    /// The luminance of each primary; their sum is 1.
    var luminances: SIMD3<Double> {
        let matrix = self.toXYZ
        return SIMD3(matrix.x.y, matrix.y.y, matrix.z.y)
    }

    /// The matrix to linear sRGB, with Bradford adaptation of the white point.
    var toSRGB: Matrix3 {
        let cones = Matrix3(
            SIMD3(0.8951, -0.7502, 0.0389), SIMD3(0.2664, 1.7135, -0.0685), SIMD3(-0.1614, 0.0367, 1.0296))
        let ones = SIMD3<Double>(repeating: 1)
        let (source, target) = (self.toXYZ, Self.sRGB.toXYZ)
        let gains = (cones * (target * ones)) / (cones * (source * ones))
        let scaled = Matrix3(SIMD3(gains.x, 0, 0), SIMD3(0, gains.y, 0), SIMD3(0, 0, gains.z))
        return target.inverse * (cones.inverse * (scaled * (cones * source)))
    }
}

/// A 3 × 3 matrix of three columns.
struct Matrix3 {
    let x, y, z: SIMD3<Double>

    init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        matrix.x * vector.x + matrix.y * vector.y + matrix.z * vector.z
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(left * right.x, left * right.y, left * right.z)
    }

    var inverse: Matrix3 {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        // Rows of the inverse are cross products of columns.
        let (a, b, c) = (cross(self.y, self.z), cross(self.z, self.x), cross(self.x, self.y))
        let determinant = (self.x * a).sum()
        return Matrix3(
            SIMD3(a.x, b.x, c.x) / determinant, SIMD3(a.y, b.y, c.y) / determinant,
            SIMD3(a.z, b.z, c.z) / determinant)
    }
}
