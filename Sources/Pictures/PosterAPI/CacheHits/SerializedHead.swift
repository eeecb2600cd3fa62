import HTTPSemantics
import HTTPTypes
import NIOCore
import PosterPipeline

/// The head of an answer as it goes over the wire, in two parts: one that is the same at every request, and one that
/// tells the time.
struct SerializedHead {
    /// All that the head of an answer with a variant depends on, beside its target.
    struct Key: Hashable {
        let tag: EntityTag
        let lifetime: CacheControl.Lifetime
        let modifiedAt: Int64?
    }

    /// The part that lasts. The other is ``DateCache``.
    let bytes: ByteBuffer

    /// - Parameter contentLength: nil for an answer that never has a body.
    init(status: HTTPResponse.Status, fields: HTTPFields, contentLength: Int?) {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        if let contentLength { text += "Content-Length: \(contentLength)\r\n" }
        self.bytes = ByteBuffer(string: text)
    }
}

/// What is the same in all heads of one second with the same age.
struct DateCache {
    /// How many ages are remembered; what is asked for most often was confirmed at few moments of late.
    private static let ageSlots = 64

    private struct End {
        var second = Int.min
        var age: Int64 = 0
        var bytes = ByteBuffer()
    }

    private let serverField: String
    private var second: Int
    private var bytes: ByteBuffer
    /// By the age's lower bits.
    private var aged = Array(repeating: End(), count: DateCache.ageSlots)

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
        let place = Int(truncatingIfNeeded: age) & (Self.ageSlots - 1)
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
