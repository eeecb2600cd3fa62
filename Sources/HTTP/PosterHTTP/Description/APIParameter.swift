/// One thing that a request says beside its method: a part of the path, of the query, or a header.
struct APIParameter: Hashable, Sendable {
    enum Place: String, Sendable {
        case path, query, header
    }

    /// As it is written in a request.
    let name: String
    let place: Place
    let schema: APISchema
    /// A sentence.
    let meaning: String
    var isRequired = false
    /// What must be switched on for it to have a meaning; nil for what always has.
    var feature: APIFeature?

    static func path(_ name: String, _ schema: APISchema, _ meaning: String) -> APIParameter {
        APIParameter(name: name, place: .path, schema: schema, meaning: meaning, isRequired: true)
    }

    static func query(
        _ name: String, _ schema: APISchema, isRequired: Bool = false, feature: APIFeature? = nil, _ meaning: String
    ) -> APIParameter {
        APIParameter(
            name: name, place: .query, schema: schema, meaning: meaning, isRequired: isRequired, feature: feature)
    }

    static func header(
        _ name: String, _ schema: APISchema, feature: APIFeature? = nil, _ meaning: String
    ) -> APIParameter {
        APIParameter(name: name, place: .header, schema: schema, meaning: meaning, feature: feature)
    }

    /// A Parameter Object (OpenAPI 3.1, 4.8.12).
    var json: JSONValue {
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
enum APIFeature: Hashable, Sendable, CaseIterable {
    /// Keys for signed URLs.
    case signatures
    /// Client hints.
    case clientHints
    /// URLs that name the version of the original.
    case versions
    /// Parts of pictures, and conditions beside `If-None-Match`.
    case ranges
}
