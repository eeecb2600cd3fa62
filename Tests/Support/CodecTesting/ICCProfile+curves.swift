import Glibc

extension ICCProfile {
    /// From a sample to light.
    package enum Curve: Sendable {
        case gamma(Double)
        /// By formula in version 4, by a table of 1024 entries in version 2.
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

    /// CMYK by a table of the sixteen full overprints, as CIELAB: process inks, about.
    ///
    /// - Parameter deviceClass: The black of a scanner, "scnr", is the darkest that there is; that of a printer would be
    ///   found by a way back, which this profile lacks: then it counts as perfect.
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
