extension OrderedJSON {
    /// The value of the first member of this name; nil without one.
    subscript(name: String) -> OrderedJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// nil for what is no string.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// nil for what is no whole number.
    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// Empty for what is no array.
    var elements: [OrderedJSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// With the members of all objects by their names.
    var sorted: OrderedJSON {
        switch self {
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        case .array(let elements): .array(elements.map(\.sorted))
        default: self
        }
    }

    /// The object with other values of its members; anything else as it is.
    func mapMembers(_ change: (Member) throws -> OrderedJSON) rethrows -> OrderedJSON {
        guard case .object(let members) = self else { return self }
        return .object(try members.map { Member($0.name, try change($0)) })
    }

    /// The object with another value of a member, if it has one; anything else as it is.
    func replacing(_ name: String, _ change: (OrderedJSON) throws -> OrderedJSON) rethrows -> OrderedJSON {
        try self.mapMembers { $0.name == name ? try change($0.value) : $0.value }
    }
}
