/// Writes minimal ICC profiles (ICC.1): only the tags that a colour management module needs.
package struct ICCProfile: Sendable, CustomStringConvertible {
    /// 2 or 4.
    package var version: UInt8
    /// Four characters: "mntr" a display, "prtr" a printer, "link" a conversion.
    package var deviceClass: String
    /// Four characters: "RGB ", "GRAY" or "CMYK".
    package var space: String
    /// Four characters: "XYZ " or "Lab ".
    package var connection = "XYZ "
    /// Signature and content.
    package var tags: [(name: String, content: [UInt8])]
    /// Whether tags with equal content share one copy.
    package var sharesContents = false

    package init(
        version: UInt8, deviceClass: String = "mntr", space: String, tags: [(name: String, content: [UInt8])]
    ) {
        self.version = version
        self.deviceClass = deviceClass
        self.space = space
        self.tags = tags
    }

    package var description: String { "\(self.space)v\(self.version), \(self.bytes.count) bytes" }

    package var bytes: [UInt8] {
        let tags =
            [(name: "desc", content: self.name), (name: "wtpt", content: Self.xyz(0.9642, 1, 0.8249))]
            + self.tags
        var directory = Self.number(tags.count, 4)
        var contents: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        for tag in tags {
            let known = self.sharesContents ? places[tag.content] : nil
            let offset = known ?? 128 + 4 + 12 * tags.count + contents.count
            directory += Array(tag.name.utf8) + Self.number(offset, 4) + Self.number(tag.content.count, 4)
            guard known == nil else { continue }
            if self.sharesContents { places[tag.content] = offset }
            contents += tag.content + [UInt8](repeating: 0, count: (4 - tag.content.count % 4) % 4)
        }
        var header = Self.number(128 + directory.count + contents.count, 4) + [0, 0, 0, 0]
        header += [self.version, self.version == 2 ? 0x40 : 0x30, 0, 0]
        header += Array((self.deviceClass + self.space + self.connection).utf8)
        header += [2026, 1, 1, 0, 0, 0].flatMap { Self.number($0, 2) }
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += Self.xyz(0.9642, 1, 0.8249).dropFirst(8)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + directory + contents
    }

    private var name: [UInt8] {
        guard self.version == 2 else {
            let beginning = Array("mluc".utf8) + [0, 1, 12].flatMap { Self.number($0, 4) } + Array("enUS".utf8)
            return beginning + [2, 28].flatMap { Self.number($0, 4) } + [0, 0x61]
        }
        let beginning = Array("desc".utf8) + [0, 2].flatMap { Self.number($0, 4) } + Array("a\0".utf8)
        return beginning + [UInt8](repeating: 0, count: 8 + 3 + 67)
    }

    static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// An `s15Fixed16Number`: 16 integer and 16 fraction bits.
    static func fixed(_ value: Double) -> [UInt8] {
        self.number(Int((value * 65536).rounded()), 4)
    }

    static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ ".utf8) + self.number(0, 4) + [x, y, z].flatMap { self.fixed($0) }
    }
}

extension ICCProfile {
    /// The content of a tag without meaning.
    ///
    /// - Parameter number: Distinguishes it from other padding.
    package static func padding(_ number: Int, byteCount: Int = 0) -> [UInt8] {
        Array("data".utf8) + self.number(0, 4) + self.number(1, 4) + self.number(number, 4)
            + [UInt8](repeating: 0, count: byteCount)
    }
}
