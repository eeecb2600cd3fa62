import HTTPSemantics
import HTTPTypes
import NIOCore
import PosterPipeline

/// The serialized head of a response without the fields that change with time, which ``DateCache`` supplies.
struct SerializedHead {
    /// The inputs of a head, besides the target, for a response from memory with a fresh original.
    struct Key: Equatable {
        let status: Int
        private let tag: EntityTag
        private let lifetime: CacheControl.Lifetime
        private let modifiedAt: Int64?
        private let isStored: Bool

        init(status: HTTPResponse.Status, of response: PosterResponse, _ lifetime: CacheControl.Lifetime) {
            self.status = status.code
            self.tag = response.entityTag
            self.lifetime = lifetime
            self.modifiedAt = response.provenance.modifiedAt
            self.isStored = response.provenance.isStored
        }
    }

    /// Status line and fields, without the empty line.
    let bytes: ByteBuffer

    /// - Parameter contentLength: The length in bytes; `nil` for a status without a body.
    init(status: HTTPResponse.Status, fields: HTTPFields, contentLength: Int?) {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        if let contentLength { text += "Content-Length: \(contentLength)\r\n" }
        self.bytes = ByteBuffer(string: text)
    }
}

/// Caches the serialized `Age`, `Date` and `Server` fields and the empty line of a head, per second and age.
struct DateCache {
    /// Slots for ages, a power of two: popular posters were revalidated at few distinct times.
    private static let ageSlots = 64

    private struct End {
        var second = Int.min
        var age: Int64 = 0
        var bytes = ByteBuffer()
    }

    private let serverField: String
    private var second: Int
    private var bytes: ByteBuffer
    /// Direct-mapped by the age's lower bits.
    private var aged = Array(repeating: End(), count: DateCache.ageSlots)

    /// - Parameter serverName: The value of `Server`; `nil` omits it.
    init(serverName: String?) {
        self.serverField = serverName.map { "Server: \($0)\r\n" } ?? ""
        self.second = HTTPDate.currentSecond()
        self.bytes = Self.bytes(self.second, self.serverField)
    }

    /// The current fields, with the empty line.
    ///
    /// - Parameter age: The value of `Age` in seconds, at least 0; `nil` omits it.
    mutating func current(age: Int64?) -> ByteBuffer {
        let second = HTTPDate.currentSecond()
        guard let age else { return self.unaged(second) }
        let slot = Int(truncatingIfNeeded: age) & (Self.ageSlots - 1)
        if self.aged[slot].second != second || self.aged[slot].age != age {
            var bytes = ByteBuffer(string: "Age: \(age)\r\n")
            bytes.writeImmutableBuffer(self.unaged(second))
            self.aged[slot] = End(second: second, age: age, bytes: bytes)
        }
        return self.aged[slot].bytes
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
