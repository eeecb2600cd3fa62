/// A JSON document as other services write it: members in order, explicit nulls, and integers without a fraction.
package enum OrderedJSON: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: OrderedJSON

        package init(_ name: String, _ value: OrderedJSON) {
            self.name = name
            self.value = value
        }
    }

    case null
    case boolean(Bool)
    case integer(Int)
    /// Written as an integer if it has no fraction, and as null if it is not finite.
    case number(Double)
    case string(String)
    case array([OrderedJSON])
    case object([Member])

    package static func text(_ text: String?) -> OrderedJSON { text.map { .string($0) } ?? .null }

    package static func strings(_ texts: some Sequence<String>) -> OrderedJSON { .array(texts.map { .string($0) }) }

    package static func integers(_ numbers: some Sequence<Int>) -> OrderedJSON { .array(numbers.map { .integer($0) }) }

    /// The object with the members of another object appended; unchanged if either value is no object.
    package func adding(_ other: OrderedJSON?) -> OrderedJSON {
        guard case .object(let own) = self, case .object(let others)? = other else { return self }
        return .object(own + others)
    }

    /// The object without the named member; other values unchanged.
    package func removing(_ name: String) -> OrderedJSON {
        guard case .object(let own) = self else { return self }
        return .object(own.filter { $0.name != name })
    }
}

extension OrderedJSON {
    /// The value of the first member with this name.
    subscript(name: String) -> OrderedJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// Empty if this is no array.
    var elements: [OrderedJSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The document with the members of all objects sorted by name.
    var sorted: OrderedJSON {
        switch self {
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        case .array(let elements): .array(elements.map(\.sorted))
        default: self
        }
    }

    /// The object with changed values; other values unchanged.
    func mapMembers(_ change: (Member) throws -> OrderedJSON) rethrows -> OrderedJSON {
        guard case .object(let members) = self else { return self }
        return .object(try members.map { Member($0.name, try change($0)) })
    }

    /// The object with a changed value of the named member; other values unchanged.
    func replacing(_ name: String, _ change: (OrderedJSON) throws -> OrderedJSON) rethrows -> OrderedJSON {
        try self.mapMembers { $0.name == name ? try change($0.value) : $0.value }
    }
}

extension OrderedJSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: OrderedJSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, OrderedJSON)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}
