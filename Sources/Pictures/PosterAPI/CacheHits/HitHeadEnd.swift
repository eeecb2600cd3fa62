import HTTPSemantics
import NIOCore

/// What is the same in all heads of one second with the same age.
struct HitHeadEnd {
    /// How many ages are remembered; what is asked for most often was confirmed at few moments of late.
    private static let agePlaces = 64

    private struct End {
        var second = Int.min
        var age: Int64 = 0
        var bytes = ByteBuffer()
    }

    private let serverField: String
    private var second: Int
    private var bytes: ByteBuffer
    /// By the age's lower bits.
    private var aged = Array(repeating: End(), count: HitHeadEnd.agePlaces)

    /// - Parameter serverName: For `Server`; nil leaves it out.
    init(serverName: String?) {
        self.serverField = serverName.map { "Server: \($0)\r\n" } ?? ""
        self.second = HTTPDate.currentSecond()
        self.bytes = Self.bytes(self.second, self.serverField)
    }

    /// As of now, with the empty line.
    ///
    /// - Parameter age: For `Age`, in seconds, at least 0; nil leaves it out.
    mutating func current(age: Int64?) -> ByteBuffer {
        let second = HTTPDate.currentSecond()
        guard let age else { return self.unaged(second) }
        let place = Int(truncatingIfNeeded: age) & (Self.agePlaces - 1)
        if self.aged[place].second != second || self.aged[place].age != age {
            var bytes = ByteBuffer(string: "Age: \(age)\r\n")
            bytes.writeImmutableBuffer(self.unaged(second))
            self.aged[place] = End(second: second, age: age, bytes: bytes)
        }
        return self.aged[place].bytes
    }

    private mutating func unaged(_ second: Int) -> ByteBuffer {
        if second != self.second {
            self.second = second
            self.bytes = Self.bytes(second, self.serverField)
        }
        return self.bytes
    }

    private static func bytes(_ second: Int, _ serverField: String) -> ByteBuffer {
        ByteBuffer(string: "Date: \(HTTPDate.text(second))\r\n\(serverField)\r\n")
    }
}
