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
