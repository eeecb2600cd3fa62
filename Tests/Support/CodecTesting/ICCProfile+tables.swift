extension ICCProfile {
    /// Incompressible pseudorandom samples.
    private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: random.next() >> 40) }
            initialized = count
        }
    }

    private static let identity = (0..<9).flatMap { Self.fixed($0 % 4 == 0 ? 1 : 0) }

    /// The beginning of a tag: its signature and, for a table, the numbers of its channels and the points of its grid.
    private static func beginning(_ signature: String, _ counts: Int...) -> [UInt8] {
        let reserved = Self.number(0, 4)
        let bytes = Array(signature.utf8) + reserved
        return bytes + counts.map(UInt8.init)
    }

    private static func repeating(_ bytes: [UInt8], count: Int) -> [UInt8] {
        Array([[UInt8]](repeating: bytes, count: count).joined())
    }

    /// A lookup table with 8 bits per sample (ICC.1:2010, 10.9).
    package static func table8(inputs: Int, outputs: Int, grid: Int, seed: UInt64 = 1) -> [UInt8] {
        let nodes = (0..<inputs).reduce(1) { count, _ in count * grid }
        let ramp = (0...255).map(UInt8.init)
        var table = Self.beginning("mft1", inputs, outputs, grid, 0) + Self.identity
        table += Self.repeating(ramp, count: inputs)
        table += Self.noise(nodes * outputs, seed: seed)
        return table + Self.repeating(ramp, count: outputs)
    }

    /// A lookup table with 16 bits per sample and curves of `entries` entries (10.8).
    package static func table16(inputs: Int, outputs: Int, grid: Int, entries: Int = 256, seed: UInt64 = 1) -> [UInt8] {
        let nodes = (0..<inputs).reduce(1) { count, _ in count * grid }
        let ramp = (0..<entries).flatMap { Self.number($0 * 65535 / max(1, entries - 1), 2) }
        var table = Self.beginning("mft2", inputs, outputs, grid, 0) + Self.identity
        table += Self.repeating(Self.number(entries, 2), count: 2)
        table += Self.repeating(ramp, count: inputs)
        table += Self.noise(2 * nodes * outputs, seed: seed)
        return table + Self.repeating(ramp, count: outputs)
    }

    /// A transform of curves, a table and a matrix (10.10).
    ///
    /// - Parameters:
    ///   - precision: Bytes per sample.
    ///   - sharesCurves: Whether all three sets of curves are the same bytes.
    package static func tableAToB(
        inputs: Int, outputs: Int, grid: Int, precision: Int, curve: [UInt8], sharesCurves: Bool, seed: UInt64 = 1
    ) -> [UInt8] {
        let nodes = (0..<inputs).reduce(1) { count, _ in count * grid }
        var table = [UInt8](repeating: UInt8(grid), count: inputs) + [UInt8](repeating: 0, count: 16 - inputs)
        table += [UInt8(precision), 0, 0, 0] + Self.noise(nodes * outputs * precision, seed: seed)
        table += [UInt8](repeating: 0, count: (4 - table.count % 4) % 4)
        let matrix = Self.identity + [UInt8](repeating: 0, count: 12)
        let curves = (0..<max(inputs, outputs)).flatMap { _ in curve }
        let (first, step) = (32 + matrix.count + table.count, sharesCurves ? 0 : curves.count)
        let offsets = [first, 32, first + step, 32 + matrix.count, first + 2 * step].flatMap { Self.number($0, 4) }
        let beginning = Self.beginning("mAB ", inputs, outputs, 0, 0) + offsets
        return beginning + matrix + table + Self.repeating(curves, count: sharesCurves ? 1 : 3)
    }

    /// A curve of `entries` entries (10.5).
    package static func curve(entries: Int) -> [UInt8] {
        var curve = Self.beginning("curv") + Self.number(entries, 4)
        for index in 0..<entries { curve += Self.number(index * 65535 / max(1, entries - 1), 2) }
        return curve + [UInt8](repeating: 0, count: (4 - curve.count % 4) % 4)
    }

    /// A profile that contains only tables.
    package static func tables(
        _ tags: [(name: String, content: [UInt8])], space: String = "RGB ", deviceClass: String = "mntr",
        version: UInt8 = 2
    ) -> ICCProfile {
        var profile = ICCProfile(version: version, deviceClass: deviceClass, space: space, tags: tags)
        profile.connection = "Lab "
        profile.sharesContents = true
        return profile
    }
}
