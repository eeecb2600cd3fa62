extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    package var isAlphanumeric: Bool {
        self.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    /// The value of a hexadecimal digit; `nil` for other bytes.
    var hexadecimalValue: UInt8? {
        Character(UnicodeScalar(self)).hexDigitValue.map(UInt8.init)
    }

    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Substring {
    package var trimmingBlanks: Substring {
        var rest = self.utf8.drop(while: \.isBlank)
        while rest.last?.isBlank == true { rest.removeLast() }
        return Substring(rest)
    }
}

extension String {
    package var trimmingBlanks: Substring { self[...].trimmingBlanks }
}
