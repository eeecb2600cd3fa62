extension RenderTarget.Background {
    /// What ``init(hex:)`` takes, for people.
    public static let forms = "RRGGBB or RGB in hexadecimal digits, such as ffffff"

    /// - Parameter hex: Six hexadecimal digits, or three that are doubled; a `#` may come before them.
    /// - Returns: nil for anything else.
    public init?(hex: String) {
        let digits = hex.utf8.first == UInt8(ascii: "#") ? hex.utf8.dropFirst() : hex.utf8[...]
        var values: [UInt8] = []
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): values.append(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): values.append(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): values.append(digit - UInt8(ascii: "A") + 10)
            default: return nil
            }
            guard values.count <= 6 else { return nil }
        }
        switch values.count {
        case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
        case 6:
            self.init(
                red: values[0] << 4 | values[1], green: values[2] << 4 | values[3], blue: values[4] << 4 | values[5])
        default: return nil
        }
    }
}
