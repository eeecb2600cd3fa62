import HTTPTypes

/// A response for a client or a user, which must not be cached.
struct TMDBAnswer: Sendable {
    var status = 200
    let bytes: [UInt8]
    var fields: HTTPFields = [:]

    init(status: Int = 200, bytes: [UInt8]) {
        self.status = status
        self.bytes = bytes
    }

    init(_ json: OrderedJSON, status: Int = 200) {
        self.init(status: status, bytes: json.bytes)
    }

    /// The confirmation of a change.
    init(_ code: TMDBStatusCode) {
        // `.success` confirms a creation.
        self.init(
            [
                "success": true, "status_code": .integer(code.rawValue), "status_message": .string(code.message),
            ], status: code == .success ? 201 : code.status)
    }
}
