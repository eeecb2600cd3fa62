/// A JSON document as another service writes it: members in the order in which they are given, null where there is nothing, and whole
/// numbers without a fraction.
package enum OrderedJSON: Hashable, Sendable {
    /// A member of an object.
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
    /// Written as a whole number where it is one; null where it is not finite.
    case number(Double)
    case string(String)
    case array([OrderedJSON])
    case object([Member])

    /// A string, or null for none.
    package static func text(_ text: String?) -> OrderedJSON { text.map { .string($0) } ?? .null }

    package static func strings(_ texts: some Sequence<String>) -> OrderedJSON { .array(texts.map { .string($0) }) }

    package static func integers(_ numbers: some Sequence<Int>) -> OrderedJSON { .array(numbers.map { .integer($0) }) }

    /// The object with the members of another one at its end; anything else, and with anything else, as it is.
    package func adding(_ other: OrderedJSON?) -> OrderedJSON {
        guard case .object(let own) = self, case .object(let others)? = other else { return self }
        return .object(own + others)
    }

    /// The object without a member; anything else as it is.
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
    /// In the order of the literal.
    package init(dictionaryLiteral elements: (String, OrderedJSON)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}
