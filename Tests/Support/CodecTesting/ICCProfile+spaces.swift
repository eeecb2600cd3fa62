import Glibc

extension ICCProfile {
    /// A tone curve from sample values to linear light.
    package enum Curve: Sendable {
        case gamma(Double)
        /// Written as a formula in version 4, as a table of 1024 entries in version 2.
        case sRGB

        func content(version: UInt8) -> [UInt8] {
            switch (self, version) {
            case (.gamma(let gamma), _):
                return Array("curv".utf8) + ICCProfile.number(0, 4) + ICCProfile.number(1, 4)
                    + ICCProfile.number(Int((gamma * 256).rounded()), 2)
            case (.sRGB, 2):
                let table = (0..<1024).map { index -> Int in
                    let sample = Double(index) / 1023
                    let light = sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
                    return Int((light * 65535).rounded())
                }
                return Array("curv".utf8) + ICCProfile.number(0, 4) + ICCProfile.number(1024, 4)
                    + table.flatMap { ICCProfile.number($0, 2) }
            case (.sRGB, _):
                return Array("para".utf8) + ICCProfile.number(0, 4) + ICCProfile.number(3, 2) + ICCProfile.number(0, 2)
                    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap { ICCProfile.fixed($0) }
            }
        }
    }

    package static func gray(_ curve: Curve, version: UInt8 = 2) -> ICCProfile {
        ICCProfile(version: version, space: "GRAY", tags: [("kTRC", curve.content(version: version))])
    }

    /// A CMYK profile: a CIELAB table of the sixteen full overprints, roughly process inks.
    ///
    /// - Parameter deviceClass: The black point of a scanner profile, "scnr", is its darkest colour. For a printer it
    ///   would come from the reverse table, which this profile lacks, so it counts as perfect black.
    package static func cmyk(deviceClass: String = "prtr") -> ICCProfile {
        let overprints: [(Double, Double, Double)] = [
            (100, 0, 0), (15, 0, 0), (89, -5, 93), (14, 0, 8), (48, 74, -3), (12, 8, 0), (47, 68, 48), (10, 5, 3),
            (55, -37, -50), (13, -5, -8), (50, -65, 27), (11, -6, 2), (24, 17, -46), (8, 0, -5), (23, 0, 0), (4, 0, 0),
        ]
        let identity = (0...255).map(UInt8.init)
        var table = Array("mft1".utf8) + ICCProfile.number(0, 4) + [4, 3, 2, 0]
        for index in 0..<9 { table += ICCProfile.fixed(index % 4 == 0 ? 1 : 0) }
        for _ in 0..<4 { table += identity }
        for (lightness, a, b) in overprints {
            table += [lightness * 255 / 100, a + 128, b + 128].map { UInt8($0.rounded()) }
        }
        for _ in 0..<3 { table += identity }
        var profile = ICCProfile(
            version: 2, deviceClass: deviceClass, space: "CMYK", tags: [("A2B0", table), ("A2B1", table)])
        profile.connection = "Lab "
        return profile
    }
}

extension ICCProfile {
    /// CIE 1931 x and y.
    package typealias Chromaticity = (x: Double, y: Double)

    /// An RGB profile with these primaries and a D65 white point, as displays have.
    package static func rgb(
        red: Chromaticity, green: Chromaticity, blue: Chromaticity, curve: Curve, version: UInt8 = 2
    ) -> ICCProfile {
        let white: Chromaticity = (0.3127, 0.3290)
        // Scales the primaries so that their sum is white.
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

    /// Adapts from D65 to D50 (Bradford, from ICC.1, annex E).
    private static func adapted(_ xyz: Vector) -> Vector {
        Vector(
            (xyz * Vector(1.0478112, 0.0228866, -0.0501270)).sum(),
            (xyz * Vector(0.0295424, 0.9904844, -0.0170491)).sum(),
            (xyz * Vector(-0.0092345, 0.0150436, 0.7521316)).sum())
    }

    /// Solves a 3×3 linear system by Cramer's rule.
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
