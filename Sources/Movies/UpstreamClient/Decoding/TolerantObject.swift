/// An object of somebody's JSON. Every member may be missing, or of another type than promised: it is nil, or empty, then.
///
/// It does not outlive the decoding.
package struct TolerantObject: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let members: KeyedDecodingContainer<Name>

    package init(from decoder: any Decoder) throws {
        self.members = try decoder.container(keyedBy: Name.self)
    }

    /// Whether there is such a member, even if it is `null`.
    package func has(_ name: String) -> Bool { self.members.contains(Name(stringValue: name)) }

    private func scalar(_ name: String) -> TolerantScalar? {
        try? self.members.decodeIfPresent(TolerantScalar.self, forKey: Name(stringValue: name))
    }

    /// Without outer white space; nil when nothing is left, or when it says that it is not available.
    package func text(_ name: String) -> String? { self.scalar(name)?.text }

    /// The same without markup, entities and marks of what a search matched.
    package func plainText(_ name: String) -> String? { self.text(name).flatMap(PlainText.of) }

    /// A whole number, written as one, as a fraction or as text.
    package func integer(_ name: String) -> Int? { self.scalar(name)?.integer }

    /// A finite number.
    package func number(_ name: String) -> Double? { self.scalar(name)?.number }

    package func flag(_ name: String) -> Bool? { self.scalar(name)?.flag }

    /// A day, a moment or a year.
    package func date(_ name: String) -> TolerantDate? { self.text(name).flatMap { TolerantDate($0) } }

    /// nil also for `false`, which some say instead of an object.
    package func object(_ name: String) -> TolerantObject? {
        try? self.members.decodeIfPresent(TolerantObject.self, forKey: Name(stringValue: name))
    }

    /// The objects of an array; those that are none are left out.
    package func rows(_ name: String) -> [TolerantObject] {
        self.elements(name).compactMap { (element: TolerantElement<TolerantObject>) in element.value }
    }

    /// The texts of an array; those that are none are left out.
    package func texts(_ name: String) -> [String] {
        self.elements(name).compactMap { (element: TolerantElement<TolerantScalar>) in element.value?.text }
    }

    private func elements<Value: Decodable>(_ name: String) -> [TolerantElement<Value>] {
        (try? self.members.decodeIfPresent([TolerantElement<Value>].self, forKey: Name(stringValue: name))) ?? []
    }
}

/// One of an array, whose neighbours are not lost when it is not as promised.
private struct TolerantElement<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { self.value = try? Value(from: decoder) }
}
