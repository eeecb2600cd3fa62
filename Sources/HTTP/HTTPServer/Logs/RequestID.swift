import HTTPSemantics
import Synchronization

/// The id of a request in logs and problems: the client's own if it is safe to repeat, otherwise a new one.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// Maximum length of an accepted id, in bytes.
    package static let lengthLimit = 128

    /// Letters, digits and a few signs.
    package let description: String

    /// - Parameters:
    ///   - given: The value of `X-Request-Id`; ignored if it is too long or contains unusual characters.
    ///   - traceparent: The value of W3C Trace Context's field (section 4, version 00 or later); its trace id is the
    ///     fallback.
    package init?(given: String?, traceparent: String?) {
        if let given, Self.isAcceptable(given) {
            self.description = given
        } else if let traceparent, let trace = Self.traceID(of: traceparent) {
            self.description = trace
        } else {
            return nil
        }
    }

    private init(made text: String) {
        self.description = text
    }

    /// Placeholder until a request has its id.
    static let none = RequestID(made: "-")

    /// Creates an id that cannot be guessed from outside the process, but is not secret.
    package static func make() -> RequestID {
        let number = self.count.wrappingAdd(1, ordering: .relaxed).newValue
        return RequestID(made: self.hexadecimal(self.start) + self.hexadecimal(number))
    }

    private static let start = UInt64.random(in: 1 ... .max)
    private static let count = Atomic<UInt64>(0)

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func isAcceptable(_ text: String) -> Bool {
        (1...Self.lengthLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || "-_.:/+=@".utf8.contains($0) }
    }

    /// The trace id of `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`; later versions may append fields.
    private static func traceID(of text: String) -> String? {
        let bytes = Array(text.utf8.prefix(Self.lengthLimit + 1))
        let length = 55
        guard bytes.count >= length, bytes.count <= Self.lengthLimit else { return nil }
        let (version, trace, parent, flags) = (bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55])
        guard [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            [version, trace, parent, flags].allSatisfy({ $0.allSatisfy(Self.isDigit) }),
            !version.elementsEqual("ff".utf8), trace.contains(where: { $0 != UInt8(ascii: "0") }),
            parent.contains(where: { $0 != UInt8(ascii: "0") })
        else { return nil }
        if version.elementsEqual("00".utf8) {
            guard bytes.count == length else { return nil }
        } else if bytes.count > length {
            guard bytes[length] == UInt8(ascii: "-") else { return nil }
        }
        return String(decoding: trace, as: UTF8.self)
    }

    /// Whether a byte is a lower-case hexadecimal digit.
    private static func isDigit(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
