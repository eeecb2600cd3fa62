/// One thing that a request says beside its method: a part of the path, of the query, or a header.
package struct APIParameter: Hashable, Sendable {
    package enum Place: String, Sendable {
        case path, query, header
    }

    /// As it is written in a request.
    package let name: String
    package let place: Place
    package let schema: APISchema
    /// A sentence.
    package let meaning: String
    package var isRequired = false
    /// What must be switched on for it to have a meaning; nil for what always has.
    package var feature: APIFeature?

    package init(
        name: String, place: Place, schema: APISchema, meaning: String, isRequired: Bool = false,
        feature: APIFeature? = nil
    ) {
        self.name = name
        self.place = place
        self.schema = schema
        self.meaning = meaning
        self.isRequired = isRequired
        self.feature = feature
    }

    package static func path(_ name: String, _ schema: APISchema, _ meaning: String) -> APIParameter {
        APIParameter(name: name, place: .path, schema: schema, meaning: meaning, isRequired: true)
    }

    package static func query(
        _ name: String, _ schema: APISchema, isRequired: Bool = false, feature: APIFeature? = nil, _ meaning: String
    ) -> APIParameter {
        APIParameter(
            name: name, place: .query, schema: schema, meaning: meaning, isRequired: isRequired, feature: feature)
    }

    package static func header(
        _ name: String, _ schema: APISchema, feature: APIFeature? = nil, _ meaning: String
    ) -> APIParameter {
        APIParameter(name: name, place: .header, schema: schema, meaning: meaning, feature: feature)
    }

    /// A Parameter Object (OpenAPI 3.1, 4.8.12).
    package var json: JSONValue {
        var json: [String: JSONValue] = [
            "name": .string(self.name), "in": .string(self.place.rawValue), "schema": .object(self.schema.json),
            "description": .string(self.meaning),
        ]
        if self.isRequired { json["required"] = true }
        // A list is one value, separated by commas.
        if self.schema.json["type"] == "array" { json["explode"] = false }
        return .object(json)
    }
}

/// What a service may have switched on, and then says of more resources than one.
package enum APIFeature: Hashable, Sendable, CaseIterable {
    /// Keys for signed URLs.
    case signatures
    /// Client hints.
    case clientHints
    /// URLs that name the version of the original.
    case versions
    /// Parts of pictures, and conditions beside `If-None-Match`.
    case ranges
}
