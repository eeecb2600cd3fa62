import Foundation

/// A JSON value, read without a schema.
@dynamicMemberLookup
struct JSON: CustomStringConvertible {
    private let value: Any?

    init(_ bytes: [UInt8]) throws {
        self.value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    private init(value: Any?) { self.value = value }

    subscript(dynamicMember name: String) -> JSON { self[name] }
    subscript(name: String) -> JSON { JSON(value: (self.value as? [String: Any])?[name]) }
    subscript(index: Int) -> JSON { self.list.indices.contains(index) ? self.list[index] : JSON(value: nil) }

    /// Whether the value is present and not `null`.
    var exists: Bool { self.value != nil && !(self.value is NSNull) }
    var text: String? { self.value as? String }
    var int: Int? { (self.value as? NSNumber)?.intValue }
    var double: Double? { (self.value as? NSNumber)?.doubleValue }
    var bool: Bool? { (self.value as? NSNumber)?.boolValue }
    /// Empty if the value is no array.
    var list: [JSON] { (self.value as? [Any])?.map { JSON(value: $0) } ?? [] }
    /// Empty if the value is no object.
    var names: Set<String> { Set((self.value as? [String: Any])?.keys.map { $0 } ?? []) }

    var description: String { self.value.map { "\($0)" } ?? "nothing" }
}
