import HTTPTypes

/// A response about a client or a user, which no cache may store.
struct TMDBAnswer: Sendable {
    var status = 200
    let bytes: [UInt8]
    /// Further fields.
    var fields: HTTPFields = [:]

    init(status: Int = 200, bytes: [UInt8]) {
        self.status = status
        self.bytes = bytes
    }

    init(_ json: OrderedJSON, status: Int = 200) {
        self.init(status: status, bytes: json.bytes)
    }

    /// That something is done, with the code that says what.
    init(_ code: TMDBStatusCode) {
        // What is new was created.
        self.init(
            [
                "success": true, "status_code": .integer(code.rawValue), "status_message": .string(code.message),
            ], status: code == .success ? 201 : code.status)
    }
}
