/// A parameter of a request: a part of the path, a query parameter or a header.
package struct APIParameter: Hashable, Sendable {
    package enum Place: String, Sendable {
        case path, query, header
    }

    package let name: String
    package let place: Place
    package let schema: APISchema
    package let meaning: String
    package var isRequired = false
    /// The feature that the parameter depends on; `nil` if it always applies.
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
        // A list is one value with commas.
        if self.schema.json["type"] == "array" { json["explode"] = false }
        return .object(json)
    }
}

/// Optional features of a service that affect several operations.
package enum APIFeature: Hashable, Sendable, CaseIterable {
    case signatures
    case clientHints
    /// URLs with the version of the original.
    case versions
    /// Range requests, and conditional headers other than `If-None-Match`.
    case ranges
}

extension APIParameter {
    package static let version = APIParameter.query(
        "v", .string(8...64, pattern: "^[0-9a-f]{8,64}$"), feature: .versions,
        "The beginning of the original's digest, from info or srcset: if it matches, the response is immutable.")

    package static let signature = APIParameter.query(
        "s", .string(pattern: "^[A-Za-z0-9_-]{43}$"), feature: .signatures,
        "HMAC-SHA256 of path and query, as computed by onesheet sign.")

    package static let signatureEnd = APIParameter.query(
        "exp", .integer(0...999_999_999_999), feature: .signatures,
        "Expiry of the signature in seconds since 1970; requires s.")

    package static let ifNoneMatch = APIParameter.header(
        "If-None-Match", .string().example("\"89b259ea4f7914742deb7ec05c330d0b\""),
        "Entity tags of stored responses, or *: 304 if the response has one of them (RFC 9110, 13.1.2).")

    package static let ifMatch = APIParameter.header(
        "If-Match", .string(), feature: .ranges,
        "Entity tags, or *: 412 unless the response has one of them (RFC 9110, 13.1.1).")

    package static let conditions: [APIParameter] = [
        .header(
            "If-Modified-Since", .string(), feature: .ranges,
            "304 if unchanged since then; ignored with If-None-Match (RFC 9110, 13.1.3)."),
        .ifMatch,
        .header("If-Unmodified-Since", .string(), feature: .ranges, "412 if changed since then (RFC 9110, 13.1.4)."),
        .header("Range", .string().example("bytes=0-1023"), feature: .ranges, "One range of bytes (RFC 9110, 14.2)."),
        .header(
            "If-Range", .string(), feature: .ranges,
            "Applies Range only if the picture is unchanged (RFC 9110, 13.1.5)."),
    ]

    /// Client hints about screen and connection; parameters in the URL take precedence.
    package static let hints: [APIParameter] = [
        .header("Sec-CH-DPR", .string().example("2.0"), feature: .clientHints, "Device pixels per pixel of the page."),
        .header(
            "Sec-CH-Width", .string().example("640"), feature: .clientHints, "Width of the layout, in device pixels."),
        .header(
            "Save-Data", .string().example("on"), feature: .clientHints,
            "on: a lower quality unless the URL has q; Sec-CH-DPR does not enlarge."),
    ]
}
