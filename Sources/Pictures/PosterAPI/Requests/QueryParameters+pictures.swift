import HTTPSemantics

extension QueryParameters {
    /// In pixels.
    func side(_ name: String) throws(Problem) -> Int? {
        let sides = PictureRequest.sides
        return try self.value(
            name, accepted: "a whole number of pixels from \(sides.lowerBound) to \(sides.upperBound)"
        ) { text in
            Self.number(text).flatMap { sides.contains($0) ? $0 : nil }
        }
    }

    /// 1...100.
    func quality() throws(Problem) -> Int? {
        try self.value("q", accepted: "a whole number from 1 to 100") { text in
            Self.number(text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
    }

    /// What the original's digest begins with.
    func version() throws(Problem) -> String? {
        let isHexadecimal = { (byte: UInt8) in (48...57).contains(byte) || (97...102).contains(byte) }
        return try self.value("v", accepted: "8 to 64 lower-case hexadecimal digits") { text in
            (8...64).contains(text.utf8.count) && text.utf8.allSatisfy(isHexadecimal) ? text : nil
        }
    }
}
