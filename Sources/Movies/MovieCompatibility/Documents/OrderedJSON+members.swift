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
