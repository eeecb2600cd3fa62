/// A value for each accepted client key.
package struct KeyedValues<Value: Sendable>: Sendable {
    /// The value of any key without a list of keys.
    private let usual: Value
    /// By the keys' digests; `nil` accepts any key.
    private let values: [[UInt8]: Value]?

    init(usual: Value, values: [[UInt8]: Value]?) {
        self.usual = usual
        self.values = values
    }

    /// Whether only listed keys are accepted.
    package var areRequired: Bool { self.values != nil }

    /// - Returns: `nil` if the key is not accepted.
    package subscript(key: String) -> Value? {
        guard let values else { return self.usual }
        guard key.utf8.count <= ClientKeys.keyLimit else { return nil }
        return values[ClientKeys.digest(key.utf8)]
    }
}
