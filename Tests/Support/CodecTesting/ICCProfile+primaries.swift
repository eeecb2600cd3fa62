extension ICCProfile {
    /// CIE 1931 x and y.
    package typealias Chromaticity = (x: Double, y: Double)

    /// RGB with these primaries and D65's white, as every display has it.
    package static func rgb(
        red: Chromaticity, green: Chromaticity, blue: Chromaticity, curve: Curve, version: UInt8 = 2
    ) -> ICCProfile {
        let white: Chromaticity = (0.3127, 0.3290)
        // So much of each primary that all three together are white.
        let primaries = [red, green, blue].map { Vector($0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y) }
        let whitePoint = Vector(white.x / white.y, 1, (1 - white.x - white.y) / white.y)
        let parts = solve(primaries, whitePoint)
        let curve = curve.content(version: version)
        var tags: [(name: String, content: [UInt8])] = []
        for (index, name) in ["r", "g", "b"].enumerated() {
            let colorant = adapted(primaries[index] * parts[index])
            tags.append((name + "XYZ", self.xyz(colorant.x, colorant.y, colorant.z)))
            tags.append((name + "TRC", curve))
        }
        return ICCProfile(version: version, space: "RGB ", tags: tags)
    }

    package static func sRGB(version: UInt8 = 2, curve: Curve = .sRGB) -> ICCProfile {
        .rgb(red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06), curve: curve, version: version)
    }

    package static func displayP3(version: UInt8 = 4) -> ICCProfile {
        .rgb(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060), curve: .sRGB, version: version)
    }

    package static func adobeRGB() -> ICCProfile {
        .rgb(red: (0.64, 0.33), green: (0.21, 0.71), blue: (0.15, 0.06), curve: .gamma(563 / 256.0))
    }

    private typealias Vector = SIMD3<Double>

    /// From D65 to D50 (Bradford, from ICC.1, annex E).
    private static func adapted(_ xyz: Vector) -> Vector {
        Vector(
            (xyz * Vector(1.0478112, 0.0228866, -0.0501270)).sum(),
            (xyz * Vector(0.0295424, 0.9904844, -0.0170491)).sum(),
            (xyz * Vector(-0.0092345, 0.0150436, 0.7521316)).sum())
    }

    /// How much of each column makes the right side (Cramer's rule).
    private static func solve(_ columns: [Vector], _ right: Vector) -> [Double] {
        func determinant(_ a: Vector, _ b: Vector, _ c: Vector) -> Double {
            a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) + c.x * (a.y * b.z - a.z * b.y)
        }
        let (a, b, c) = (columns[0], columns[1], columns[2])
        let whole = determinant(a, b, c)
        return [
            determinant(right, b, c) / whole, determinant(a, right, c) / whole, determinant(a, b, right) / whole,
        ]
    }
}
