import MovieDomain

/// A string, a number or a Boolean, as the service sends it.
enum TolerantScalar {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
}

extension TolerantScalar: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }
}

extension TolerantScalar {
    private static let nothing: Set<String> = ["", "N/A", "n/a", "null"]

    /// The trimmed and stream-safe text of at most ``ResponseLimits/textBytes``; `nil` for Booleans and placeholders.
    var text: String? {
        switch self {
        case .text(let text):
            let trimmed = PlainText.trimmed(text.limited(toBytes: ResponseLimits.textBytes).streamSafe)
            return Self.nothing.contains(trimmed) ? nil : trimmed
        case .integer(let integer): return String(integer)
        case .number(let number): return number.isFinite ? String(number) : nil
        case .flag: return nil
        }
    }

    /// The limit of exact integers in JSON (RFC 8259, 6): no service sends larger ones on purpose, and sums and
    /// products of smaller ones do not overflow.
    private static let largest = 1 << 53

    /// The integer, truncated towards zero; `nil` beyond ±2⁵³.
    var integer: Int? {
        guard let integer = self.anyInteger, integer.magnitude <= UInt(Self.largest) else { return nil }
        return integer
    }

    private var anyInteger: Int? {
        if case .integer(let integer) = self { return Int(exactly: integer) }
        if case .text = self, let text = self.text, let integer = Int(Self.withoutGrouping(text)) { return integer }
        return self.number.flatMap { Int(exactly: $0.rounded(.towardZero)) }
    }

    var number: Double? {
        switch self {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number.isFinite ? number : nil
        case .flag: return nil
        case .text:
            // Double also parses "nan", "inf" and hexadecimal digits.
            guard let text = self.text.map(Self.withoutGrouping), text.utf8.count <= 64,
                text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }),
                let number = Double(text), number.isFinite
            else { return nil }
            return number
        }
    }

    /// The Boolean; also reads 0, 1, and strings such as `true` and `Y`.
    var flag: Bool? {
        switch self {
        case .flag(let flag): return flag
        case .integer(let integer): return integer == 0 ? false : integer == 1 ? true : nil
        case .number: return nil
        case .text:
            switch self.text?.lowercased() {
            case "true", "y", "yes", "1": return true
            case "false", "n", "no", "0": return false
            default: return nil
            }
        }
    }

    /// Reads `331,763` as `331763`.
    private static func withoutGrouping(_ text: String) -> String {
        text.contains(",") ? text.filter { $0 != "," } : text
    }
}
