@testable import MovieCompatibility

extension OrderedJSON {
    init(parsing bytes: [UInt8]) throws {
        self = try JSONReader.document(bytes)
    }

    /// Empty for what is no object.
    var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
