@testable import MovieCompatibility

extension OrderedJSON {
    init(parsing bytes: [UInt8]) throws {
        self = try JSONReader.document(bytes)
    }

    /// The members; empty if the value is not an object.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
