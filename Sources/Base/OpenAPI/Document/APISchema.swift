/// The schema of a value: the subset of JSON Schema 2020-12 that this service needs.
package struct APISchema: Hashable, Sendable {
    private(set) var json: [String: JSONValue]

    private init(_ json: [String: JSONValue]) {
        self.json = json
    }

    package static let any = APISchema([:])

    /// - Parameters:
    ///   - lengths: The permitted lengths, in characters.
    ///   - pattern: A regular expression in the syntax of ECMA-262, without extensions.
    package static func string(_ lengths: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil)
        -> APISchema
    {
        var json: [String: JSONValue] = ["type": "string"]
        json["minLength"] = lengths.map { .integer($0.lowerBound) }
        json["maxLength"] = lengths.map { .integer($0.upperBound) }
        json["pattern"] = pattern.map(JSONValue.string)
        json["format"] = format.map(JSONValue.string)
        return APISchema(json)
    }

    package static func choice(_ values: [String]) -> APISchema {
        APISchema(["type": "string", "enum": .array(values.map(JSONValue.string))])
    }

    package static func constant(_ value: String) -> APISchema {
        APISchema(["type": "string", "const": .string(value)])
    }

    package static func integer(_ range: ClosedRange<Int>) -> APISchema {
        APISchema(["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    package static func integer(from least: Int = 0) -> APISchema {
        APISchema(["type": "integer", "minimum": .integer(least)])
    }

    package static func number(_ range: ClosedRange<Int>? = nil) -> APISchema {
        var json: [String: JSONValue] = ["type": "number"]
        json["minimum"] = range.map { .integer($0.lowerBound) }
        json["maximum"] = range.map { .integer($0.upperBound) }
        return APISchema(json)
    }

    package static let boolean = APISchema(["type": "boolean"])

    package static func array(_ element: APISchema, count: ClosedRange<Int>? = nil) -> APISchema {
        var json: [String: JSONValue] = ["type": "array", "items": .object(element.json)]
        json["minItems"] = count.map { .integer($0.lowerBound) }
        json["maxItems"] = count.map { .integer($0.upperBound) }
        return APISchema(json)
    }

    package static func object(_ members: [String: APISchema], required: [String]) -> APISchema {
        APISchema([
            "type": "object", "properties": .object(members.mapValues { .object($0.json) }),
            "required": .array(required.sorted().map(JSONValue.string)),
        ])
    }

    package static func object(_ members: [String: APISchema]) -> APISchema {
        self.object(members, required: Array(members.keys))
    }

    package static func object(_ members: [String: APISchema], optional: Set<String>) -> APISchema {
        self.object(members, required: members.keys.filter { !optional.contains($0) })
    }

    /// An object with exactly one of these members.
    package static func oneMember(of names: [String], value: String) -> APISchema {
        APISchema([
            "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
            "properties": .object(
                Dictionary(uniqueKeysWithValues: names.map { ($0, .object(Self.constant(value).json)) })),
        ])
    }

    package static func reference(_ name: String) -> APISchema {
        APISchema(["$ref": .string("#/components/schemas/\(name)")])
    }

    package static func all(_ schemas: [APISchema]) -> APISchema {
        APISchema(["allOf": .array(schemas.map { .object($0.json) })])
    }

    /// One of several objects, told apart by a discriminator member (OpenAPI 3.1, 4.8.25).
    /// - Parameter names: The names of schemas in the document, by the member's value.
    package static func one(of names: [String: String], by member: String) -> APISchema {
        let references = names.mapValues { JSONValue.string("#/components/schemas/\($0)") }
        return APISchema([
            "oneOf": .array(references.sorted { $0.key < $1.key }.map { ["$ref": $0.value] }),
            "discriminator": ["propertyName": .string(member), "mapping": .object(references)],
        ])
    }

    package var orNull: APISchema {
        // An enum lists all valid values, whatever the type permits.
        if self.json["$ref"] != nil || self.json["enum"] != nil {
            return APISchema(["anyOf": [.object(self.json), ["type": "null"]]])
        }
        guard case .string(let type)? = self.json["type"] else { return self }
        var copy = self
        copy.json["type"] = .array([.string(type), "null"])
        return copy
    }

    package func meaning(_ text: String) -> APISchema {
        self.with("description", .string(text))
    }

    /// An object without additional members.
    package var closed: APISchema { self.with("additionalProperties", .boolean(false)) }

    package func by(default value: JSONValue) -> APISchema {
        self.with("default", value)
    }

    package func example(_ value: JSONValue) -> APISchema {
        self.with("examples", [value])
    }

    private func with(_ member: String, _ value: JSONValue) -> APISchema {
        var copy = self
        copy.json[member] = value
        return copy
    }
}
