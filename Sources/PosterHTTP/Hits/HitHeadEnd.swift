import NIOCore

/// What is the same in all heads of one second.
struct HitHeadEnd {
    private let serverField: String
    private var second: Int
    private var bytes: ByteBuffer

    /// - Parameter serverName: For `Server`; nil leaves it out.
    init(serverName: String?) {
        self.serverField = serverName.map { "Server: \($0)\r\n" } ?? ""
        self.second = HTTPDateText.currentSecond()
        self.bytes = Self.bytes(self.second, self.serverField)
    }

    /// As of now, with the empty line.
    mutating func current() -> ByteBuffer {
        let second = HTTPDateText.currentSecond()
        if second != self.second {
            self.second = second
            self.bytes = Self.bytes(second, self.serverField)
        }
        return self.bytes
    }

    private static func bytes(_ second: Int, _ serverField: String) -> ByteBuffer {
        ByteBuffer(string: "Date: \(HTTPDateText.text(second))\r\n\(serverField)\r\n")
    }
}
