package import MovieDomain

/// A JSON object with lenient accessors: members that are missing or have an undocumented type are `nil` or empty.
///
/// It must not outlive the decoding. Texts and arrays beyond ``ResponseLimits`` are truncated. After decoding has ended
/// early (``DecodingPool/hasEnded``), all members are missing.
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

    /// Whether the member exists, even if it is `null`.
    package func has(_ name: String) -> Bool { self.members.contains(Name(stringValue: name)) }

    private func scalar(_ name: String) -> TolerantScalar? {
        if DecodingPool.hasEnded { return nil }
        return try? self.members.decodeIfPresent(TolerantScalar.self, forKey: Name(stringValue: name))
    }

    /// The trimmed text; `nil` if it is empty or a placeholder such as `N/A`.
    package func text(_ name: String) -> String? { self.scalar(name)?.text }

    /// ``text(_:)`` without markup, entities and the marks of search matches.
    package func plainText(_ name: String) -> String? { self.text(name).flatMap(PlainText.of) }

    /// An integer, written as an integer, a fraction or a string.
    package func integer(_ name: String) -> Int? { self.scalar(name)?.integer }

    /// A finite number.
    package func number(_ name: String) -> Double? { self.scalar(name)?.number }

    package func flag(_ name: String) -> Bool? { self.scalar(name)?.flag }

    package func date(_ name: String) -> TolerantDate? { self.text(name).flatMap { TolerantDate($0) } }

    /// The object; `nil` also for `false`, which some services send instead.
    package func object(_ name: String) -> TolerantObject? {
        if DecodingPool.hasEnded { return nil }
        return try? self.members.decodeIfPresent(TolerantObject.self, forKey: Name(stringValue: name))
    }

    /// The objects among the first elements of an array.
    /// - Parameter limit: The maximal number of elements to read.
    package func rows(_ name: String, limit: Int = ResponseLimits.rows) -> [TolerantObject] {
        self.elements(name, limit: limit)
    }

    /// The texts among the first ``ResponseLimits/rows`` elements of an array.
    package func texts(_ name: String) -> [String] {
        self.elements(name, limit: ResponseLimits.rows).compactMap { (element: TolerantScalar) in element.text }
    }

    /// The elements of an array; elements of another type are skipped.
    private func elements<Value: Decodable>(_ name: String, limit: Int) -> [Value] {
        guard let array = try? self.members.nestedUnkeyedContainer(forKey: Name(stringValue: name)) else { return [] }
        var rest = array
        var values: [Value] = []
        for _ in 0..<limit where !rest.isAtEnd && !DecodingPool.hasEnded {
            // The element type never fails to decode, and so always advances.
            guard let element = try? rest.decode(TolerantElement<Value>.self) else { break }
            if let value = element.value { values.append(value) }
        }
        return values
    }
}

/// An element of an array; `value` is `nil` if it cannot be decoded.
private struct TolerantElement<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { self.value = try? Value(from: decoder) }
}

/// A text in Korean and in English; either may be empty.
package struct BilingualText: Hashable, Sendable {
    package static let empty = BilingualText(korean: "", english: "")

    package let korean: String
    package let english: String

    private init(korean: String, english: String) {
        self.korean = korean
        self.english = english
    }

    /// Reads two members without markup.
    ///
    /// - Returns: `nil` if both are empty.
    package init?(_ row: TolerantObject, korean: String, english: String) {
        self.init(korean: row.plainText(korean) ?? "", english: row.plainText(english) ?? "")
        if self == .empty { return nil }
    }

    /// The text chosen by ``MovieDomain/LanguagePreference/choice(from:original:)``; may be empty.
    package func text(in language: LanguagePreference, original: Language? = nil) -> String {
        language.choice(from: ["ko": self.korean, "en": self.english], original: original)?.text ?? ""
    }
}

extension Sequence where Element: Hashable {
    /// The elements without duplicates, in the order of first occurrence.
    package var uniqued: [Element] {
        var known: Set<Element> = []
        return self.filter { known.insert($0).inserted }
    }
}
